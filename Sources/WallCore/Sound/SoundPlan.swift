/// The sample grid of everything that is heard: 48,000 a second, which divides the unit of `Time` exactly.
public enum SoundGrid {
    public static let rate = 48_000
    public static let ticksPerSample = Time.ticksPerSecond / Int64(rate)

    /// The sample nearest to `time`.
    public static func sample(at time: Time) -> Int64 {
        let shifted = time.ticks.plus(ticksPerSample / 2)
        return shifted >= 0 ? shifted / ticksPerSample : -((ticksPerSample - 1 - shifted) / ticksPerSample)
    }

    public static func time(of sample: Int64) -> Time { Time(ticks: ticksPerSample) * sample }
}

/// A part of a file's sound with its place in group time.
public struct SoundRun: Sendable, Hashable {
    public var source: String
    public var choice: SoundChoice
    /// Media time, counted from the file's first frame where it has one: what is heard at `start`.
    public var from: Time
    public var start: Time
    /// Group time at which it is cut; nil: not known yet.
    public var end: Time?
    /// Of the item, without the group's.
    public var rate: Rate
    /// The item's own volume, as a factor.
    public var gain: Float
    /// How loud it is in the mix, as a factor that changes while it is heard.
    public var level: Float = 1
    /// Semitones by which it is higher.
    public var key = 0
    public var repetition: Repetition
    /// Where media time begins on the container's own line, in units of `Time`; nil: at the file's beginning.
    public var origin: Int128?
    /// For so long from its start it comes out of the run before it.
    public var fade = Time.zero
    /// It is another file's than the frames'. Where a take's JSON stands beside that, the file lies in the song as it
    /// says.
    public var liesBeside = false
    /// Nothing of it is heard: it is there for what fades into it, or out of it.
    public var isSilent = false

    /// Whether it begins again at its own end.
    public enum Repetition: Sendable { case once, forever }

    public init(
        source: String, choice: SoundChoice = SoundChoice(), from: Time = .zero, start: Time, end: Time? = nil,
        rate: Rate = .one, gain: Float = 1, repetition: Repetition = .once
    ) {
        (self.source, self.choice, self.from, self.start) = (source, choice, from, start)
        (self.end, self.rate, self.gain, self.repetition) = (end, rate, gain, repetition)
    }

    /// The same sound on the same line of time, wherever it is cut.
    public func continues(_ other: SoundRun) -> Bool {
        // What is heard as it is made goes on whatever is played to it.
        if isCaptured { return (source, choice, gain) == (other.source, other.choice, other.gain) }
        var same = other
        (same.end, same.level) = (end, level)
        return self == same
    }

    /// The same sound on the same line of time in another key.
    public func isTransposed(from other: SoundRun) -> Bool {
        var same = other
        same.key = key
        return key != other.key && !isCaptured && continues(same)
    }
}

extension SoundRun {
    /// It is a sound input's: it has no place in time, and no rate.
    public var isCaptured: Bool { !isSilent && DeviceAddress.soundInput(source) != nil }
}

/// Which sound of a file.
public struct SoundChoice: Sendable, Hashable {
    public var track: Track
    public var channel: ItemAudio.Channel

    public enum Track: Sendable, Hashable {
        /// From 1. Where a file has fewer, its last.
        case number(Int)
        case language(String)
    }

    public init(_ track: Track = .number(1), channel: ItemAudio.Channel = .both) {
        (self.track, self.channel) = (track, channel)
    }
}

/// What a feed sounds like: its runs in their order, as far as they are known, and the clock that they lie on.
public struct SoundPlan: Sendable, Equatable {
    public var runs: [SoundRun]
    public var clock: Clock

    public init(runs: [SoundRun], clock: Clock) { (self.runs, self.clock) = (runs, clock) }

    /// All of it so much later on its line, and heard at the same instants.
    func shifted(by change: Time) -> SoundPlan {
        guard change != .zero else { return self }
        var plan = self
        plan.clock.shift(by: change)
        for index in plan.runs.indices {
            plan.runs[index].start += change
            plan.runs[index].end = plan.runs[index].end.map { $0 + change }
        }
        return plan
    }

    // Voice samples: sample `n` is what is heard n/48000 s after the group's zero, at the clock's present rate.

    /// The voice sample for an instant of group time.
    public func sample(at time: Time) -> Int64 { SoundGrid.sample(at: time.lasting(at: clock.rate)) }

    /// The voice sample that is to be heard at an instant of wall time.
    public func sample(heardAt now: Time) -> Int64 { sample(at: clock.position(at: now)) }

    /// What plays at a voice sample. A run's sound ends where the next begins, whatever is thought of its length; where
    /// the seam between them fades, both are heard.
    public func segment(at sample: Int64) -> Segment {
        let starts = runs.map { self.sample(at: $0.start) }
        let next = starts.filter { $0 > sample }.min()
        // Nothing fades into what is silent where nothing is heard.
        let nextHeard = zip(starts, runs).filter { $0 > sample && !$1.isSilent }.map(\.0).min()
        guard let index = starts.lastIndex(where: { $0 <= sample }) else { return .gap(until: nextHeard) }
        if let fade = fade(to: index, starts[index], at: sample) { return .fade(fade) }
        let end = runs[index].end.map { self.sample(at: $0) }
        if runs[index].isSilent || end.map({ $0 <= sample }) ?? false { return .gap(until: nextHeard) }
        return .run(runs[index], start: starts[index], end: [end, next].compactMap { $0 }.min())
    }

    private func fade(to index: Int, _ start: Int64, at sample: Int64) -> Fade? {
        guard index > 0, runs[index].fade > .zero else { return nil }
        let (from, to) = (runs[index - 1], runs[index])
        let end = self.sample(at: to.start + to.fade)
        guard sample < end, from.end.map({ $0 > to.start }) ?? true, !from.isSilent || !to.isSilent else { return nil }
        return Fade(from: from, fromStart: self.sample(at: from.start), to: to, toStart: start, end: end)
    }

    /// Without what is silent where nothing fades into it or out of it.
    var withoutNeedlessSilence: SoundPlan {
        var plan = self
        plan.runs = runs.indices.filter { place in
            !runs[place].isSilent || runs[place].fade > .zero || place + 1 < runs.count && runs[place + 1].fade > .zero
        }.map { runs[$0] }
        return plan
    }

    /// Two runs that are heard together while one comes out of the other. One of them may be silent.
    public struct Fade: Equatable, Sendable {
        public let from: SoundRun
        /// Its first sample.
        public let fromStart: Int64
        public let to: SoundRun
        /// Its first sample, with which the fade begins.
        public let toStart: Int64
        /// The sample past the fade's last.
        public let end: Int64

        /// The same sounds on the same line of time.
        public func continues(_ other: Fade) -> Bool {
            from.continues(other.from) && to.continues(other.to) && (toStart, end) == (other.toStart, other.end)
        }
    }

    public enum Segment: Equatable, Sendable {
        /// The run, and its first sample and the one past its last (nil: not known).
        case run(SoundRun, start: Int64, end: Int64?)
        case fade(Fade)
        /// Silence; nil: nobody knows what comes.
        case gap(until: Int64?)
    }
}
