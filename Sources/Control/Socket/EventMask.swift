/// Which events a client wants: all, until it says otherwise.
struct EventMask: Hashable {
    /// Those that mpv's clients may name. `shutdown` cannot be disabled; it is never sent either.
    static let mpvNames: Set<String> = [
        "none", "shutdown", "log-message", "get-property-reply", "set-property-reply", "command-reply", "start-file",
        "end-file", "file-loaded", "idle", "tick", "client-message", "video-reconfig", "audio-reconfig", "seek",
        "playback-restart", "property-change", "event-queue-overflow", "hook",
    ]

    private var isEverythingEnabled = true
    private var exceptions: Set<String> = []

    func contains(_ name: String) -> Bool { exceptions.contains(name) != isEverythingEnabled }

    var isEmpty: Bool { !isEverythingEnabled && exceptions.isEmpty }

    mutating func set(_ name: String, enabled: Bool) {
        if enabled == isEverythingEnabled { exceptions.remove(name) } else { exceptions.insert(name) }
    }

    mutating func setAll(enabled: Bool) {
        isEverythingEnabled = enabled
        exceptions = []
    }
}

/// How important a log message is, and which of them a client asked for.
enum LogLevel: String, CaseIterable, Comparable {
    case fatal, error, warn, info, status, verbose = "v", debug, trace, stats

    static func < (a: LogLevel, b: LogLevel) -> Bool {
        allCases.firstIndex(of: a)! < allCases.firstIndex(of: b)!
    }

    /// What `request_log_messages` says; .some(nil): none, nil: no level.
    static func requested(_ word: String) -> LogLevel?? {
        // mpv keeps messages for later with this prefix; here there are none to be kept.
        if word.hasPrefix("silent:") {
            return requested(String(word.dropFirst("silent:".count))) == nil ? nil : .some(nil)
        }
        if word == "no" { return .some(nil) }
        if word == "terminal-default" { return .some(.status) }
        return LogLevel(rawValue: word).map { .some($0) } ?? nil
    }
}
