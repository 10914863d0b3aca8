/// The sound to be heard: each sound of a feed that has a seat, with its gain, and the bed.
public struct SoundScene: Sendable, Equatable {
    public var parts: [Part] = []
    public var bed: Part?
    /// Delay of the sound after the clocks; negative if it is ahead.
    public var delay = Time.zero
    /// The microphone that the singer hears; nil if none is monitored.
    public var monitored: Monitored?
    /// Title of what the focused tile plays.
    public var title: String

    public init(title: String) { self.title = title }

    /// A sound input that is heard with the least possible delay.
    public struct Monitored: Sendable, Equatable {
        /// Name of the input; nil means the server's default.
        public var input: String?
        public var gain: Float

        public init(input: String?, gain: Float) { (self.input, self.gain) = (input, gain) }
    }

    public struct Part: Sendable, Equatable {
        public var sound: SoundID
        public var plan: SoundPlan
        /// Zero if it is not heard now, but may be at any time.
        public var gain: Float

        public init(sound: SoundID, plan: SoundPlan, gain: Float) {
            (self.sound, self.plan, self.gain) = (sound, plan, gain)
        }
    }
}

/// A run of a feed that may be heard. Each tile chooses its own sound of it.
struct HeardRun {
    let item: Int
    let segment: Item.Segment
    /// Group time.
    private(set) var start: Time
    private(set) var end: Time?
    let rate: Rate
    /// For live sources, the start of media time on the container's own timeline, since another connection begins
    /// elsewhere; nil means the start.
    let origin: Int128?
    /// Time from its start during which the run before is heard with it.
    let fade: Time

    init(item: Int, segment: Item.Segment, start: Time, end: Time?, rate: Rate, origin: Int128?, fade: Time = .zero) {
        (self.item, self.segment, self.start, self.end) = (item, segment, start, end)
        (self.rate, self.origin, self.fade) = (rate, origin, fade)
    }

    mutating func shift(by change: Time) { (start, end) = (start + change, end.map { $0 + change }) }
}
