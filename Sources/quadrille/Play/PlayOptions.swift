import Base
import Console
import Layout

/// The command line of `play`. An option that is nil was not given: the layout's value holds.
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
    private(set) var decoding = DecodingOptions()
    var sound = SoundOptions()
    private(set) var run = RunOptions()
    private(set) var trace = TraceOptions()
    private(set) var log = PlayLogOptions()
    /// Path of the control socket.
    private(set) var ipc: String?
    /// Which programs may control the wall.
    private(set) var reach = ControlServices.Reach.all
    /// Folder of the recordings; nil if they go to `takes` in the music folder.
    private(set) var takes: String?
    /// Folder of the screenshots; nil for the user's folder of pictures.
    private(set) var screenshots: String?
    private(set) var loudness = Loudness.usual
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
        WindowOptions.options.lifted(into: \.window), DecodingOptions.options.lifted(into: \.decoding),
        WallOptions.soundOptions.lifted(into: \.wall), SoundOptions.options.lifted(into: \.sound),
        WallOptions.timeOptions.lifted(into: \.wall),
        RunOptions.options.lifted(into: \.run), socketOptions, TraceOptions.options.lifted(into: \.trace),
        PlayLogOptions.options.lifted(into: \.log), otherOptions)

    private static let socketOptions: [Option<PlayOptions>] = [
        Option("ipc", .text("PATH", names: .file), "a control socket that speaks mpv's JSON IPC", into: \.ipc),
        Option("input-ipc-server", .text("PATH", names: .file), "the same as --ipc", into: \.ipc),
        Option(flag: "no-mpris", "do not appear among the desktop's players", sets: \.reach, to: .socket),
    ]
    private static let otherOptions: [Option<PlayOptions>] = [
        Option("takes", .folder, "folder of recordings; R records", default: "~/Music/takes") {
            options, folder throws(UsageMistake) in
            options.takes = try Self.folder(folder, "--takes")
        },
        Option("screenshots", .folder, "folder of screenshots; s takes one", default: "~/Pictures") {
            options, folder throws(UsageMistake) in
            options.screenshots = try Self.folder(folder, "--screenshots")
        },
        Option("save", .file("FILE"), "write all this as a layout, and end") {
            if $0.request == .run { $0.request = .save($1) }
        },
        Option(flag: "quiet", "print only errors that end the program", sets: \.loudness, to: .quiet),
        Option(flag: "verbose", "print more", sets: \.loudness, to: .verbose),
        .help,
        Option(
            flag: "version", "print the version; with --verbose, those of the libraries, too", sets: \.request,
            to: .version),
    ]

    init(_ arguments: [String], _ kind: Kind = .wall) throws(UsageMistake) {
        let operands = try Self.options(kind).read(arguments, into: &self)
        if request == .version { return }
        switch kind {
        case .wall: content = run.isIdle && operands.isEmpty ? .media([]) : try WallContent(operands)
        case .comparison: content = try comparison.content(of: operands)
        }
        try checkSave()
        try run.check(content)
        try log.check()
        try trace.check()
        try wall.check(content)
    }

    /// Returns the name of a folder without a slash at its end.
    private static func folder(_ name: String, _ option: String) throws(UsageMistake) -> String {
        if name.isEmpty { throw UsageMistake("\(option) needs the name of a folder") }
        return name.count > 1 && name.hasSuffix("/") ? String(name.dropLast()) : name
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

    /// Applies the command line to the layout.
    func apply(to layout: inout Layout) throws(UsageMistake) {
        try wall.apply(to: &layout)
        window.apply(to: &layout)
        decoding.apply(to: &layout)
        sound.apply(to: &layout)
    }
}
