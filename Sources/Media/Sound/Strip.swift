import WallCore

/// One voice's place in the mix: its gain, and how it comes and goes without a click.
///
/// Belongs to the mixer. Where the voice's line breaks (a pause, a seek, samples that are not there) what was to come
/// is faded out over what comes instead.
struct Strip {
    let voice: Voice
    var clock: Clock
    /// Sound is held back by so much.
    var delay: Time
    private(set) var gain = Ramp(at: 0)
    /// Rises when the voice has something, falls when it has not.
    private var presence = Ramp(at: 0, length: 480)
    /// The sample after the last one that was mixed; nil: nothing was.
    private var expected: Int64?
    /// What would have followed it.
    private var tail: [Float] = []
    private var ghost: Ghost?
    /// One block and its tail.
    private var buffer = [Float](repeating: 0, count: (Mixer.block + Strip.tailLength) * 2)
    private static let tailLength = 480

    /// The sound that was broken off, while it fades.
    private struct Ghost {
        var samples: [Float]
        var next = 0
        var fade: Ramp
    }

    init(voice: Voice, clock: Clock, delay: Time) { (self.voice, self.clock, self.delay) = (voice, clock, delay) }

    mutating func turn(to target: Float) { gain.turn(to: target) }

    var isSilent: Bool { gain.isSilent && ghost == nil }

    /// Adds the block that is to be heard at `wall`.
    mutating func add(to mix: inout [Float], heardAt wall: Time) {
        if gain.isSilent {
            (expected, tail) = (nil, [])
            presence = Ramp(at: 0, length: 480)
        } else {
            play(into: &mix, heardAt: wall)
        }
        fadeGhost(into: &mix)
    }

    private mutating func play(into mix: inout [Float], heardAt wall: Time) {
        guard clock.motion == .running, let sample = sample(heardAt: wall) else { return breakOff() }
        if let expected, sample != expected { breakOff() }
        let available = buffer.withUnsafeMutableBufferPointer {
            voice.read(from: sample, Mixer.block + Strip.tailLength, used: Mixer.block, to: $0.baseAddress!)
        }
        guard available >= Mixer.block else { return breakOff() }
        presence.turn(to: 1)
        for index in 0..<Mixer.block {
            let factor = gain.next() * presence.next()
            mix[index * 2] += buffer[index * 2] * factor
            mix[index * 2 + 1] += buffer[index * 2 + 1] * factor
        }
        expected = sample + Int64(Mixer.block)
        tail.removeAll(keepingCapacity: true)
        tail.append(contentsOf: buffer[Mixer.block * 2..<available * 2])
    }

    /// The sample that is due; the one expected, where only rounding differs.
    private func sample(heardAt wall: Time) -> Int64? {
        let sample = SoundGrid.sample(at: clock.position(at: wall - delay).lasting(at: clock.rate))
        if let expected, abs(sample - expected) <= 1 { return expected }
        return sample
    }

    private mutating func breakOff() {
        guard expected != nil else { return }
        let level = gain.value * presence.value
        if level > 0, !tail.isEmpty {
            var fade = Ramp(at: level, length: tail.count / 2)
            fade.turn(to: 0)
            ghost = Ghost(samples: tail, fade: fade)
        }
        expected = nil
        presence = Ramp(at: 0, length: 480)
    }

    private mutating func fadeGhost(into mix: inout [Float]) {
        guard var fading = ghost else { return }
        let count = min(Mixer.block, fading.samples.count / 2 - fading.next)
        for index in 0..<count {
            let factor = fading.fade.next()
            mix[index * 2] += fading.samples[(fading.next + index) * 2] * factor
            mix[index * 2 + 1] += fading.samples[(fading.next + index) * 2 + 1] * factor
        }
        fading.next += count
        ghost = fading.next * 2 < fading.samples.count ? fading : nil
    }
}
