/// What an opened source turned out to be.
public struct OpenedFacts: Sendable {
    public var kind: Kind
    /// To the end of its last frame (or of its sound); nil: only reading it to the end tells.
    public var length: Time?
    /// How long each frame lasts, where that is always the same.
    public var frameLength: Time?
    /// Whether every frame lasts `frameLength`. If false, `frameLength` is the container's guess.
    public var hasEvenRate = false
    /// As the file says it itself.
    public var title: String?
    /// FFmpeg's name: the frame's, or for sound the first track's.
    public var codec = ""
    /// The whole upright frame in square pixels; empty for sound.
    public var natural = Size(0, 0)
    public var soundTracks: [SoundTrack] = []
    public var chapters: [Chapter] = []
    /// When its key frames begin, in media time, as far as its container says; nil: it does not.
    public var keyFrames: [Time]?

    /// Its index names more than there is.
    public var isCutOff = false
    /// Length that the container of a truncated file names; nil if the file is whole.
    public var promisedLength: Time?

    /// It has no length, and plays what is made now; nil: it is finite.
    public var live: SourceTraits.Live?
    /// Where on its container's own line of time the first frame lies, in units of `Time`.
    public var origin: Int128 = 0

    public enum Kind: Sendable { case video, still, sound }

    /// Why no tile plays it; nil: they do. What is sent is read for its frames: its sound comes with them.
    public var refusal: SourceTrouble? {
        guard kind == .sound, live == .pushed || live == .captured else { return nil }
        return SourceTrouble(.unsupported, "there is no video in it; a stream without video is not played")
    }

    public init(kind: Kind, length: Time?, frameLength: Time? = nil, title: String? = nil) {
        (self.kind, self.length, self.frameLength, self.title) = (kind, length, frameLength, title)
    }
}

/// One sound stream of a source. Its place in `the list of them` is its number, less one.
public struct SoundTrack: Sendable, Hashable {
    /// As the container writes it, mostly three letters.
    public var language: String?
    public var codec: String
    public var channels: Int
    /// Samples a second.
    public var rate: Int

    public init(language: String?, codec: String, channels: Int, rate: Int) {
        (self.language, self.codec, self.channels, self.rate) = (language, codec, channels, rate)
    }
}

/// A part of a source that has a name.
public struct Chapter: Sendable, Hashable {
    /// In media time.
    public var start: Time
    public var title: String?

    public init(start: Time, title: String?) { (self.start, self.title) = (start, title) }
}
