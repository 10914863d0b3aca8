import Base
import Heard

/// Adds one sound to a mix: its gain on either side, on top of the levels of its runs.
///
/// Gains change without a click. A value, so that the mixer can go back to a snapshot of it.
struct ChannelGain {
    private var left: Ramp
    private var right: Ramp
    var level = RunLevel()
    /// Fades in after a break.
    private var presence: Ramp
    private static let fadeIn = 480

    /// `presence`: 1 for full gain at once, 0 for silence until `appear`.
    init(at gain: StereoGain, presence: Float) {
        (left, right) = (Ramp(at: gain.left), Ramp(at: gain.right))
        self.presence = Ramp(at: presence, length: Self.fadeIn)
    }

    mutating func turn(to gain: StereoGain) {
        left.turn(to: gain.left)
        right.turn(to: gain.right)
    }

    /// True if both sides are silent and stay so until `turn`.
    var isSilent: Bool { left.isSilent && right.isSilent }

    /// Ends a fade-out at once.
    mutating func endFadeOut() { if left.target == 0, right.target == 0 { (left, right) = (Ramp(at: 0), Ramp(at: 0)) } }

    /// Fades in from silence.
    mutating func appear() { presence.turn(to: 1) }

    mutating func disappear() { presence = Ramp(at: 0, length: Self.fadeIn) }

    /// Adds a block of samples that begins at `sample`. Only `available` of them are there; the rest is silent.
    mutating func add(
        _ samples: UnsafePointer<Float>, _ available: Int = Mix.block, at sample: Int64, to mix: inout [Float]
    ) {
        for index in 0..<Mix.block {
            let factor = presence.next() * level.next(at: sample + Int64(index))
            let (left, right) = (left.next() * factor, right.next() * factor)
            guard index < available else { continue }
            mix[index * 2] += samples[index * 2] * left
            mix[index * 2 + 1] += samples[index * 2 + 1] * right
        }
    }

    /// Returns samples at the present gain; none if that is zero.
    func scaled(_ samples: [Float]) -> [Float] {
        let factor = presence.value * level.value
        let (left, right) = (left.value * factor, right.value * factor)
        if left == 0, right == 0 { return [] }
        return samples.indices.map { samples[$0] * ($0 % 2 == 0 ? left : right) }
    }
}

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
