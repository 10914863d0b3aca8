import Base

/// The kinds of objects in a layout and the keys of each. The names in `groups` are free, so `groups` is not among
/// them.
enum LayoutObject: String, CaseIterable {
    case layout, window, overflow, grid, group, audio, bed, scheduleEntry, breakEntry, tile, item, comparedItem,
        segment, itemAudio, stem, transition, lyrics

    var keys: [String] {
        switch self {
        case .layout:
            [
                "title", "window", "pipelines", "overflow", "quality", "memory", "max-pixels", "hidden",
                "on-screen-errors", "stale-after", "frozen-after", "grid",
                "groups", "audio", "keys", "schedule", "breaks", "tiles",
            ]
        case .window:
            ["size", "position", "display", "fullscreen", "borderless", "background", "input"]
        case .overflow: ["rotate"]
        case .grid: ["columns", "rows", "gap", "margin"]
        case .group: ["loop", "until", "at", "rate"]
        case .audio: ["mode", "focus", "volume", "delay", "bed", "input", "monitor"]
        case .bed: ["src", "volume", "clock"]
        case .scheduleEntry: ["name", "days", "dates", "from", "to", "show", "display", "cec"]
        case .breakEntry: ["name", "every", "at", "after-items", "tiles", "play", "together", "when"]
        case .tile:
            [
                "id", "cell", "span", "rect", "group", "offset", "play", "loop", "fit", "poster", "mute", "volume",
                "label", "pip", "on-error", "transition", "stale-after",
                "frozen-after", "compare", "mode", "gain", "at", "angle",
            ]
        case .item: itemKeys + ["transition", "lyrics", "voice"]
        case .comparedItem: itemKeys + ["offset"]
        case .segment: ["src", "in", "out", "rate"]
        case .itemAudio: ["src", "track", "channel", "offset", "volume", "stems"]
        case .stem: ["name", "src", "offset", "volume", "mute"]
        case .transition: ["fade"]
        case .lyrics: ["src", "track", "offset", "size", "color", "sung", "position", "lines"]
        }
    }

    private var itemKeys: [String] {
        [
            "src", "in", "out", "rate", "repeat", "duration", "segments", "audio", "key", "crop", "turn",
            "flip", "deinterlace", "max-bitrate", "ahead",
        ]
    }

    /// Name in messages.
    var name: String {
        switch self {
        case .layout: "the layout itself"
        case .window: "\"window\""
        case .overflow: "\"overflow\""
        case .grid: "\"grid\""
        case .group: "a group"
        case .audio: "the layout's \"audio\""
        case .bed: "\"audio.bed\""
        case .scheduleEntry: "an entry of \"schedule\""
        case .breakEntry: "a break"
        case .tile: "a tile"
        case .item: "an item of \"play\""
        case .comparedItem: "an item of \"compare\""
        case .segment: "a segment"
        case .itemAudio: "an item's \"audio\""
        case .stem: "a stem"
        case .transition: "a transition"
        case .lyrics: "an item's \"lyrics\""
        }
    }

    /// Names of the objects that have a key, by key.
    private static let homes = allCases.reduce(into: [String: [String]]()) { homes, object in
        // Items of `compare` have the keys of items of `play`.
        for key in object.keys where object != .comparedItem { homes[key, default: []].append(object.name) }
    }

    /// Keys that users may expect under another name, and what would be right instead.
    private static let otherNames: [(object: LayoutObject, keys: Set<String>, right: String)] = [
        (.layout, ["column", "row"], "\"columns\" and \"rows\" in \"grid\""),
        (.layout, ["width", "height"], "\"window\": {\"size\": [width, height]}"),
        (
            .tile, ["column", "row", "columns", "rows"],
            "\"cell\": [column, row], or \"columns\" in the layout's \"grid\","
        ),
        (.tile, ["x", "y", "width", "height", "position", "size"], "\"rect\": [x, y, w, h]"),
        (.tile, ["src", "source", "file", "path", "url", "video"], "\"play\""),
        (.tile, ["title", "name"], "\"id\", or \"label\" for a text on the tile,"),
        (.item, ["source", "file", "path", "url", "play"], "\"src\""),
        (.item, ["start", "end"], "\"in\" or \"out\""), (.item, ["speed"], "\"rate\""),
    ]

    /// True for keys that hold notes for other programs and for people.
    static func isIgnored(_ key: String) -> Bool { key == "$schema" || key.hasPrefix("x-") }

    /// Returns the message for a key that this object does not have.
    func complaint(about key: String) -> String {
        if let other = LayoutObject.otherNames.first(where: { $0.object == self && $0.keys.contains(key) }) {
            return "no such key; \(other.right) would be right"
        }
        if let homes = LayoutObject.homes[key] {
            return "not allowed here; it belongs to \(alternatives(homes)), not to \(name)"
        }
        if let near = nearest(to: key, among: keys) { return "no such key; did you mean \(near.quoted)?" }
        return "no such key; \(name) may have \(alternatives(keys.map(\.quoted)))"
    }
}

/// "a", "a or b", "a, b or c".
func alternatives(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " or " + last
}
