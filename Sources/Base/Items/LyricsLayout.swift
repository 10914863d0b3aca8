/// Lyrics over an item's frame.
public enum ItemLyrics: Sendable, Hashable {
    /// The lyrics of the song, if the item is one. Otherwise none.
    case unspecified
    case none
    case shown(LyricsLayout)

    /// File that the item names; nil if it names none.
    public var file: String? {
        if case .shown(let layout) = self, case .file(let path) = layout.source { path } else { nil }
    }
}

/// Source and style of an item's lyrics.
public struct LyricsLayout: Sendable, Hashable {
    public var source = Source.auto
    /// Positive values show the lyrics later.
    public var offset = Time.zero
    /// Height of a line, in percent of the tile's height.
    public var size = 8
    public var color = Color(red: 0xFF, green: 0xFF, blue: 0xFF)
    /// Colour of the part already sung.
    public var sung = Color(red: 0xFF, green: 0xB0, blue: 0x20)
    public var position = Position.bottom
    /// Number of lines shown at a time, for each voice.
    public var lines = 2

    public init() {}

    /// Style of subtitles that have none of their own.
    public static var subtitles: LyricsLayout {
        var layout = LyricsLayout()
        layout.size = 6
        return layout
    }

    public enum Source: Sendable, Hashable {
        /// A lyrics file with the media file's name, or else its first subtitle track.
        case auto
        case file(String)
        /// A subtitle track of the media file, from 1.
        case track(Int)
    }
    public enum Position: String, Sendable, Hashable { case top, middle, bottom }
}
