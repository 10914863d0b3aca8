import Base
import Console
import Feeds
import Glibc
import Layout
import Tools

/// How a wall begins, for how long it plays, and whether it waits for sources.
struct RunOptions {
    private(set) var motion = Clock.Motion.running
    /// nil if the wall plays until it is told to end.
    private(set) var length: Time?
    private(set) var waitsForSources = false
    /// True if the layout's file is watched.
    private(set) var watchesLayout = false
    /// True if an empty wall waits for a layout.
    private(set) var isIdle = false

    static let options: [Option<RunOptions>] = [
        Option(flag: "paused", "begin paused", sets: \.motion, to: .paused),
        Option("for", .time("SECONDS"), "end after this many seconds", into: \.length),
        Option(flag: "wait", "keep trying when nothing can be played", sets: \.waitsForSources, to: true),
        Option(flag: "watch", "reload the layout's file when it is saved", sets: \.watchesLayout, to: true),
        Option(flag: "idle", "begin empty, and wait for commands", sets: \.isIdle, to: true),
    ]

    func check(_ content: WallContent) throws(UsageMistake) {
        if watchesLayout {
            guard case .layout(let path) = content, path != "-" else {
                throw UsageMistake("--watch needs a layout's file")
            }
        }
    }
}

/// The sound server of a wall, and the delay of its sound.
struct SoundOptions {
    /// False if the wall opens no sound server.
    private(set) var isOpened = true
    /// In milliseconds; nil if the layout states the delay.
    private(set) var delay: Int?

    /// No sound server is opened.
    static var none: SoundOptions {
        var options = SoundOptions()
        options.isOpened = false
        return options
    }

    init(delay: Int? = nil) { self.delay = delay }

    static let options: [Option<SoundOptions>] = [
        Option(flag: "no-audio", "open no sound server", sets: \.isOpened, to: false),
        Option(
            "audio-delay", .whole(-1000...1000, "MS"), "delay of sound; a negative one delays video", default: "0",
            into: \.delay),
    ]

    /// Applies the options to a layout. Without a delay in either, the calibrated one holds.
    func apply(to layout: inout Layout) {
        if let delay { (layout.audio.delayMilliseconds, layout.audio.statesDelay) = (delay, true) }
        if !layout.audio.statesDelay, isOpened, let late = KeptCalibration.known.screen?.late {
            layout.audio.delayMilliseconds = min(1000, max(-1000, Int((late.seconds * 1000).rounded())))
        }
    }
}

/// Decoders of a wall, and how exactly they decode. A value is nil if the option was not given: the layout's holds.
struct DecodingOptions {
    private(set) var pipelines: PipelineCount?
    private(set) var quality: Quality?

    static let options: [Option<DecodingOptions>] = [
        Option("pipelines", .whole(1...64, or: "auto", "N|auto"), "most video decoders open at once", default: "4") {
            $0.pipelines = $1.map(PipelineCount.count) ?? .auto
        },
        Option(
            "quality", .oneOf(["auto", "exact"]), "exact: every pixel as the decoder specifies", into: \.quality),
    ]

    func apply(to layout: inout Layout) {
        if let pipelines { layout.pipelines = pipelines }
        if let quality { layout.quality = quality }
    }
}

extension Layout {
    /// Number of pipelines. `auto`: one for each tile; the wall uses as many of them as the cores can feed.
    var pipelineCount: Int {
        switch decoding.pipelines {
        case .count(let count): count
        case .auto: max(1, min(playingTiles.count, 64))
        }
    }

    /// Number of cores that pipelines may use; nil if it is not limited. `auto` leaves a quarter of the machine to the
    /// display and to others.
    var coresForPipelines: Double? {
        decoding.pipelines == .auto ? 0.75 * Double(sysconf(Int32(_SC_NPROCESSORS_ONLN))) : nil
    }
}

/// The trace of a wall.
struct TraceOptions {
    /// nil if no trace is written.
    private(set) var file: String?
    private(set) var events = EventNames.usualTrace
    /// Largest size of one trace file, in MiB; nil if it was not given.
    private var most: Int?

    static let options: [Option<TraceOptions>] = [
        Option("trace", .file("FILE"), "write events to FILE as JSON lines", into: \.file),
        Option("trace-events", .events, "events to trace", default: "all but picture", into: \.events),
        Option(
            "trace-max", .whole(1...1_048_576, "MIB"),
            "start a new file at this size; FILE.1 and FILE.2 are those before", default: "\(TraceOutput.usualMost)",
            into: \.most),
    ]

    func check() throws(UsageMistake) {
        if most != nil, file == nil { throw UsageMistake("--trace-max needs --trace FILE") }
    }

    /// Opens the trace; nil if none is written. Throws if it would replace a file that the wall plays.
    func open(_ played: PlayedFiles) throws(UsageMistake) -> TraceOutput? {
        guard let file else { return nil }
        for path in [file] + TraceOutput.earlier(than: file) { try played.check(path, "--trace") }
        return try TraceOutput(path: file, mebibytes: most ?? TraceOutput.usualMost)
    }
}

extension OptionValue where Value == EventNames {
    fileprivate static var events: OptionValue {
        OptionValue(.list, "LIST|all", names: .event) { text, _ throws(UsageMistake) in try EventNames(list: text) }
    }
}

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

/// Offsets and mode of a comparison of clips.
struct ComparisonOptions {
    private var offsets: [Time] = []
    /// nil if not given.
    private var mode: ComparisonMode?

    static let options: [Option<ComparisonOptions>] = [
        Option(
            "mode", .oneOf(ComparisonMode.allCases.map(\.rawValue), "WAY"),
            "way of comparing two clips: wipe, difference, signed, heat, blink or overlay", default: "wipe",
            .notAfterHelp,
            into: \.mode),
        Option(
            "offset", .offset, "how far B is ahead of A (-: behind); one for each after A", default: "by timestamps"
        ) {
            $0.offsets.append($1)
        },
    ]

    /// Each clip needs a decoder.
    private static let mostClips = 64

    func content(of clips: [String]) throws(UsageMistake) -> WallContent {
        guard let first = clips.first else { throw UsageMistake("clips to compare are missing: A and B, and more") }
        guard clips.count > 1 else {
            throw UsageMistake("what to compare with \(first) is missing: two clips, A and B, or more")
        }
        guard clips.count <= Self.mostClips else {
            throw UsageMistake("\(clips.count) clips; at most \(Self.mostClips) are compared")
        }
        if !offsets.isEmpty {
            try UsageMistake.refuse(offsets: offsets.count, for: clips.count - 1, after: "the first")
        }
        if let mode, clips.count > 2 {
            throw UsageMistake(
                "--mode \(mode.rawValue): \(clips.count) clips are shown in a grid; two would be compared that way. In "
                    + "the grid, c compares two tiles")
        }
        guard case .media = try WallContent(clips) else { throw UsageMistake("clips are compared, not layouts") }
        return .comparison(clips, offsets: offsets, mode ?? .wipe)
    }
}
