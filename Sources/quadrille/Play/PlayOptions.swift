import Base
import Console
import Layout

/// The command line of `play`. An option that is nil was not given: the layout's value holds.
struct PlayOptions {
    enum Request { case run, help, version }

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
    /// Folder of the recordings; nil if they go to `takes` in the music folder.
    private(set) var takes: String?
    private(set) var loudness = Loudness.usual

    /// A wall of media or of a layout, or a comparison of clips.
    enum Kind { case wall, comparison }

    /// All options that `kind` accepts.
    static func specs(_ kind: Kind) -> [OptionSpec] {
        guard kind == .comparison else { return specs }
        return ComparisonOptions.specs + specs.filter { !["together", "idle", "watch"].contains($0.name) }
    }

    static let specs =
        [OptionSpec(name: "size", value: "WxH", help: "the window's size in pixels (of films: their grid's shape)")]
        + WindowOptions.specs + DecodingOptions.specs + WallOptions.soundSpecs + SoundOptions.specs
        + WallOptions.timeSpecs + RunOptions.specs + socketSpecs + TraceOptions.specs + PlayLogOptions.specs
        + otherSpecs

    private static let socketSpecs = [
        OptionSpec(name: "ipc", value: "PATH", help: "a control socket that speaks mpv's JSON IPC"),
        OptionSpec(name: "input-ipc-server", value: "PATH", help: "the same"),
    ]
    private static let otherSpecs = [
        OptionSpec(name: "takes", value: "FOLDER", help: "folder of recordings; R records (~/Music/takes)"),
        OptionSpec(name: "quiet", value: nil, help: "print only errors that end the program"),
        OptionSpec(name: "verbose", value: nil, help: "print more"),
        OptionSpec(name: "help", value: nil, help: "this text"),
        OptionSpec(name: "version", value: nil, help: "the version"),
    ]

    init(_ arguments: [String], _ kind: Kind = .wall) throws(UsageMistake) {
        var reader = Arguments(arguments, specs: Self.specs(kind))
        var operands: [String] = []
        var comparison = ComparisonOptions()
        while let argument = try reader.next() {
            switch argument {
            case .operand(let text): operands.append(text)
            case .option(let name, let value):
                if try comparison.take(name, value) == .another { try take(name, value) }
            }
        }
        guard request == .run else { return }
        switch kind {
        case .wall: content = run.isIdle && operands.isEmpty ? .media([]) : try WallContent(operands)
        case .comparison: content = try comparison.content(of: operands)
        }
        try run.check(content)
        try log.check()
        try trace.check()
        try wall.check(content)
    }

    private mutating func take(_ name: String, _ value: String) throws(UsageMistake) {
        if try wall.take(name, value) == .taken { return }
        if try window.take(name, value) == .taken { return }
        if try decoding.take(name, value) == .taken { return }
        if try sound.take(name, value) == .taken { return }
        if try run.take(name, value) == .taken { return }
        if try trace.take(name, value) == .taken { return }
        if try log.take(name, value) == .taken { return }
        switch name {
        case "ipc", "input-ipc-server": ipc = value
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

    /// Applies the command line to the layout.
    func apply(to layout: inout Layout) throws(UsageMistake) {
        try wall.apply(to: &layout)
        window.apply(to: &layout)
        decoding.apply(to: &layout)
        sound.apply(to: &layout)
    }
}
