import Base
import Layout
import Screen

/// Options of which some change the layout that is played. Where none was given, the layout's values hold.
public protocol LayoutOptions: Sendable {
    /// Changes in the order of the command line.
    var changes: [@Sendable (inout Layout) -> Void] { get set }
}

extension LayoutOptions {
    public mutating func change(_ change: @escaping @Sendable (inout Layout) -> Void) { changes.append(change) }

    public func applyChanges(to layout: inout Layout) { for change in changes { change(&layout) } }
}

extension Option where Target: LayoutOptions {
    /// An option whose value changes the layout. `take` gets each value that is given, in order.
    public init<Value>(
        _ name: String, _ value: OptionValue<Value>, _ help: String,
        layout take: @escaping @Sendable (inout Layout, Value) -> Void
    ) {
        self.init(name, value, help) { options, value in options.change { take(&$0, value) } }
    }
}

/// Options that `play`, `render` and `snapshot` share.
public struct WallOptions: LayoutOptions {
    public var changes: [@Sendable (inout Layout) -> Void] = []
    /// nil if the layout or its films state the size.
    private var size: Size?
    /// Id of the tile that is heard; nil if the layout states it.
    public var focus: String?
    public private(set) var startsMuted = false
    private var isTogether = false
    public private(set) var start = Time.zero
    public private(set) var rate = Rate.one

    public init() {}

    /// Size of the window or film. `defaultText`: the size without the option, which differs by subcommand.
    public static func size(_ help: String, default defaultText: String) -> Option<WallOptions> {
        Option("size", .size, help) { $0.size = $1 }.default(defaultText)
    }

    public static let soundOptions: [Option<WallOptions>] = [
        Option("focus", .text("ID", names: .tile), "the tile that is heard") { $0.focus = $1 },
        Option(
            "audio-mode", .oneOf(["focus", "mix"]), "hear the focused tile, or every unmuted tile",
            layout: { $0.audio.mode = $1 }),
        Option(flag: "mute", "begin in silence") { $0.startsMuted = true },
        Option("volume", .whole(0...100, "0..100"), "volume of the whole wall", layout: { $0.audio.volume = $1 }),
    ]
    public static let together = Option<WallOptions>(flag: "together", "media begin each iteration at one instant") {
        $0.isTogether = true
    }
    public static let noLoop = Option<WallOptions>(flag: "no-loop", "play once, then stay on the last frame") {
        $0.change { layout in
            for index in layout.tiles.indices { layout.tiles[index].loop = .iterations(1) }
            layout.loopOfAdded = .iterations(1)
        }
    }
    public static let timeOptions: [Option<WallOptions>] = [
        together, noLoop,
        Option("at", .time(), "begin there: seconds, 1:23.5 or 1:02:03") { options, start in
            options.start = start
            options.change { layout in for index in layout.groups.indices { layout.groups[index].at = start } }
        },
        Option("rate", .rate, "rate of playback, from 0.25 to 4") { options, rate in
            options.rate = rate
            options.change { layout in for index in layout.groups.indices { layout.groups[index].rate = rate } }
        },
        Option(flag: "deinterlace", "deinterlace marked frames by bwdif (default: as each item states)") {
            $0.change { $0.deinterlaceMarkedFrames() }
        }.default("as each item states", isInHelp: true),
        Option(
            "tone-mapping", .oneOf(ToneMapping.Curve.allCases.map(\.rawValue)),
            "how all HDR and wide gamuts are shown; off: their code values", layout: { $0.mapTones(by: $1) }
        ).default("as the layout states"),
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
        applyChanges(to: &layout)
        if let size { layout.window.size = size }
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
    }
}

/// Place of the window, and what draws in it.
public struct WindowOptions: LayoutOptions {
    public var changes: [@Sendable (inout Layout) -> Void] = []
    public private(set) var canvas = CanvasChoice.auto

    public init() {}

    public static let options: [Option<WindowOptions>] = [
        Option(
            "position", .position, "the window's place, from the display's corner",
            layout: { $0.window.position = $1 }),
        Option(
            "display", .whole(0...255, "N", names: .display), "number of the display, from 0",
            layout: { $0.window.display = $1 }),
        Option(flag: "fullscreen", "fill the display") { $0.change { $0.window.fullscreen = .on } },
        Option(flag: "windowed", "do not fill the display") { $0.change { $0.window.fullscreen = .off } },
        Option(flag: "borderless", "a window without a frame") { $0.change { $0.window.isBorderless = true } },
        Option("canvas", .oneOf(["auto", "gpu", "cpu"]), "what draws the frames") { $0.canvas = $1 }
            .default("auto", isInHelp: true),
    ]
}
