import Base
import Console
import Files
import Layout
import Player

/// `quadrille blind`: tests whether a user can distinguish two clips. The wall shows one of them. `play`'s loop runs
/// the wall.
///
/// The wall has one tile that compares two sources by turns (`Layout.ofPair`). The command draws at random which clip X
/// is in each trial. `BlindTest` keeps the draws, the answers and the score. The feature `Blind` shows the side that
/// `BlindTest` states, without marks, and nothing while one of the two has no frame.
struct BlindCommand {
    private let options: BlindOptions
    private let start: Int64

    init(_ options: BlindOptions, start: Int64) { (self.options, self.start) = (options, start) }

    func run() throws(UsageMistake) -> Int32 {
        if let file = options.json {
            try PlayedFiles(Layout.ofMedia(options.clips), .media(options.clips)).check(file, "--json")
        }
        return Failure.status {
            if let file = options.json { try Failure.checkFolder(of: file, "--json") }
            _ = try openedSources(options.clips, complaint: \.complaintOfComparing)
            let hidden = (0..<options.trials).map { _ in Bool.random() ? BlindTest.Clip.a : .b }
            let test = PlayCommand.Test(hidden: hidden) { [options] test, status in Self.end(test, options, status) }
            return PlayCommand(PlayOptions(options), start: start, test: test).run()
        }
    }

    /// Prints and writes the result, and returns the exit status. A wall that never came up has no result.
    private static func end(_ test: BlindTest, _ options: BlindOptions, _ status: Int32) -> Int32 {
        if status == ExitStatus.failed { return status }
        let report = BlindReport(test, a: options.clips[0], b: options.clips[1])
        var status = status
        if let file = options.json {
            do throws(FileTrouble) { try FileReplacement.write(report.json, to: file) } catch {
                printLine("quadrille: --json \(error)")
                if status == ExitStatus.done { status = ExitStatus.unwritten }
            }
        }
        return printOutput(report.lines, status: status)
    }
}
