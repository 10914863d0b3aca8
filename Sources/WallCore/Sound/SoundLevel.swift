/// How loud a plan's sound is in the mix from one of its voice samples on, until the next level begins.
public struct SoundLevel: Equatable, Sendable {
    public let start: Int64
    /// As a factor.
    public let gain: Float

    public init(start: Int64, gain: Float) { (self.start, self.gain) = (start, gain) }
}

extension SoundPlan {
    /// Those of its runs, in their order; none where all of them are as loud as they are. Where two are heard together,
    /// both are as loud as the softer one, so that what is muted is not heard.
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
