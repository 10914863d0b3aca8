import Console
import Tools

/// The log of what a wall plays.
struct PlayLogOptions {
    /// nil if no log is written.
    private var folder: String?
    /// Number of days that are kept; nil if it was not given.
    private var days: Int?

    private static let usualDays = 90

    static let specs = [
        OptionSpec(
            name: "log", value: "FOLDER", help: "log of items played, a file a day; quadrille log sums it up"),
        OptionSpec(name: "log-days", value: "N", help: "days of the log to keep (90), at least 30 files"),
    ]

    mutating func take(_ name: String, _ value: String) throws(UsageMistake) -> Taking {
        switch name {
        case "log": folder = value
        case "log-days": days = try Values.whole(value, 1...36500, "--log-days")
        default: return .another
        }
        return .taken
    }

    func check() throws(UsageMistake) {
        if days != nil, folder == nil { throw UsageMistake("--log-days needs --log FOLDER") }
    }

    /// Opens the log's folder; nil if no log is written.
    func open() throws(UsageMistake) -> PlayLogFolder? {
        try folder.map { path throws(UsageMistake) in try PlayLogFolder(path: path, days: days ?? Self.usualDays) }
    }
}
