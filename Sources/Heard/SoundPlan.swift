import Base

/// A sound track of one opening of a file, a stream or a sound input.
public struct SoundSource: Sendable, Hashable {
    public var location: String
    public var choice: SoundChoice
    /// Start of media time on the container's own timeline, in units of `Time`, which differs between connections to a
    /// live source; nil means the start of the file.
    public var origin: Int128?
    /// True if the connection of the source's frames passes the sound on.
    public var isPassedOn: Bool
    /// True if the sound is in another file than the frames. If the file is a take, its JSON file gives its place in
    /// the song.
    public var isSeparateFile: Bool

    public init(
        _ location: String, _ choice: SoundChoice = SoundChoice(), origin: Int128? = nil, isPassedOn: Bool = false,
        isSeparateFile: Bool = false
    ) {
        (self.location, self.choice, self.origin) = (location, choice, origin)
        (self.isPassedOn, self.isSeparateFile) = (isPassedOn, isSeparateFile)
    }
}

/// A part of a source's sound with its place in group time.
public struct SoundRun: Sendable, Hashable {
    public var source: SoundSource
    /// Media time heard at `start`, counted from the file's first frame, if it has one.
    public var from: Time
    public var start: Time
    /// Group time at which it is cut; nil if unknown.
    public var end: Time?
    /// Rate of the item, without the group's.
    public var rate: Rate
    /// Volume of the item, as a factor.
    public var gain: Float = 1
    /// Level in the mix, as a factor that may change while it is heard.
    public var level: Float = 1
    /// Semitones by which it is raised.
    public var key = 0
    public var repetition: Repetition
    /// Time from its start during which it fades in from the run before.
    public var fade = Time.zero
    /// True for a silent run, which exists only for a fade to or from it.
    public var isSilent = false

    /// Plays once, or starts again at its own end.
    public enum Repetition: Sendable { case once, forever }

    public init(
        source: String, from: Time = .zero, start: Time, end: Time? = nil, rate: Rate = .one,
        repetition: Repetition = .once
    ) {
        (self.source, self.from, self.start, self.end) = (SoundSource(source), from, start, end)
        (self.rate, self.repetition) = (rate, repetition)
    }

    /// True if it is a sound input, which has no position in time and no rate.
    public var isCaptured: Bool { !isSilent && DeviceAddress.soundInput(source.location) != nil }

    /// True if both are the same sound at the same times, apart from where they are cut.
    public func continues(_ other: SoundRun) -> Bool {
        // A captured sound continues, whatever its times.
        if isCaptured {
            return (source.location, source.choice, gain) == (other.source.location, other.source.choice, other.gain)
        }
        var same = other
        (same.end, same.level) = (end, level)
        return self == same
    }

    /// Moves the run in group time.
    public mutating func shift(by change: Time) { (start, end) = (start + change, end.map { $0 + change }) }

    /// True if both are the same sound at the same times in different keys.
    public func isTransposed(from other: SoundRun) -> Bool {
        var same = other
        same.key = key
        return key != other.key && !isCaptured && continues(same)
    }
}

/// The sound of a feed: its runs in order, as far as they are known, and the clock that they follow.
public struct SoundPlan: Sendable, Equatable {
    public var runs: [SoundRun]
    public var clock: Clock

    public init(runs: [SoundRun], clock: Clock) { (self.runs, self.clock) = (runs, clock) }

    /// Returns the plan with all its group times moved by `change`, heard at the same instants.
    public func shifted(by change: Time) -> SoundPlan {
        guard change != .zero else { return self }
        var plan = self
        plan.clock.shift(by: change)
        for index in plan.runs.indices { plan.runs[index].shift(by: change) }
        return plan
    }

    // Voice samples: sample `n` is heard n/48000 s after the group's zero, at the clock's present rate.

    /// Returns the voice sample for an instant of group time.
    public func sample(at time: Time) -> Int64 { SoundGrid.sample(at: time.lasting(at: clock.rate)) }

    /// Returns the voice sample to be heard at an instant of wall time.
    public func sample(heardAt now: Time) -> Int64 { sample(at: clock.position(at: now)) }

    /// Returns the run, fade or gap at a voice sample. The sound of a run ends where the next begins, whatever its
    /// length. While a seam fades, both are heard.
    public func segment(at sample: Int64) -> Segment {
        let starts = runs.map { self.sample(at: $0.start) }
        let next = starts.filter { $0 > sample }.min()
        // A silent run does not end a gap, since nothing is heard to fade from.
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

    /// The plan without silent runs that take part in no fade.
    public var withoutNeedlessSilence: SoundPlan {
        var plan = self
        plan.runs = runs.indices.filter { place in
            !runs[place].isSilent || runs[place].fade > .zero || place + 1 < runs.count && runs[place + 1].fade > .zero
        }.map { runs[$0] }
        return plan
    }

    /// Levels of the runs, in their order; empty if all are 1. While two runs are heard together, both have the lower
    /// level, so that a muted one is not heard.
    public var levels: [SoundLevel] {
        guard runs.contains(where: { $0.level != 1 }) else { return [] }
        var levels: [SoundLevel] = []
        for (place, run) in runs.enumerated() {
            let fade = place > 0 ? run.fade : .zero
            if fade > .zero {
                levels.append(SoundLevel(start: sample(at: run.start), gain: min(run.level, runs[place - 1].level)))
            }
            levels.append(SoundLevel(start: sample(at: run.start + fade), gain: run.level))
        }
        return levels
    }

    /// Two runs that are heard together during a fade. One of them may be silent.
    public struct Fade: Equatable, Sendable {
        public let from: SoundRun
        /// First sample of `from`.
        public let fromStart: Int64
        public let to: SoundRun
        /// First sample of `to`, with which the fade begins.
        public let toStart: Int64
        /// First sample after the fade.
        public let end: Int64

        /// True if both have the same sounds at the same times.
        public func continues(_ other: Fade) -> Bool {
            from.continues(other.from) && to.continues(other.to) && (toStart, end) == (other.toStart, other.end)
        }
    }

    public enum Segment: Equatable, Sendable {
        /// The run, its first sample, and the one after its last (nil if unknown).
        case run(SoundRun, start: Int64, end: Int64?)
        case fade(Fade)
        /// Silence. `until`: nil if the next run is unknown.
        case gap(until: Int64?)
    }
}

/// Volume of a plan's sound in the mix, from a voice sample until the next level begins.
///
/// A stem's volume and mute are applied in the mix, not to the samples of its run. A muted stem is therefore still
/// decoded, and is heard at once when its mute ends.
public struct SoundLevel: Equatable, Sendable {
    public let start: Int64
    /// Volume as a factor.
    public let gain: Float
}
