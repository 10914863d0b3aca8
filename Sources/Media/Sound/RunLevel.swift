import Base
import Scene

/// Volume of a voice's runs, applied on top of its gain. A change by hand is a ramp. Where another run begins, the
/// volume changes at once. A value, so that the mixer can go back to a snapshot of it.
struct RunLevel {
    private var ramp = Ramp(at: 1)
    private var levels: [SoundLevel] = []
    /// First sample of the current level.
    private var start: Int64?
    /// First sample of the next level.
    private var end = Int64.max

    enum Manner { case entering, continuing }

    /// Called before a block that begins at `sample`.
    mutating func follow(_ levels: [SoundLevel], at sample: Int64, _ manner: Manner) {
        if levels.isEmpty, self.levels.isEmpty { return }
        self.levels = levels
        if manner == .entering { start = nil }
        enter(sample)
        if manner == .entering { ramp = Ramp(at: ramp.target) }
    }

    private mutating func enter(_ sample: Int64) {
        let present = levels.last { $0.start <= sample } ?? levels.first
        let gain = present?.gain ?? 1
        if let start, let present, start != present.start, gain != ramp.target {
            ramp = Ramp(at: gain)
        } else {
            ramp.turn(to: gain)
        }
        start = present?.start
        end = levels.first { $0.start > sample }?.start ?? .max
    }

    var value: Float { ramp.value }

    /// Factor for this sample, which follows the previous one.
    mutating func next(at sample: Int64) -> Float {
        if sample >= end { enter(sample) }
        return ramp.next()
    }
}
