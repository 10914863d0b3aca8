import Base
import Console
import Glibc
import Layout
import Threads

/// `quadrille check`: prints the layout's mistakes, what each source is, which seams can be seen or heard, and which tiles
/// this machine does not decode in time.
/// Needs no display and no sound.
public struct CheckCommand {
    private var content = WallContent.media([])
    private var printsJSON = false
    /// Number of pipelines; nil if the layout's number is meant.
    private var pipelines: Int?
    /// Trace that a run wrote with --trace; nil if there is none.
    private var trace: String?
    /// True if it is measured if this machine decodes the films in time.
    private var measuresTiming = true
    /// Size of the window for which decoding is measured; nil for the layout's.
    private var size: Size?
    /// Options with which the layout would be played.
    private var wall = WallOptions()

    public static let options = Option<CheckCommand>.table(
        [
            Option(flag: "json", "print JSON on standard output") { $0.printsJSON = true },
            Option(
                "pipelines", .whole(1...64, "N"), "number of decoders"
            ) { $0.pipelines = $1 }.default("the layout's"),
            Option(
                "trace", .file("FILE"), "list the seams that play --trace FILE measured, beside the promised"
            ) { $0.trace = $1 },
            Option(
                "size", .size, "of the window for which decoding is measured"
            ) { $0.size = $1 }.default("the layout's"),
            Option(
                flag: "no-timing", "do not measure if this machine decodes the films in time"
            ) { $0.measuresTiming = false },
        ],
        [
            WallOptions.together.described("check as for play --together"),
            WallOptions.noLoop.described("check as for play --no-loop"),
        ].lifted(into: \.wall),
        [.help])

    public init(_ arguments: [String]) throws(UsageMistake) {
        content = try WallContent(try Self.options.read(arguments, into: &self))
        try wall.check(content)
    }

    public func run() -> Int32 { Failure.status(of: check) }

    private func check() throws -> Int32 {
        // A wall would not begin under these limits either.
        try Failure.checkLimits(withSound: true)
        switch content.read() {
        case .unreadable(let text): throw Failure(text, status: ExitStatus.usage)
        case .mistakes(let mistakes, let path):
            mistakes.lines(path: path).forEach(printLine)
            guard printsJSON else { return ExitStatus.usage }
            return printOutput([CheckJSON.text(CheckJSON.value(of: mistakes, path))], status: ExitStatus.usage)
        case .layout(let layout): return try check(layout)
        }
    }

    private func check(_ written: Layout) throws -> Int32 {
        var layout = written
        try wall.apply(to: &layout)
        let tiles = layout.ofPlayingTiles.tiles.map(\.name)
        let measured = try trace.map { try TraceFile.read($0, tiles: tiles) }
        let bench = measuresTiming ? DecodeBench(windowSize: size) : nil
        let preflight = Preflight(layout, pipelines: pipelines, bench, measured)
        let schedule = layout.schedule.map { ScheduleOutlook($0, pipelines: pipelines, bench) }
        let lines =
            printsJSON
            ? [CheckJSON.text(CheckJSON.value(of: preflight).adding(["schedule": schedule?.json ?? .null]))]
            : (schedule?.text ?? []) + CheckText.of(preflight)
        let status = printOutput(lines, status: schedule?.status(with: preflight.status) ?? preflight.status)
        if Worker.areAnyDetached { _exit(status) }
        return status
    }
}
