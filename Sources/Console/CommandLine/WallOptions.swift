import Base
import Layout

/// Result for an option: taken, or none of the shared ones.
public enum Taking: Sendable { case taken, another }

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

    public init() {}

    public static let soundSpecs = [
        OptionSpec(name: "focus", value: "ID", help: "the tile that is heard"),
        OptionSpec(name: "audio-mode", value: "focus|mix", help: "hear the focused tile, or every unmuted tile"),
        OptionSpec(name: "mute", value: nil, help: "begin in silence"),
        OptionSpec(name: "volume", value: "0..100", help: "of the whole wall"),
    ]
    public static let timeSpecs = [
        OptionSpec(name: "together", value: nil, help: "media begin each iteration at one instant"),
        OptionSpec(name: "no-loop", value: nil, help: "play once, then stay on the last frame"),
        OptionSpec(name: "at", value: "TIME", help: "begin there: seconds, 1:23.5 or 1:02:03"),
        OptionSpec(name: "rate", value: "R", help: "0.25 to 4"),
        OptionSpec(
            name: "deinterlace", value: nil,
            help: "frames marked as interlaced, by bwdif (default: as each item states)"),
    ]

    public mutating func take(_ name: String, _ value: String) throws(UsageMistake) -> Taking {
        switch name {
        case "size": size = try Values.size(value)
        case "focus": focus = value
        case "audio-mode":
            audioMode = try Values.word(value, "--audio-mode", ["focus", "mix"], AudioMode.init)
        case "mute": startsMuted = true
        case "volume": volume = try Values.whole(value, 0...100, "--volume")
        case "together": isTogether = true
        case "no-loop": isLooped = false
        case "at": givenStart = try Values.time(value, "--at")
        case "rate": givenRate = try Values.rate(value)
        case "deinterlace": deinterlaces = true
        default: return .another
        }
        return .taken
    }

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
        if !isLooped {
            for index in layout.tiles.indices { layout.tiles[index].loop = .iterations(1) }
        }
    }
}
