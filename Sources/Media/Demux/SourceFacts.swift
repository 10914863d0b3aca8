import Base
import Opened

/// Facts of a source that are known before decoding: those that the player needs, and others.
@dynamicMemberLookup
public struct SourceFacts: Sendable, Hashable {
    public var opened: OpenedFacts
    /// Size of the coded frame, before sample aspect and rotation. Empty for sound.
    public var storage = Size(0, 0)
    public var frames = FrameFacts()
    /// FFmpeg's name of the container's format.
    public var container: String
    /// Length that the container states of a film's first sound track; nil if there is none or it states none.
    public var soundLength: Time?
    public var place: SourceTraits.Place
    /// True if runs can begin anywhere in the source and it can be kept open for another run.
    public var isSeekable: Bool

    /// True if all of the source can be read at once, and repeatedly.
    public var isAtHand: Bool { place == .file && isSeekable }

    public subscript<Value>(dynamicMember path: WritableKeyPath<OpenedFacts, Value>) -> Value {
        get { opened[keyPath: path] }
        set { opened[keyPath: path] = newValue }
    }

    /// True if the first frame comes at least half a frame after the start of the sound.
    public var beginsWithSound: Bool { opened.lead * 2 >= frames.rate?.frame ?? .milliseconds(40) }

    /// Returns how far this film is ahead of a reference if frames of equal timestamps belong together: whole frames
    /// for films of one rate.
    public func offset(byTimestampsOf reference: SourceFacts) -> Time {
        let offset = reference.lead - opened.lead
        if let frames = FrameOffset(offset, reference.frames.rate, frames.rate) { return frames.time }
        let frame = [reference.frames.rate, frames.rate].compactMap { $0?.frame }.min() ?? .zero
        return offset.magnitude * 2 < frame ? .zero : offset
    }

    /// True for a CDG: its frames are drawn.
    public var isDrawn: Bool { container == CDGFilm.container }

    /// Facts of any sound input, without opening it.
    public static var soundInput: SourceFacts {
        var facts = SourceFacts(opened: .soundInput, container: "pulse", place: .device, isSeekable: false)
        facts.live = .captured
        return facts
    }
}

/// Facts of a source's video frames.
public struct FrameFacts: Sendable, Hashable {
    public var rate: FrameRate?
    /// Width of a stored pixel over its height, such as `64:45`; nil if it is square.
    public var sampleAspect: String?
    /// Turn that makes stored frames upright.
    public var rotation = Turn.none
    /// Colours that the container and the first packets state, or that were assumed; nil for sound.
    public var colorimetry: SourceColorimetry?
    /// nil if neither container nor codec states it.
    public var fields: FieldOrder?
    public var pixelFormat: String?
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

    /// 29.97 and 30000/1001 are alike; 24000/1001 and 24 are not.
    public func isLike(_ other: FrameRate) -> Bool {
        let mine = Double(numerator) * Double(other.denominator), its = Double(other.numerator) * Double(denominator)
        return (mine - its).magnitude < mine * 1e-4
    }
}

extension OpenedFacts {
    /// A sound input is heard as long as its tile plays, wherever the group's clock is.
    public static var soundInput: OpenedFacts {
        var facts = OpenedFacts(kind: .sound, length: nil)
        facts.codec = "pcm_f32le"
        facts.soundTracks = [SoundTrack(language: nil, codec: facts.codec, channels: 2, rate: SoundGrid.rate)]
        return facts
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
