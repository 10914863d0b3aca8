import Base

/// Findings about a source after all its packets were read.
public struct SourceInspection: Sendable {
    public var facts: OpenedFacts
    /// Equal for two sources that one decoder can play in succession.
    public var codec: String
    public var startsWithKeyFrame: Bool
    /// Shortest and longest time from a frame to the next; nil if they differ by no more than rounding.
    public var unevenFrames: ClosedRange<Time>?
    /// Frames a second, as a fraction.
    public var rate: [Int]?
    /// nil for a source without frames.
    public var colours: SourceColorimetry?
    /// Faults of a source that plays all the same.
    public var damages: Set<FilmDamage> = []
    /// Start and end of each sound track, in the time of the frames.
    public var sounds: [Sound]

    public struct Sound: Hashable, Sendable {
        public var start: Time
        public var end: Time
        public var language: String?
        public init(start: Time, end: Time, language: String? = nil) {
            (self.start, self.end, self.language) = (start, end, language)
        }
    }

    public init(
        facts: OpenedFacts, codec: String, startsWithKeyFrame: Bool, unevenFrames: ClosedRange<Time>? = nil,
        rate: [Int]? = nil, sounds: [Sound] = []
    ) {
        (self.facts, self.codec, self.startsWithKeyFrame) = (facts, codec, startsWithKeyFrame)
        (self.unevenFrames, self.rate, self.sounds) = (unevenFrames, rate, sounds)
    }
}

/// The frames at the start and end of a stretch of a film.
public struct StretchInspection: Sendable {
    public var first: Glance
    /// The second frame; nil if there is only one.
    public var second: Glance?
    public var last: Glance
    /// Media time at which the last frame begins.
    public var lastStart: Time
    /// Media time at which the first frame that is not black begins; nil if there is none near the start.
    public var firstLit: Time?
    /// Media time at which the last frame that is not black ends; nil if there is none near the end.
    public var lastLit: Time?
    /// Format in which the first frame is stored.
    public var coded: CodedTraits?

    public init(
        first: Glance, second: Glance?, last: Glance, lastStart: Time, firstLit: Time?, lastLit: Time?,
        coded: CodedTraits? = nil
    ) {
        (self.first, self.second, self.last, self.lastStart) = (first, second, last, lastStart)
        (self.firstLit, self.lastLit, self.coded) = (firstLit, lastLit, coded)
    }
}

/// Findings about all sources of a layout, for judging its seams.
public struct Inspections: Sendable {
    /// Sources by name. One that can't be played is not in it.
    public var sources: [String: SourceInspection] = [:]
    /// Stretches of films. Stills and sounds have none.
    public var stretches: [Item.Segment: StretchInspection] = [:]
    public init() {}
}

/// A coarse view of a frame: its brightness in a small grid.
public struct Glance: Hashable, Sendable {
    /// 0 is black, 255 white.
    public let brightness: [UInt8]

    public init(brightness: [UInt8]) { self.brightness = brightness }

    /// True if nothing can be seen on the frame.
    public var isBlack: Bool { brightness.allSatisfy { $0 < 20 } }

    /// Returns the mean difference, in steps of brightness.
    public func distance(to other: Glance) -> Double {
        let sum = zip(brightness, other.brightness).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        return Double(sum) / Double(max(1, min(brightness.count, other.brightness.count)))
    }
}

/// Result of comparing a frame with the ones before it.
public enum Stillness: Sendable {
    case unknown, same, moved
}
