import Files
import Media

public enum ExitStatus {
    public static let done: Int32 = 0
    public static let failed: Int32 = 1
    public static let usage: Int32 = 2
    public static let seams: Int32 = 3
    public static let displayGone: Int32 = 4
    public static let unwritten: Int32 = 5

    /// Returns the status that a shell reports for a program ended by a signal.
    static func signal(_ number: Int32) -> Int32 { 128 + number }
}

/// Reason for which a subcommand fails: the lines to print, and the exit status.
public struct Failure: Error {
    private let lines: [String]
    private let status: Int32

    public init(lines: [String], status: Int32) { (self.lines, self.status) = (lines, status) }

    public init(_ text: String, status: Int32 = ExitStatus.failed) {
        self.init(lines: ["quadrille: \(text)"], status: status)
    }

    public init(_ error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        case let mistake as UsageMistake: self.init(mistake.text, status: ExitStatus.usage)
        case let trouble as FilmTrouble:
            self.init(trouble.what, status: trouble.kind == .unwritten ? ExitStatus.unwritten : ExitStatus.failed)
        case let trouble as FileTrouble: self.init("\(trouble)", status: ExitStatus.unwritten)
        default: self.init("\(error)")
        }
    }

    /// The end was requested.
    public static let interrupted = Failure(lines: [], status: ExitStatus.failed)

    /// Throws if the limits of the process are too low. Called before anything else is begun.
    public static func checkLimits(withSound: Bool) throws(Failure) {
        if let shortage = AddressSpace.shortage(withSound: withSound) { throw Failure(shortage) }
    }

    /// Throws if a file can't be made, since its folder is missing. `option`: the option that names it.
    public static func checkFolder(of file: String, _ option: String) throws(Failure) {
        guard let folder = missingFolder(of: file) else { return }
        throw Failure("\(option) \(file): there is no folder \(folder); an existing one would be right")
    }

    /// Runs a subcommand, or a part of one. Prints why it fails, and returns the exit status.
    public static func status(of work: () throws -> Int32) -> Int32 {
        do { return try work() } catch {
            let failure = Failure(error)
            failure.lines.forEach(printLine)
            return failure.status
        }
    }
}

public let version = "0.2.0"
