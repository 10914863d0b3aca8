import Base
import Console
import Glibc
import Layout
import Measurement
import Scene

/// The command line of `play`. An option that is nil was not given: the layout's value holds.
struct PlayOptions {
    enum Request { case run, help, version }

    var request = Request.run
    var input = Input.media([])
    var wall = WallOptions()
    var window = WindowOptions()
    var pipelines: PipelineCount?
    var quality: Quality?
    var opensSound = true
    /// In milliseconds.
    var audioDelay: Int?
    var motion = Clock.Motion.running
    var length: Time?
    var waitsForSources = false
    /// True if the layout's file is watched.
    var watchesLayout = false
    /// True if an empty wall waits for a layout.
    var isIdle = false
    /// Path of the control socket.
    var ipc: String?
    var trace: String?
    var traceEvents = TraceEvents.usual
    /// Largest size of one trace file, in MiB.
    var traceMost: Int?
    /// Folder of the log, and how many days of it are kept.
    var log: String?
    var logDays: Int?
    /// Folder of the recordings; nil if they go to `takes` in the music folder.
    var takes: String?
    var loudness = Loudness.usual

    /// A wall of media or of a layout, or a comparison of clips.
    enum Kind { case wall, comparison }

    /// Offsets and mode of a comparison.
    private var offsets: [Time] = []
    private var mode = ComparisonMode.wipe

    /// All options that `kind` accepts.
    static func specs(_ kind: Kind) -> [OptionSpec] {
        guard kind == .comparison else { return specs }
        return comparisonSpecs + specs.filter { !["together", "idle", "watch"].contains($0.name) }
    }

    private static let comparisonSpecs = [
        OptionSpec(name: "mode", value: "WAY", help: "of two clips: wipe, difference, signed, heat, blink or overlay"),
        OptionSpec(name: "offset", value: "TIME", help: "how far B is ahead of A (-: behind); one for each after A"),
    ]

    static let specs =
        [OptionSpec(name: "size", value: "WxH", help: "the window's size in pixels (of films: their grid's shape)")]
        + WindowOptions.specs + frameSpecs + WallOptions.soundSpecs + [
            OptionSpec(name: "no-audio", value: nil, help: "open no sound server"),
            OptionSpec(name: "audio-delay", value: "MS", help: "delay of sound; a negative one delays video (0)"),
        ] + WallOptions.timeSpecs + runSpecs

    private static let frameSpecs = [
        OptionSpec(name: "pipelines", value: "N|auto", help: "most video decoders open at once (4)"),
        OptionSpec(name: "quality", value: "auto|exact", help: "exact: every pixel as the decoder specifies"),
    ]
    private static let runSpecs = [
        OptionSpec(name: "paused", value: nil, help: "begin paused"),
        OptionSpec(name: "for", value: "SECONDS", help: "end after this many seconds"),
        OptionSpec(name: "wait", value: nil, help: "keep trying when nothing can be played"),
        OptionSpec(name: "watch", value: nil, help: "reload the layout's file when it is saved"),
        OptionSpec(name: "idle", value: nil, help: "begin empty, and wait for commands"),
        OptionSpec(name: "ipc", value: "PATH", help: "a control socket that speaks mpv's JSON IPC"),
        OptionSpec(name: "input-ipc-server", value: "PATH", help: "the same"),
        OptionSpec(name: "trace", value: "FILE", help: "write events to FILE as JSON lines"),
        OptionSpec(name: "trace-events", value: "LIST|all", help: "events to trace (all but picture)"),
        OptionSpec(
            name: "trace-max", value: "MIB",
            help: "start a new file at this size; FILE.1 and FILE.2 are those before (64)"),
        OptionSpec(
            name: "log", value: "FOLDER", help: "log of items played, a file a day; quadrille log sums it up"),
        OptionSpec(name: "log-days", value: "N", help: "days of the log to keep (90), at least 30 files"),
        OptionSpec(name: "takes", value: "FOLDER", help: "folder of recordings; R records (~/Music/takes)"),
        OptionSpec(name: "quiet", value: nil, help: "print only errors that end the program"),
        OptionSpec(name: "verbose", value: nil, help: "print more"),
        OptionSpec(name: "help", value: nil, help: "this text"),
        OptionSpec(name: "version", value: nil, help: "the version"),
    ]

    init(_ arguments: [String], _ kind: Kind = .wall) throws(UsageMistake) {
        var reader = Arguments(arguments, specs: Self.specs(kind))
        var operands: [String] = []
        while let argument = try reader.next() {
            switch argument {
            case .operand(let text): operands.append(text)
            case .option(let name, let value): try take(name, value)
            }
        }
        guard request == .run else { return }
        switch kind {
        case .wall: input = isIdle && operands.isEmpty ? .media([]) : try Input(operands)
        case .comparison: input = try comparison(of: operands)
        }
        if watchesLayout {
            guard case .layout(let path) = input, path != "-" else {
                throw UsageMistake("--watch needs a layout's file")
            }
        }
        if logDays != nil, log == nil { throw UsageMistake("--log-days needs --log FOLDER") }
        if traceMost != nil, trace == nil { throw UsageMistake("--trace-max needs --trace FILE") }
        try wall.check(input)
    }

    private func comparison(of clips: [String]) throws(UsageMistake) -> Input {
        guard let first = clips.first else { throw UsageMistake("clips to compare are missing: A and B, and more") }
        guard clips.count > 1 else {
            throw UsageMistake("what to compare with \(first) is missing: two clips, A and B, or more")
        }
        guard clips.count <= Self.mostClips else {
            throw UsageMistake("\(clips.count) clips; at most \(Self.mostClips) are compared")
        }
        guard offsets.count < clips.count else {
            throw UsageMistake(
                "--offset is given \(offsets.count) times, the others beside the first are \(clips.count - 1)")
        }
        guard case .media = try Input(clips) else { throw UsageMistake("clips are compared, not layouts") }
        return .comparison(clips, offsets: offsets, mode)
    }

    /// Each clip needs a decoder.
    private static let mostClips = 64

    private mutating func take(_ name: String, _ value: String) throws(UsageMistake) {
        if try wall.take(name, value) == .taken { return }
        if try window.take(name, value) == .taken { return }
        switch name {
        case "pipelines":
            pipelines = value == "auto" ? .auto : .count(try Values.whole(value, 1...64, "--pipelines", or: "auto"))
        case "quality": quality = try Values.word(value, "--quality", ["auto", "exact"], Quality.init)
        case "audio-delay": audioDelay = try Values.whole(value, -1000...1000, "--audio-delay")
        case "no-audio": opensSound = false
        case "offset": offsets.append(try Values.offset(value))
        case "mode":
            mode = try Values.word(
                value, "--mode", ComparisonMode.allCases.map(\.rawValue), ComparisonMode.init)
        case "paused": motion = .standing
        case "for": length = try Values.time(value, "--for")
        case "wait": waitsForSources = true
        case "watch": watchesLayout = true
        case "idle": isIdle = true
        case "ipc", "input-ipc-server": ipc = value
        case "trace": trace = value
        case "trace-events": traceEvents = try TraceEvents(value)
        case "trace-max": traceMost = try Values.whole(value, 1...1_048_576, "--trace-max")
        case "log": log = value
        case "log-days": logDays = try Values.whole(value, 1...36500, "--log-days")
        case "takes":
            if value.isEmpty { throw UsageMistake("--takes needs the name of a folder") }
            takes = value.count > 1 && value.hasSuffix("/") ? String(value.dropLast()) : value
        case "quiet": loudness = .quiet
        case "verbose": loudness = .verbose
        case "help": request = .help
        case "version": if request == .run { request = .version }
        default: preconditionFailure("--\(name) is declared and not read")
        }
    }

    /// Applies the command line to a layout that is loaded while the wall plays.
    func apply(toLater layout: inout Layout) {
        var options = self
        if let focus = wall.focus, !layout.tiles.contains(where: { $0.id == focus }) { options.wall.focus = nil }
        do throws(UsageMistake) { try options.apply(to: &layout) } catch { printLine("quadrille: \(error.text)") }
    }

    /// `auto`: one for each tile; the wall uses as many of them as the cores can feed.
    func pipelineCount(for layout: Layout) -> Int {
        switch layout.pipelines {
        case .count(let count): count
        case .auto: max(1, min(layout.playingTiles.count, 64))
        }
    }

    /// `auto` leaves a quarter of the machine to the display and to others.
    func cores(for layout: Layout) -> Double? {
        layout.pipelines == .auto ? 0.75 * Double(sysconf(Int32(_SC_NPROCESSORS_ONLN))) : nil
    }

    /// Applies the command line to the layout.
    func apply(to layout: inout Layout) throws(UsageMistake) {
        try wall.apply(to: &layout)
        window.apply(to: &layout)
        if let pipelines { layout.pipelines = pipelines }
        if let quality { layout.quality = quality }
        if let audioDelay { (layout.audio.delayMilliseconds, layout.audio.statesDelay) = (audioDelay, true) }
        if !layout.audio.statesDelay, opensSound, let late = KeptCalibration.known.screen?.late {
            layout.audio.delayMilliseconds = min(1000, max(-1000, Int((late.seconds * 1000).rounded())))
        }
    }
}
