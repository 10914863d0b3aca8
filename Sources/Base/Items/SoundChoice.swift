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
