import Base

/// Volume of a plan's sound in the mix, from a voice sample until the next level begins.
///
/// A stem's volume and mute are applied in the mix, not to the samples of its run. A muted stem is therefore still
/// decoded, and is heard at once when its mute ends.
public struct SoundLevel: Equatable, Sendable {
    public let start: Int64
    /// Volume as a factor.
    public let gain: Float

    public init(start: Int64, gain: Float) { (self.start, self.gain) = (start, gain) }
}

extension SoundPlan {
    /// Levels of the runs, in their order; empty if all are 1. While two runs are heard together, both have the lower
    /// level, so that a muted one is not heard.
    public var levels: [SoundLevel] {
        guard runs.contains(where: { $0.level != 1 }) else { return [] }
        var levels: [SoundLevel] = []
        for (place, run) in runs.enumerated() {
            let start = sample(at: run.start)
            if place > 0, run.fade > .zero {
                levels.append(SoundLevel(start: start, gain: min(run.level, runs[place - 1].level)))
                levels.append(SoundLevel(start: sample(at: run.start + run.fade), gain: run.level))
            } else {
                levels.append(SoundLevel(start: start, gain: run.level))
            }
        }
        return levels
    }
}
