import WallCore

/// What is known of a source before anything of it is decoded.
public struct SourceFacts: Sendable, Hashable {
    public var kind: Kind
    /// The upright frame in square pixels: sample aspect and rotation applied, no turn. Empty for sound.
    public var natural: Size
    /// As it is stored, before sample aspect and rotation. Empty for sound.
    public var storage: Size
    /// Shape of a stored pixel; nil if it is square.
    public var sampleAspect: SampleAspect?
    /// By how much stored frames are turned to be upright.
    public var rotation = Turn.none
    /// Colours that the container and the first packets name, and colours that were assumed; nil for sound.
    public var colorimetry: SourceColorimetry?
    /// nil if neither container nor codec says it.
    public var fields: FieldOrder?
    public var rate: FrameRate?
    /// Video: to the end of its last frame. Sound: its duration.
    /// Nil: still, live, or not known before it was decoded.
    public var length: Time?
    /// Of a film's first sound track, as its container says; nil: there is none, or that is not known.
    public var soundLength: Time?
    /// FFmpeg's names; the codec is the frame's, or for sound the first track's.
    public var codec: String
    public var container: String
    public var pixelFormat: String?
    /// In bits a second, of the whole file where the container knows it.
    public var bitRate: Int?
    public var title: String?
    public var soundTracks: [SoundTrack]
    public var chapters: [Chapter] = []
    /// When its key frames begin, in media time; nil: its container does not say.
    public var keyFrames: [Time]?
    /// All of its frames last as long as its rate says.
    public var hasEvenRate = false
    /// Its index names more than there is.
    public var isCutOff = false
    /// Length that the container of a truncated file names; nil if the file is whole.
    public var promisedLength: Time?
    public var traits: SourceTraits
    /// Where on its container's own line of time the first frame lies, in units of `Time`.
    var origin: Int128 = 0

    public enum Kind: Sendable, Hashable { case video, still, sound }

    /// A CDG, whose frames are drawn.
    public var isDrawn: Bool { container == CDGFilm.container }

    /// Of any sound input: nothing is asked of it before it is heard.
    public static var soundInput: SourceFacts {
        SourceFacts(
            kind: .sound, natural: Size(0, 0), storage: Size(0, 0), codec: "pcm_f32le", container: "pulse",
            soundTracks: [SoundTrack(language: nil, codec: "pcm_f32le", channels: 2, rate: SoundGrid.rate)],
            traits: SourceTraits(.device, isSeekable: false, live: .captured))
    }
}

/// A pixel's width over its height, as a fraction.
public struct SampleAspect: Sendable, Hashable {
    public var numerator: Int
    public var denominator: Int

    public init(_ numerator: Int, _ denominator: Int) {
        (self.numerator, self.denominator) = (numerator, denominator)
    }

    /// For people and reports: `64:45`.
    public var words: String { "\(numerator):\(denominator)" }
}

/// Frames a second, as a fraction.
public struct FrameRate: Sendable, Hashable {
    public var numerator: Int
    public var denominator: Int

    public init(_ numerator: Int, _ denominator: Int) {
        precondition(numerator > 0 && denominator > 0, "a rate of \(numerator)/\(denominator)")
        (self.numerator, self.denominator) = (numerator, denominator)
    }

    /// From the first frame to the start of frame `index`.
    public func start(of index: Int64) -> Time {
        Time(index, ofUnits: Int64(denominator), over: Int64(numerator))
    }

    /// How long one frame lasts.
    public var frame: Time { start(of: 1) }

    /// The frame whose start is nearest to `time`.
    public func nearest(to time: Time) -> Int64 {
        let frames = Int128(time.ticks) * Int128(numerator)
        let unit = Int128(Time.ticksPerSecond) * Int128(denominator)
        let half = unit / 2
        return Int64(clamping: (frames + (frames < 0 ? -half : half)) / unit)
    }
}
