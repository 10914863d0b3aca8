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
    /// Clips A and B.
    private var clips: [String] = []
    /// Time by which B is ahead of A; nil if the timestamps state it.
    private var offset: Time?
    private var trials = BlindCommand.usualTrials
    /// File to which the trials are written.
    private var json: String?
    /// Options of the wall. Only the size can be set.
    private var wall = WallOptions()
    private var window = WindowOptions()

    private static let usualTrials = 16

    static let options = Option<BlindCommand>.table(
        [
            Option(
                "trials", .whole(1...BlindTest.mostTrials, "N"), "number of trials"
            ) { $0.trials = $1 }.default("\(usualTrials)"),
            Option(
                "offset", .offset, "how far ahead of A is B (-: behind)"
            ) { $0.offset = $1 }.default("by timestamps"),
            Option("json", .file("FILE"), "write the trials into FILE at the end") { $0.json = $1 },
        ],
        [WallOptions.size("the window's size in pixels", default: "A's shape")].lifted(into: \.wall),
        WindowOptions.options.lifted(into: \.window), [.help])

    init(_ arguments: [String]) throws(UsageMistake) {
        clips = try Self.options.read(arguments, into: &self)
        switch clips.count {
        case 2: break
        case 0: throw UsageMistake("two clips are missing: A and B")
        case 1: throw UsageMistake("what to compare with \(clips[0]) is missing: two clips, A and B")
        default: throw UsageMistake("two clips, A and B, and not \(clips.count)")
        }
        guard case .media = try WallContent(clips) else { throw UsageMistake("clips are compared, not layouts") }
    }

    /// `start`: time at which the program began.
    func run(since start: Int64) throws(UsageMistake) -> Int32 {
        if let json { try FilesInUse(Layout.ofMedia(clips), .media(clips)).check(json, "--json") }
        return Failure.status {
            if let json { try Failure.checkFolder(of: json, "--json") }
            _ = try openedSources(clips, complaint: \.complaintOfComparing)
            let hidden = (0..<trials).map { _ in Bool.random() ? BlindTest.Clip.a : .b }
            var play = PlayOptions(.pair(clips[0], clips[1], offset: offset), window)
            // Sound would reveal the clip.
            (play.wall, play.hasSound) = (wall, false)
            let test = PlayCommand.Test { wall, now in
                wall.begin(BlindTest(hidden: hidden, at: now), at: now)
            } end: { runner, status in
                runner.read { wall, _ in wall.blindTest }.map { end($0, status) } ?? status
            }
            return PlayCommand(play, start: start, test: test).run()
        }
    }

    /// Prints and writes the result, and returns the exit status. A wall that never came up has no result.
    private func end(_ test: BlindTest, _ status: Int32) -> Int32 {
        if status == ExitStatus.failed { return status }
        let names = clips.map { SourceName.withoutSecrets($0) }
        var status = status
        if let json {
            do throws(FileTrouble) { try FileReplacement.write(test.json(names), to: json) } catch {
                printLine("quadrille: --json \(error)")
                if status == ExitStatus.done { status = ExitStatus.unwritten }
            }
        }
        return printOutput(test.lines(names), status: status)
    }
}

// Lines and JSON at the end of `blind`. `names`: those of A and B, without secrets.
extension BlindTest {
    fileprivate func lines(_ names: [String]) -> [String] {
        let rows = trials.enumerated().map { number, trial in
            "trial \(number + 1): X was \(trial.x.name), the answer \(trial.answer.name): "
                + "\(trial.isRight ? "right" : "wrong"), after \(fixed(trial.length.seconds, 1)) s"
        }
        let score =
            trials.isEmpty
            ? "no trial was answered"
            : "\(right) of \(trials.count) right; probability of at least as many by chance: \(chance)"
        let rest = trials.count < count ? ["ended before all of the \(count) trials were answered"] : []
        return ["A: \(names[0])", "B: \(names[1])"] + rows + rest + [score]
    }

    fileprivate func json(_ names: [String]) -> [UInt8] {
        let trials = trials.map { trial -> PropertyValue in
            [
                "x": .text(trial.x.rawValue), "answer": .text(trial.answer.rawValue), "right": .flag(trial.isRight),
                "seconds": .number(trial.length.seconds),
            ]
        }
        return JSONWriter.line([
            "a": .text(names[0]), "b": .text(names[1]), "trials": .list(trials), "right": .integer(right),
            "probability": .number(probability),
        ])
    }

    /// Probability of the score by chance, with three significant digits.
    private var chance: String {
        let least = 1e-9
        guard probability >= least else { return "less than \(fixed(least, 9))" }
        var places = 3, value = probability
        while value < 0.1 { (places, value) = (places + 1, value * 10) }
        return fixed(probability, places)
    }
}

extension BlindTest.Clip {
    fileprivate var name: String { rawValue.uppercased() }
}
