/// What is to be heard: every sound of a feed that has a seat, with its gain, and the bed.
public struct SoundScene: Sendable, Equatable {
    public var parts: [Part] = []
    public var bed: Part?
    /// So much later than the clocks say it is heard; negative: earlier.
    public var delay = Time.zero
    /// The microphone, where who sings is to hear it.
    public var monitored: Monitored?
    /// What the focused tile plays.
    public var title: String

    public init(title: String) { self.title = title }

    /// A sound input that is heard as soon as it can be.
    public struct Monitored: Sendable, Equatable {
        /// nil: the server's default.
        public var input: String?
        public var gain: Float

        public init(input: String?, gain: Float) { (self.input, self.gain) = (input, gain) }
    }

    public struct Part: Sendable, Equatable {
        public var sound: SoundID
        public var plan: SoundPlan
        /// 0: not heard, but it may be at any time.
        public var gain: Float

        public init(sound: SoundID, plan: SoundPlan, gain: Float) {
            (self.sound, self.plan, self.gain) = (sound, plan, gain)
        }
    }
}

/// A run of a feed, as it may be heard; which sound of it, each tile says.
struct HeardRun {
    let item: Int
    let segment: Item.Segment
    /// In group time.
    private(set) var start: Time
    private(set) var end: Time?
    let rate: Rate
    /// Of what is live: where its media time begins on the container's own line, since another connection begins
    /// elsewhere. nil: at its beginning.
    let origin: Int128?
    /// For so long from its start the run before it is heard with it.
    let fade: Time

    init(item: Int, segment: Item.Segment, start: Time, end: Time?, rate: Rate, origin: Int128?, fade: Time = .zero) {
        (self.item, self.segment, self.start, self.end) = (item, segment, start, end)
        (self.rate, self.origin, self.fade) = (rate, origin, fade)
    }

    mutating func shift(by change: Time) { (start, end) = (start + change, end.map { $0 + change }) }
}
