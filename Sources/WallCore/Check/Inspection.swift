/// What a source turned out to be when all of its packets were read.
public struct SourceInspection: Sendable {
    public var facts: OpenedFacts
    /// Equal where one decoder can go on from one source to the other.
    public var codec: String
    public var codecName: String
    public var startsWithKeyFrame: Bool
    /// The shortest and the longest time from a frame to the next, where they differ by more than rounding.
    public var unevenFrames: ClosedRange<Time>?
    /// Frames a second, as a fraction.
    public var rate: [Int]?
    /// What is wrong with it though it plays.
    public var damages: Set<FilmDamage> = []
    /// By track: where its sound begins and ends, in the time of the frames.
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
        facts: OpenedFacts, codec: String, codecName: String, startsWithKeyFrame: Bool,
        unevenFrames: ClosedRange<Time>? = nil, rate: [Int]? = nil, sounds: [Sound] = []
    ) {
        (self.facts, self.codec, self.codecName, self.rate) = (facts, codec, codecName, rate)
        self.startsWithKeyFrame = startsWithKeyFrame
        (self.unevenFrames, self.sounds) = (unevenFrames, sounds)
    }
}

/// How a stretch of a film begins and ends.
public struct StretchInspection: Sendable {
    public var first: Glance
    /// The one after it; nil: there is none.
    public var second: Glance?
    public var last: Glance
    /// Media time at which the last frame begins.
    public var lastStart: Time
    /// Where the first frame begins that is not black; nil: none soon.
    public var firstLit: Time?
    /// Where the last frame ends that is not black; nil: none near the end.
    public var lastLit: Time?
    /// How its first frame was stored.
    public var coded: CodedTraits?

    public init(
        first: Glance, second: Glance?, last: Glance, lastStart: Time, firstLit: Time?, lastLit: Time?,
        coded: CodedTraits? = nil
    ) {
        (self.first, self.second, self.last, self.lastStart) = (first, second, last, lastStart)
        (self.firstLit, self.lastLit, self.coded) = (firstLit, lastLit, coded)
    }
}

/// All that is known of a layout's sources when its seams are judged.
public struct Inspections: Sendable {
    /// What is not in it can't be played.
    public var sources: [String: SourceInspection] = [:]
    /// Stills and sounds have none.
    public var stretches: [Item.Segment: StretchInspection] = [:]
    public init() {}
}
