import Base

/// Properties of a source that was opened. The members of its times are read and set as members of the facts.
@dynamicMemberLookup
public struct OpenedFacts: Sendable, Hashable {
    public var kind: Kind
    public var times = Times()
    public var names = Names()
    /// FFmpeg's name of the video codec; for sound, of the first track's codec.
    public var codec = ""
    /// The whole upright frame in square pixels; empty for sound.
    public var natural = Size(0, 0)
    /// The whole upright frame in stored pixels; empty for sound.
    public var stored = Size(0, 0)
    public var soundTracks: [SoundTrack] = []
    /// Subtitles in the source, then those in files beside it.
    public var subtitles: [SubtitleTrack] = []
    public var chapters: [Chapter] = []
    /// Kind of live source; nil if the source is finite.
    public var live: SourceTraits.Live?

    /// The source's timeline, and the rate of its frames and bits.
    public struct Times: Sendable, Hashable {
        /// Time to the end of its last frame or of its sound; nil if only reading it to the end would show.
        public var length: Time?
        /// Usual duration of a frame; nil if unknown.
        public var frameLength: Time?
        /// True if every frame lasts `frameLength`. If false, `frameLength` is the container's guess.
        public var hasEvenRate = false
        /// Bits a second of a film's video, on average; nil if its container does not state them.
        public var bitRate: Int?
        /// Media times of its key frames, as the container's index lists them; nil if there is no index.
        public var keyFrames: [Time]?
        /// True if its index points past the end of the file.
        public var isCutOff = false
        /// Length that the container of a truncated file states; nil if the file is whole.
        public var statedLength: Time?
        /// Timestamp of the first frame on the container's own timeline, in units of `Time`.
        public var origin: Int128 = 0
        /// Time from the start of its sound to its first frame; 0 if the frame comes first.
        public var lead = Time.zero
    }

    /// Names in the file's metadata.
    public struct Names: Sendable, Hashable {
        public var title: String?
        public var artist: String?
        public var album: String?
    }

    /// Inlinable: other targets read a member without its key path.
    @inlinable public subscript<Value>(dynamicMember member: WritableKeyPath<Times, Value>) -> Value {
        get { times[keyPath: member] }
        set { times[keyPath: member] = newValue }
    }

    public enum Kind: Sendable { case video, still, sound }

    /// True if the connection of the frames passes the sound on. A live source without frames has one for the sound.
    public var passesSoundOn: Bool { kind == .video && live?.comesOnce ?? false }

    /// Returns why no tile can play the source; nil if tiles can. A live source that is pushed or captured needs video.
    public var refusal: SourceTrouble? {
        guard kind == .sound, live == .pushed || live == .captured else { return nil }
        return SourceTrouble(.unsupported, "the live stream has no video; streams without video are not supported")
    }

    public init(kind: Kind, length: Time?, frameLength: Time? = nil, title: String? = nil) {
        self.kind = kind
        (times.length, times.frameLength, names.title) = (length, frameLength, title)
    }
}

/// One audio stream of a source. Its index in the list of tracks is its number minus one.
public struct SoundTrack: Sendable, Hashable {
    /// Language code as the container has it, usually three letters.
    public var language: String?
    /// Title that the container has.
    public var title: String?
    public var codec: String
    public var channels: Int
    /// Samples a second.
    public var rate: Int

    public init(language: String?, title: String? = nil, codec: String, channels: Int, rate: Int) {
        (self.language, self.title, self.codec, self.channels, self.rate) = (language, title, codec, channels, rate)
    }

    /// Words on the track: its title and its language, or else its codec.
    public var words: String {
        let words = [title, language.map { title == nil ? $0 : "(\($0))" }].compactMap { $0 }
        return words.isEmpty ? codec : words.joined(separator: " ").printable
    }
}

/// Subtitles of a source: a stream in it, or a file of the same name beside it.
public struct SubtitleTrack: Sendable, Hashable {
    public var language: String?
    public var title: String?
    /// FFmpeg's name of the codec; for a file, its ending.
    public var codec: String
    public var kind: Kind
    /// File beside the source; nil for a stream in it.
    public var file: String?

    public enum Kind: Sendable { case text, images }

    public init(language: String? = nil, title: String? = nil, codec: String, kind: Kind = .text, file: String? = nil) {
        (self.language, self.title, self.codec, self.kind, self.file) = (language, title, codec, kind, file)
    }
}

/// A named part of a source.
public struct Chapter: Sendable, Hashable {
    /// In media time.
    public var start: Time
    public var title: String?

    public init(start: Time, title: String?) { (self.start, self.title) = (start, title) }
}

extension OpenedFacts {
    /// Length of the next item's frames that the memory holds beside the end of an item.
    private static var shareOfNext: Time { .milliseconds(300) }

    /// Returns the longest possible fade if frames are decoded in this size with this much memory, in bytes.
    public func longestFade(_ size: Size, at rate: Rate, _ memory: Int) -> Time {
        if live != nil { return .zero }
        guard kind == .video else { return Transition.longest }
        let bytes = max(1, size.width * size.height * 3 / 2)
        let length = (times.frameLength ?? .milliseconds(40)).lasting(at: rate)
        let held = length * Int64(min(memory / bytes, 10_000)) - Self.shareOfNext
        return max(.zero, min(held, Transition.longest))
    }
}
