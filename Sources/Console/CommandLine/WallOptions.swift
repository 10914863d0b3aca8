import Base
import Layout
import Screen

/// Options that `play`, `render` and `snapshot` share. A value is nil if the option was not given: the layout's holds.
public struct WallOptions: Sendable {
    var size: Size?
    public var focus: String?
    var audioMode: AudioMode?
    public var startsMuted = false
    var volume: Int?
    var isTogether = false
    var isLooped = true
    var givenStart: Time?
    var givenRate: Rate?
    public var start: Time { givenStart ?? .zero }
    public var rate: Rate { givenRate ?? .one }
    var deinterlaces = false
    var toneCurve: ToneMapping.Curve?

    public init() {}

    /// Size of the window or film. `defaultText`: the size without the option, which differs by subcommand.
    public static func size(_ help: String, default defaultText: String) -> Option<WallOptions> {
        Option("size", .size, help, default: defaultText, into: \.size)
    }

    public static let soundOptions: [Option<WallOptions>] = [
        Option("focus", .text("ID", names: .tile), "the tile that is heard", into: \.focus),
        Option(
            "audio-mode", .oneOf(["focus", "mix"]), "hear the focused tile, or every unmuted tile", into: \.audioMode),
        Option(flag: "mute", "begin in silence", sets: \.startsMuted, to: true),
        Option("volume", .whole(0...100, "0..100"), "volume of the whole wall", into: \.volume),
    ]
    public static let together = Option<WallOptions>(
        flag: "together", "media begin each iteration at one instant", sets: \.isTogether, to: true)
    public static let noLoop = Option<WallOptions>(
        flag: "no-loop", "play once, then stay on the last frame", sets: \.isLooped, to: false)
    public static let timeOptions: [Option<WallOptions>] = [
        together, noLoop,
        Option("at", .time(), "begin there: seconds, 1:23.5 or 1:02:03", into: \.givenStart),
        Option("rate", .rate, "rate of playback, from 0.25 to 4", into: \.givenRate),
        Option(
            flag: "deinterlace", "deinterlace marked frames by bwdif (default: as each item states)",
            default: "as each item states", .notAfterHelp, sets: \.deinterlaces, to: true),
        Option(
            "tone-mapping", .oneOf(ToneMapping.Curve.allCases.map(\.rawValue)),
            "how all HDR and wide gamuts are shown; off: their code values", default: "as the layout states",
            into: \.toneCurve),
    ]

    public func check(_ content: WallContent) throws(UsageMistake) {
        if isTogether, case .layout = content {
            throw UsageMistake("--together is for media; in a layout set groups.main.loop: \"together\"")
        }
    }

    /// Returns true if the window gets the shape of the films in it.
    public func leavesSizeToFilms(_ content: WallContent) -> Bool {
        if case .layout = content { false } else { size == nil }
    }

    /// Applies the options to a layout.
    public func apply(to layout: inout Layout) throws(UsageMistake) {
        if let size { layout.window.size = size }
        if let volume { layout.audio.volume = volume }
        if let audioMode { layout.audio.mode = audioMode }
        if let focus {
            guard let tile = layout.tiles.firstIndex(where: { $0.id == focus }) else {
                throw UsageMistake(
                    "--focus \(focus): no tile has that id; there are \(layout.tiles.map(\.id).joined(separator: ", "))"
                )
            }
            layout.audio.focus = tile
        }
        if isTogether {
            for index in layout.groups.indices { layout.groups[index].loop = .together }
        }
        for index in layout.groups.indices {
            if let givenStart { layout.groups[index].at = givenStart }
            if let givenRate { layout.groups[index].rate = givenRate }
        }
        if deinterlaces { layout.deinterlaceMarkedFrames() }
        if let toneCurve { layout.mapTones(by: toneCurve) }
        if !isLooped {
            for index in layout.tiles.indices { layout.tiles[index].loop = .iterations(1) }
            layout.loopOfAdded = .iterations(1)
        }
    }
}

/// Place of the window, and what draws in it. A value is nil if the option was not given: the layout's holds.
public struct WindowOptions: Sendable {
    var position: Point?
    var display: Int?
    public var fullscreen: Fullscreen?
    var isBorderless: Bool?
    public var canvas = CanvasChoice.auto

    public init() {}

    public static let options: [Option<WindowOptions>] = [
        Option("position", .position, "the window's place, from the display's corner", into: \.position),
        Option("display", .whole(0...255, "N", names: .display), "number of the display, from 0", into: \.display),
        Option(flag: "fullscreen", "fill the display", sets: \.fullscreen, to: .on),
        Option(flag: "windowed", "do not fill the display", sets: \.fullscreen, to: .off),
        Option(flag: "borderless", "a window without a frame", sets: \.isBorderless, to: true),
        Option(
            "canvas", .oneOf(["auto", "gpu", "cpu"]), "what draws the frames", default: "auto", .notAfterHelp,
            into: \.canvas),
    ]

    /// Applies the options to a layout.
    public func apply(to layout: inout Layout) {
        if let position { layout.window.position = position }
        if let display { layout.window.display = display }
        if let fullscreen { layout.window.fullscreen = fullscreen }
        if let isBorderless { layout.window.isBorderless = isBorderless }
    }
}
