/// Importance of a log message, and the level that a client asked for.
enum LogLevel: String, CaseIterable, Comparable {
    case fatal, error, warn, info, status, verbose = "v", debug, trace, stats

    static func < (a: LogLevel, b: LogLevel) -> Bool { allCases.firstIndex(of: a)! < allCases.firstIndex(of: b)! }

    /// Level for an argument of `request_log_messages`; .some(nil) for none, nil if the word is not a level.
    static func requested(_ word: String) -> LogLevel?? {
        // In mpv this prefix keeps messages for later; here none are kept.
        if word.hasPrefix("silent:") {
            return requested(String(word.dropFirst("silent:".count))) == nil ? nil : .some(nil)
        }
        if word == "no" { return .some(nil) }
        if word == "terminal-default" { return .some(.status) }
        return LogLevel(rawValue: word).map { .some($0) } ?? nil
    }
}
