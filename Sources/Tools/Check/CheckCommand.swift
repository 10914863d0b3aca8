import Analysis
import Base
import Console
import Engine
import Glibc
import Layout

/// `quadrille check`: prints the layout's mistakes, what each source is, which seams can be seen or heard, and which tiles
/// this machine does not decode in time.
/// Needs no display and no sound.
public struct CheckCommand {
    private let options: CheckOptions

    public init(_ options: CheckOptions) { self.options = options }

    public func run() -> Int32 { Failure.status(of: check) }

    private func check() throws -> Int32 {
        // A wall would not begin under these limits either.
        try Failure.checkLimits(withSound: true)
        switch options.content.read() {
        case .unreadable(let text): throw Failure(text, status: ExitStatus.usage)
        case .mistakes(let mistakes, let path):
            mistakes.lines(path: path).forEach(printLine)
            guard options.form == .json else { return ExitStatus.usage }
            return printOutput([CheckJSON.of(mistakes, path)], status: ExitStatus.usage)
        case .layout(let layout):
            return try check(layout)
        }
    }

    private func check(_ written: Layout) throws -> Int32 {
        var layout = written
        try options.wall.apply(to: &layout)
        let tiles = layout.ofPlayingTiles.tiles.map(\.name)
        let measured = try options.trace.map { try TraceFile.read($0, tiles: tiles) }
        let bench = options.timing == .measured ? DecodeBench(windowSize: options.size) : nil
        var preflight = Preflight(layout, pipelines: options.pipelines, bench)
        preflight.measured = measured
        let schedule = layout.schedule.map { ScheduleOutlook($0, pipelines: options.pipelines, bench) }
        let lines =
            switch options.form {
            case .text: (schedule?.text ?? []) + CheckText.of(preflight)
            case .json: [CheckJSON.of(preflight, schedule)]
            }
        let status = printOutput(lines, status: schedule?.status(with: preflight.status) ?? preflight.status)
        if hasHeldThreads { _exit(status) }
        return status
    }
}

/// The command line of `check`.
public struct CheckOptions {
    enum Form { case text, json }

    var content = WallContent.media([])
    var form = Form.text
    /// Number of pipelines; nil if the layout's number is meant.
    var pipelines: Int?
    /// Trace that a run wrote with --trace; nil if there is none.
    var trace: String?
    enum Timing { case measured, left }

    /// Whether it is measured if this machine decodes the films in time.
    var timing = Timing.measured
    /// Size of the window for which decoding is measured; nil for the layout's.
    var size: Size?
    /// Options with which the layout would be played.
    var wall = WallOptions()

    public static let options = Option<CheckOptions>.table(
        [
            Option(flag: "json", "print JSON on standard output", sets: \.form, to: .json),
            Option(
                "pipelines", .whole(1...64, "N"), "number of decoders", into: \.pipelines
            ).default("the layout's"),
            Option(
                "trace", .file("FILE"), "list the seams that play --trace FILE measured, beside the promised",
                into: \.trace),
            Option(
                "size", .size, "of the window for which decoding is measured", into: \.size
            ).default("the layout's"),
            Option(
                flag: "no-timing", "do not measure if this machine decodes the films in time", sets: \.timing,
                to: .left),
        ],
        [
            WallOptions.together.described("check as for play --together"),
            WallOptions.noLoop.described("check as for play --no-loop"),
        ].lifted(into: \.wall),
        [.help])

    public init(_ arguments: [String]) throws(UsageMistake) {
        let operands = try Self.options.read(arguments, into: &self)
        content = try WallContent(operands)
        try wall.check(content)
    }
}
