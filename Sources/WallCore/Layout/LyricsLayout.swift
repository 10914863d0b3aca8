/// Which words stand over an item's frame.
public enum ItemLyrics: Sendable, Hashable {
    /// None, but for songs, which have their own.
    case unspecified
    case none
    case shown(LyricsLayout)
}

/// Where an item's words are, and how they look.
public struct LyricsLayout: Sendable, Hashable {
    public var source = Source.auto
    /// Positive: later.
    public var offset = Time.zero
    /// A line's height, in percent of the tile's.
    public var size = 8
    public var color = Color(red: 0xFF, green: 0xFF, blue: 0xFF)
    /// Of what was sung.
    public var sung = Color(red: 0xFF, green: 0xB0, blue: 0x20)
    public var position = Position.bottom
    /// How many there are at a time, of each voice.
    public var lines = 2

    public init() {}

    public enum Source: Sendable, Hashable {
        /// A file of the name of what plays, else its first subtitle track.
        case auto
        case file(String)
        /// A subtitle track of what plays, from 1.
        case track(Int)
    }
    public enum Position: String, Sendable, Hashable { case top, middle, bottom }
}
