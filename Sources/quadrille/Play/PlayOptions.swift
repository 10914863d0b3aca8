import Base
import Console
import Feeds
import Layout
import Threads
import Tools

/// The command line of `play`, and of all that runs a wall in a window.
struct PlayOptions {
    enum Request: Equatable {
        case run, version
        /// Writes the layout into a file, and plays nothing.
        case save(String)
    }

    private(set) var request = Request.run
    var content = WallContent.media([])
    var wall = WallOptions()
    var window = WindowOptions()
    /// False if the wall opens no sound server.
    var hasSound = true
    private(set) var run = RunOptions()
    private(set) var control = ControlOptions()
    private(set) var report = ReportOptions()
    private(set) var folders = FolderOptions()
    private var comparison = ComparisonOptions()

    /// A wall of media or of a layout, or a comparison of clips.
    enum Kind { case wall, comparison }

    /// All options that `kind` accepts.
    static func options(_ kind: Kind) -> [Option<PlayOptions>] {
        switch kind {
        case .wall: options
        case .comparison:
            ComparisonOptions.options.lifted(into: \.comparison) + options.without("together", "idle", "watch")
        }
    }

    private static let options = Option<PlayOptions>.table(
        [WallOptions.size("the window's size in pixels", default: "of films: their grid's shape")].lifted(into: \.wall),
        WindowOptions.options.lifted(into: \.window),
        [
            Option(
                "pipelines", .whole(1...64, or: "auto", "N|auto"), "most video decoders open at once",
                layout: { $0.pipelines = $1.map(PipelineCount.count) ?? .auto }
            ).default("4"),
            Option(
                "quality", .oneOf(["auto", "exact"]), "exact: every pixel as the decoder specifies",
                layout: { $0.decoding.quality = $1 }),
        ].lifted(into: \.wall), WallOptions.soundOptions.lifted(into: \.wall),
        [Option(flag: "no-audio", "open no sound server") { $0.hasSound = false }],
        [
            Option(
                "audio-delay", .whole(-1000...1000, "MS"), "delay of sound; a negative one delays video",
                layout: { $0.audio.statedDelay = $1 }
            ).default("0")
        ].lifted(into: \.wall), WallOptions.timeOptions.lifted(into: \.wall), RunOptions.options.lifted(into: \.run),
        ControlOptions.options.lifted(into: \.control), ReportOptions.files.lifted(into: \.report),
        FolderOptions.options.lifted(into: \.folders), [save], ReportOptions.loudness.lifted(into: \.report),
        [.help, version])

    private static let save = Option<PlayOptions>("save", .file("FILE"), "write all this as a layout, and end") {
        if $0.request == .run { $0.request = .save($1) }
    }
    private static let version = Option<PlayOptions>(
        flag: "version", "print the version; with --verbose, those of the libraries, too"
    ) { $0.request = .version }

    /// Options of a wall that another subcommand runs.
    init(_ content: WallContent, _ window: WindowOptions) { (self.content, self.window) = (content, window) }

    init(_ arguments: [String], _ kind: Kind = .wall) throws(UsageMistake) {
        let operands = try Self.options(kind).read(arguments, into: &self)
        if request == .version { return }
        switch kind {
        case .wall: content = run.isIdle && operands.isEmpty ? .media([]) : try WallContent(operands)
        case .comparison: content = try comparison.content(of: operands)
        }
        try checkSave()
        try run.check(content)
        try report.check()
        try wall.check(content)
    }

    private func checkSave() throws(UsageMistake) {
        guard case .save = request else { return }
        switch content {
        case .layout("-"): throw UsageMistake("--save needs media or a layout's file, and - is standard input")
        case .media([]): throw UsageMistake("--save needs media or a layout")
        default: break
        }
    }

    /// Applies the command line to a layout that is loaded while the wall plays.
    func apply(toLater layout: inout Layout) {
        var options = self
        if let focus = wall.focus, !layout.tiles.contains(where: { $0.id == focus }) { options.wall.focus = nil }
        do throws(UsageMistake) { try options.apply(to: &layout) } catch { printLine("quadrille: \(error.text)") }
    }

    /// Applies the command line to the layout. If neither states a delay of sound, the calibrated one holds.
    func apply(to layout: inout Layout) throws(UsageMistake) {
        try wall.apply(to: &layout)
        window.applyChanges(to: &layout)
        if !layout.audio.statesDelay, hasSound, let late = KeptCalibration.known.screen?.late {
            layout.audio.delayMilliseconds = min(1000, max(-1000, Int((late.seconds * 1000).rounded())))
        }
    }
}

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
        Option(flag: "paused", "begin paused") { $0.motion = .paused },
        Option("for", .time("SECONDS"), "end after this many seconds") { $0.length = $1 },
        Option(flag: "wait", "keep trying when nothing can be played") { $0.waitsForSources = true },
        Option(flag: "watch", "reload the layout's file when it is saved") { $0.watchesLayout = true },
        Option(flag: "idle", "begin empty, and wait for commands") { $0.isIdle = true },
    ]

    func check(_ content: WallContent) throws(UsageMistake) {
        let isFile = if case .layout(let path) = content { path != "-" } else { false }
        if watchesLayout, !isFile { throw UsageMistake("--watch needs a layout's file") }
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
        decoding.pipelines == .auto ? 0.75 * Double(coreCount) : nil
    }
}

/// Which programs may control a wall, and by which socket.
struct ControlOptions {
    /// Path of the control socket; nil for the one by which `quadrille ctl` finds the wall.
    private(set) var ipc: String?
    private(set) var reach = ControlServices.Reach.all

    static let options: [Option<ControlOptions>] = [
        Option("ipc", .text("PATH", names: .file), "a control socket that speaks mpv's JSON IPC") { $0.ipc = $1 },
        Option("input-ipc-server", .text("PATH", names: .file), "the same as --ipc") { $0.ipc = $1 },
        Option(flag: "no-mpris", "do not appear among the desktop's players") { $0.reach = .socket },
    ]
}

/// Options for a wall's reports: its trace, the log of what it plays, and lines on standard error.
struct ReportOptions {
    private(set) var loudness = Loudness.usual
    /// File of the trace; nil if none is written.
    private(set) var trace: String?
    private(set) var events = EventNames.usualTrace
    /// Largest size of one trace file, in MiB; nil if it was not given.
    private var traceMost: Int?
    /// Folder of the log; nil if none is written.
    private var log: String?
    /// Number of days that the log keeps; nil if it was not given.
    private var logDays: Int?

    private static let usualDays = 90

    static let files: [Option<ReportOptions>] = [
        Option("trace", .file("FILE"), "write events to FILE as JSON lines") { $0.trace = $1 },
        Option("trace-events", .events, "events to trace") { $0.events = $1 }.default("all but picture"),
        Option(
            "trace-max", .whole(1...1_048_576, "MIB"),
            "start a new file at this size; FILE.1 and FILE.2 are those before"
        ) { $0.traceMost = $1 }.default("\(TraceOutput.usualMost)"),
        Option("log", .folder, "log of items played, a file a day; quadrille log sums it up") { $0.log = $1 },
        Option(
            "log-days", .whole(1...36500, "N"), "days of the log to keep (\(usualDays)), at least 30 files"
        ) { $0.logDays = $1 }.default("\(usualDays)", isInHelp: true),
    ]
    static let loudness: [Option<ReportOptions>] = [
        Option(flag: "quiet", "print only errors that end the program") { $0.loudness = .quiet },
        Option(flag: "verbose", "print more") { $0.loudness = .verbose },
    ]

    func check() throws(UsageMistake) {
        if logDays != nil, log == nil { throw UsageMistake("--log-days needs --log FOLDER") }
        if traceMost != nil, trace == nil { throw UsageMistake("--trace-max needs --trace FILE") }
    }

    /// Opens the trace; nil if none is written. Throws if it would replace a file that the wall plays.
    func openTrace(besides files: FilesInUse) throws(UsageMistake) -> TraceOutput? {
        guard let trace else { return nil }
        for path in [trace] + TraceOutput.earlier(than: trace) { try files.check(path, "--trace") }
        return try TraceOutput(path: trace, mebibytes: traceMost ?? TraceOutput.usualMost)
    }

    /// Opens the log's folder; nil if no log is written.
    func openLog() throws(UsageMistake) -> PlayLogFolder? {
        try log.map { path throws(UsageMistake) in try PlayLogFolder(path: path, days: logDays ?? Self.usualDays) }
    }
}

extension OptionValue where Value == EventNames {
    fileprivate static var events: OptionValue {
        OptionValue(.list, "LIST|all", names: .event) { text, _ throws(UsageMistake) in try EventNames(list: text) }
    }
}

/// Folders of the files that a wall writes when a user asks for them.
struct FolderOptions {
    /// Folder of the recordings; nil if they go to `takes` in the music folder.
    private(set) var takes: String?
    /// nil for the user's folder of pictures.
    private(set) var screenshots: String?

    static let options: [Option<FolderOptions>] = [
        Option("takes", .folder, "folder of recordings; R records") { $0.takes = $1 }.default("~/Music/takes"),
        Option("screenshots", .folder, "folder of screenshots; s takes one") { $0.screenshots = $1 }
            .default("~/Pictures"),
    ]
}

/// Offsets and mode of a comparison of clips.
struct ComparisonOptions {
    private var offsets: [Time] = []
    /// nil if not given.
    private var mode: ComparisonMode?

    static let options: [Option<ComparisonOptions>] = [
        Option(
            "mode", .oneOf(ComparisonMode.allCases.map(\.rawValue), "WAY"),
            "way of comparing two clips: wipe, difference, signed, heat, blink or overlay"
        ) { $0.mode = $1 }.default("wipe", isInHelp: true),
        Option("offset", .offset, "how far B is ahead of A (-: behind); one for each after A") {
            $0.offsets.append($1)
        }.default("by timestamps"),
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
