import Console
import Tools

/// The log of what a wall plays.
struct PlayLogOptions {
    /// nil if no log is written.
    private var folder: String?
    /// Number of days that are kept; nil if it was not given.
    private var days: Int?

    private static let usualDays = 90

    static let options: [Option<PlayLogOptions>] = [
        Option("log", .folder, "log of items played, a file a day; quadrille log sums it up", into: \.folder),
        Option(
            "log-days", .whole(1...36500, "N"), "days of the log to keep (\(usualDays)), at least 30 files",
            default: "\(usualDays)", .notAfterHelp, into: \.days),
    ]

    func check() throws(UsageMistake) {
        if days != nil, folder == nil { throw UsageMistake("--log-days needs --log FOLDER") }
    }

    /// Opens the log's folder; nil if no log is written.
    func open() throws(UsageMistake) -> PlayLogFolder? {
        try folder.map { path throws(UsageMistake) in try PlayLogFolder(path: path, days: days ?? Self.usualDays) }
    }
}
