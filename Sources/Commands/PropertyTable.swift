import Base

/// A property of the wall, for reading and perhaps for setting. The control socket serves the properties of this table.
public struct PropertySpec: Hashable, Sendable {
    public let name: String
    public let concerns: Concern
    public let isSettable: Bool
    public let help: String

    public enum Concern: Hashable, Sendable {
        /// The focused tile by the property's name alone, and any tile as tiles/ID/NAME.
        case tile
        /// A tile as tiles/ID/NAME alone.
        case namedTile
        /// A group as groups/NAME/NAME.
        case group
        case wall
        /// The program around the wall.
        case program
    }

    init(_ name: String, _ concerns: Concern, _ help: String, settable: Bool = false) {
        (self.name, self.concerns, self.help, isSettable) = (name, concerns, help, settable)
    }
}

public enum PropertyTable {
    public static let specs: [PropertySpec] = [
        PropertySpec("pause", .tile, "its group's clock stands", settable: true),
        PropertySpec("speed", .tile, "its group's rate", settable: true),
        PropertySpec("time-pos", .tile, "seconds into its item, of the frame on the screen", settable: true),
        PropertySpec("playback-time", .tile, "the same", settable: true),
        PropertySpec("duration", .tile, "of its item, in seconds"),
        PropertySpec("percent-pos", .tile, "hundredths of its item", settable: true),
        PropertySpec("time-remaining", .tile, "until its item ends, in seconds"),
        PropertySpec("path", .tile, "what it plays"),
        PropertySpec("filename", .tile, "the last part of that"),
        PropertySpec("media-title", .tile, "title in the file, else its name"),
        PropertySpec("playlist", .tile, "its sequence"),
        PropertySpec("playlist-pos", .tile, "its item, from 0; -1: none", settable: true),
        PropertySpec("playlist-count", .tile, "how many items it has"),
        PropertySpec("track-list", .tile, "video and sound of its item"),
        PropertySpec("aid", .tile, "the sound track that is heard, from 1", settable: true),
        PropertySpec("key", .tile, "semitones by which its sound is higher, -12 to 12", settable: true),
        PropertySpec(
            "stems", .tile, "what its sound is made of: name, volume, mute; stems/NAME/volume alone", settable: true),
        PropertySpec("chapter", .tile, "from 0", settable: true),
        PropertySpec("chapter-list", .tile, "of its item's file"),
        PropertySpec("loop-file", .tile, "how often its item is repeated", settable: true),
        PropertySpec("loop-playlist", .tile, "number of iterations", settable: true),
        PropertySpec(
            "ab-loop-a", .tile, "start of its group's A-B loop, in seconds into its item; no", settable: true),
        PropertySpec("ab-loop-b", .tile, "end of that A-B loop", settable: true),
        PropertySpec("eof-reached", .tile, "it stays on its last frame"),
        PropertySpec("seeking", .tile, "its clock waits for frames after a jump"),
        PropertySpec("core-idle", .tile, "its clock does not move"),
        PropertySpec("idle-active", .tile, "it has nothing to play"),
        PropertySpec("width", .tile, "of its frames, upright, in square pixels"),
        PropertySpec("height", .tile, "of its frames"),
        PropertySpec("container-fps", .tile, "frames a second, as its file states"),
        PropertySpec("frame-drop-count", .tile, "frames that were decoded, due and never shown"),
        PropertySpec("decoder-frame-drop-count", .tile, "frames that were due and left out by its decoder"),
        PropertySpec("vo-drop-frame-count", .tile, "frame-drop-count by its former name"),
        PropertySpec("drop-frame-count", .tile, "decoder-frame-drop-count by its former name"),
        PropertySpec("vo-delayed-frame-count", .tile, "frames shown too late"),
        PropertySpec("mistimed-frame-count", .tile, "the same"),
        PropertySpec("psnr-average", .tile, "of its frame to the reference's, in dB, while figures are on"),
        PropertySpec("psnr-y", .tile, "of the luma plane alone"), PropertySpec("psnr-u", .tile, "of U alone"),
        PropertySpec("psnr-v", .tile, "of V alone"),
        PropertySpec("ssim", .tile, "of its frame to the reference's, to 1, while figures are on"),
        PropertySpec("id", .namedTile, "its name"),
        PropertySpec("label", .namedTile, "the text on it"),
        PropertySpec("mute", .namedTile, "it is not heard", settable: true),
        PropertySpec("volume", .namedTile, "0 to 100", settable: true),
        PropertySpec("offset", .namedTile, "seconds ahead of its group", settable: true),
        PropertySpec("presented", .namedTile, "frames that were put on the screen"),
        PropertySpec("missed", .namedTile, "frames that were due and never shown"),
        PropertySpec("late", .namedTile, "frames shown too late"),
        PropertySpec("stalls", .namedTile, "how often it waited for a frame while playing"),
        PropertySpec("trouble", .namedTile, "why it does not play, or null"),
        PropertySpec("seat", .namedTile, "it has a seat: its turn to play"),
        PropertySpec("degraded", .namedTile, "how much is left out: 0 nothing, to 3"),
        PropertySpec("fps", .namedTile, "frames a second, as its file states"),
        PropertySpec("codec", .namedTile, "FFmpeg's name for it"),
        PropertySpec("time-pos", .group, "its clock, in seconds", settable: true),
        PropertySpec("pause", .group, "its clock stands", settable: true),
        PropertySpec("speed", .group, "its rate", settable: true),
        PropertySpec("volume", .wall, "of the wall, 0 to 100", settable: true),
        PropertySpec("volume-max", .wall, "always 100"),
        PropertySpec("mute", .wall, "nothing is heard", settable: true),
        PropertySpec("audio-delay", .wall, "seconds that sound is later than video", settable: true),
        PropertySpec("focus", .wall, "the tile that has it, or none", settable: true),
        PropertySpec("zoomed", .wall, "the tile that fills the wall, or none", settable: true),
        PropertySpec("figures", .wall, "PSNR and SSIM are measured and shown", settable: true),
        PropertySpec("display", .wall, "on, or off where the schedule has switched it off"),
        PropertySpec("recording", .wall, "the tile for which the microphone is recorded, or none"),
        PropertySpec("last-take", .wall, "the last recording's file, or null"),
        PropertySpec("monitor-latency", .wall, "seconds after which a singer hears the microphone, or null"),
        PropertySpec("tiles", .wall, "every tile with its properties"),
        PropertySpec("groups", .wall, "every group with its properties"),
        PropertySpec("health", .wall, "tiles that do not show their due frames, and why"),
        PropertySpec("wall", .wall, "everything as one object"),
        PropertySpec("layout", .program, "the title of the layout that plays"),
        PropertySpec("layout-path", .program, "its file"),
        PropertySpec("fullscreen", .program, "the window fills the display", settable: true),
        PropertySpec("pid", .program, "of this process"),
        PropertySpec("mpv-version", .program, "this program's name and version"),
        PropertySpec("input-bindings", .program, "the keys with their commands, and where they are bound"),
        PropertySpec("command-list", .program, "the commands"),
        PropertySpec("property-list", .program, "the names of all these"),
    ]

    /// Names that need no tile and no group before them.
    public static let names: [String] = {
        let top = specs.filter { $0.concerns != .namedTile && $0.concerns != .group }.map(\.name)
        return top.filter { name in top.firstIndex(of: name).map { top[$0...].contains(name) } ?? false }.sorted()
    }()

    public static func spec(_ name: String, _ concerns: Set<PropertySpec.Concern>) -> PropertySpec? {
        specs.first { $0.name == name && concerns.contains($0.concerns) }
    }

    /// Names of each tile's properties, as tiles/ID/NAME.
    public static let ofTile = specs.filter { $0.concerns == .tile || $0.concerns == .namedTile }.map(\.name)
    public static let ofGroup = specs.filter { $0.concerns == .group }.map(\.name)
}

// Error messages for a property that was refused.
extension PropertyTable {
    /// Description of the values that each settable property takes.
    static let takes: [String: String] = [
        "pause": flag, "mute": flag, "figures": flag, "fullscreen": flag, "volume": "a number from 0 to 100",
        "speed": "a number from 0.25 to 4", "time-pos": time, "playback-time": time, "offset": time,
        "percent-pos": "a number from 0 to 100", "playlist-pos": "an item's number, from 0",
        "aid": "a sound track's number, from 1, auto, or no", "key": "a whole number from -12 to 12",
        "stems": "a list of objects with name, and volume or mute", "chapter": "a chapter's number, from 0",
        "loop-file": "how often it is repeated, inf, or no", "loop-playlist": "number of iterations, inf, or no",
        "ab-loop-a": "seconds into its item, or no", "ab-loop-b": "seconds into its item, or no",
        "audio-delay": "seconds from -1 to 1", "focus": "a tile's id", "zoomed": "a tile's id, or none",
    ]

    private static let flag = "true or false (yes or no)"
    private static let time = "seconds, or a time as 1:23.5"

    public static func notFound(_ name: String, among names: [String], of owner: String) -> String {
        let near = nearest(to: name, among: names).map { "; did you mean \($0.quoted)?" }
        if near == nil, ofTile.contains(name) {
            return "\(owner) has no property \(name.quoted); tiles/ID/\(name) is one"
        }
        return "\(owner) has no property \(name.quoted)\(near ?? "; the property property-list names them")"
    }

    public static func refused(_ name: String) -> String {
        let name = name.hasPrefix("stems/") ? "stems" : name
        let all = specs.filter { $0.name == name }
        if !all.contains(where: \.isSettable) { return "\(name) can only be read" }
        return "\(name) takes \(takes[name] ?? "another value")"
    }
}
