public enum ItemAudio: Sendable, Hashable {
    /// Track number from 1.
    case track(Int)
    case language(String)
    case silent
    case other(OtherSound)
    case stems(Stems)

    public struct OtherSound: Sendable, Hashable {
        /// File of the sound; nil means the item's own.
        public var source: String?
        /// Track from 1, or by language; nil means the first.
        public var track: Int?
        public var language: String?
        public var channel = Channel.both
        public var offset = Time.zero
        public var volume = 100
        public init() {}
    }
    public enum Channel: String, Sendable, Hashable { case both, left, right }
}

/// Track and channel of a file's sound.
public struct SoundChoice: Sendable, Hashable {
    public var track: Track
    public var channel: ItemAudio.Channel

    public enum Track: Sendable, Hashable {
        /// Track from 1. If the file has fewer, its last.
        case number(Int)
        case language(String)
    }

    public init(_ track: Track = .number(1), channel: ItemAudio.Channel = .both) {
        (self.track, self.channel) = (track, channel)
    }
}
