import Base
import Scene

/// Facts of a source that are known before decoding.
public struct SourceFacts: Sendable, Hashable {
    public var kind: Kind
    /// FFmpeg's name of the video's codec, or for sound of the first track's.
    public var codec: String
    /// Size of the upright frame in square pixels: sample aspect and rotation applied, no turn. Empty for sound.
    public var natural = Size(0, 0)
    /// Size of the coded frame, before sample aspect and rotation. Empty for sound.
    public var storage = Size(0, 0)
    /// Length of a video up to the end of its last frame, or duration of a sound. nil if still or live, or if only
    /// decoding would find it.
    public var length: Time?
    public var frames = FrameFacts()
    public var soundTracks: [SoundTrack]
    /// Subtitles in the source, then those in files beside it.
    public var subtitles: [SubtitleTrack] = []
    public var container: ContainerFacts
    public var traits: SourceTraits
    /// Start of the first frame on the container's own timeline, in units of `Time`.
    var origin: Int128 = 0
    /// Time from the start of the sound to the first frame, by their timestamps; 0 if the frame comes first or there is
    /// no sound.
    public var lead = Time.zero

    public typealias Kind = OpenedFacts.Kind

    /// Size of its upright frames in stored pixels.
    public var upright: Size { storage.turned(frames.rotation) }

    /// True if the first frame comes at least half a frame after the start of the sound.
    public var beginsWithSound: Bool { lead * 2 >= frames.rate?.frame ?? .milliseconds(40) }

    /// Returns how far this film is ahead of a reference if frames of equal timestamps belong together: whole frames
    /// for films of one rate.
    public func offset(byTimestampsOf reference: SourceFacts) -> Time {
        let offset = reference.lead - lead
        if let frames = FrameOffset(offset, reference.frames.rate, frames.rate) { return frames.time }
        let frame = [reference.frames.rate, frames.rate].compactMap { $0?.frame }.min() ?? .zero
        return offset.magnitude * 2 < frame ? .zero : offset
    }

    /// True for a CDG: its frames are drawn.
    public var isDrawn: Bool { container.name == CDGFilm.container }

    /// Facts of any sound input, without opening it.
    public static var soundInput: SourceFacts {
        SourceFacts(
            kind: .sound, codec: "pcm_f32le",
            soundTracks: [SoundTrack(language: nil, codec: "pcm_f32le", channels: 2, rate: SoundGrid.rate)],
            container: ContainerFacts(name: "pulse"), traits: SourceTraits(.device, isSeekable: false, live: .captured))
    }
}

/// Facts of a source's video frames.
public struct FrameFacts: Sendable, Hashable {
    public var rate: FrameRate?
    /// True if all frames have the duration of `rate`.
    public var hasEvenRate = false
    /// Shape of a stored pixel; nil if it is square.
    public var sampleAspect: SampleAspect?
    /// Turn that makes stored frames upright.
    public var rotation = Turn.none
    /// Colours that the container and the first packets state, or that were assumed; nil for sound.
    public var colorimetry: SourceColorimetry?
    /// nil if neither container nor codec states it.
    public var fields: FieldOrder?
    public var pixelFormat: String?
    /// Start of each key frame, in media time; nil if the container has no index.
    public var keyFrames: [Time]?
}

/// Facts that a source's container states.
public struct ContainerFacts: Sendable, Hashable {
    /// FFmpeg's name of the format.
    public var name: String
    public var title: String?
    public var artist: String?
    public var album: String?
    /// Bits a second of a film's video, on average; nil if the container does not state them.
    public var bitRate: Int?
    public var chapters: [Chapter] = []
    /// Length of a film's first sound track; nil if there is none or the container does not state it.
    public var soundLength: Time?
    /// True if the index names more than the file contains.
    public var isCutOff = false
    /// Length that the container of a truncated file states; nil if the file is whole.
    public var statedLength: Time?
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

    /// Returns the time from the first frame to the start of frame `index`.
    public func start(of index: Int64) -> Time {
        Time(index, ofUnits: Int64(denominator), over: Int64(numerator))
    }

    /// Duration of one frame.
    public var frame: Time { start(of: 1) }

    /// Returns the number of the frame that starts nearest to `time`.
    public func nearest(to time: Time) -> Int64 {
        let frames = Int128(time.ticks) * Int128(numerator)
        return Int64(clamping: quotient(frames, over: Int128(Time.ticksPerSecond) * Int128(denominator)))
    }
}

extension OpenedFacts {
    /// A sound input is heard as long as its tile plays, wherever the group's clock is.
    public static var soundInput: OpenedFacts {
        var facts = OpenedFacts(SourceFacts.soundInput)
        facts.live = nil
        return facts
    }

    public init(_ facts: SourceFacts) {
        self.init(
            kind: facts.kind, length: facts.length, frameLength: facts.frames.rate?.frame, title: facts.container.title)
        (codec, natural) = (facts.codec, facts.natural)
        (stored, lead) = (facts.storage.turned(facts.frames.rotation), facts.lead)
        (soundTracks, chapters, keyFrames) = (facts.soundTracks, facts.container.chapters, facts.frames.keyFrames)
        (isCutOff, live, origin) = (facts.container.isCutOff, facts.traits.live, facts.origin)
        (statedLength, hasEvenRate) = (facts.container.statedLength, facts.frames.hasEvenRate)
        (bitRate, subtitles) = (facts.container.bitRate, facts.subtitles)
        (artist, album) = (facts.container.artist, facts.container.album)
    }
}

/// An offset between two films of one rate, in frames.
public struct FrameOffset: Sendable, Equatable {
    /// The nearest whole number of frames.
    public let count: Int64
    /// Duration of `count` frames.
    public let time: Time
    /// True if the offset is that number of frames, up to decimal rounding.
    public let isWhole: Bool

    /// Returns nil if the rates differ, or one is unknown.
    public init?(_ offset: Time, _ one: FrameRate?, _ other: FrameRate?) {
        guard let one, let other, one.isLike(other) else { return nil }
        count = one.nearest(to: offset)
        time = one.start(of: count)
        isWhole = (offset - time).magnitude <= one.frame.dueTolerance
    }

    /// Such as "-34 frames".
    public var words: String { "\(count) \(count.magnitude == 1 ? "frame" : "frames")" }
}

extension FrameRate {
    /// 29.97 and 30000/1001 are alike; 24000/1001 and 24 are not.
    public func isLike(_ other: FrameRate) -> Bool {
        let mine = Double(numerator) * Double(other.denominator), its = Double(other.numerator) * Double(denominator)
        return (mine - its).magnitude < mine * 1e-4
    }
}
