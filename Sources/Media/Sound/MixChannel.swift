import Base
import Scene

/// One voice's place in the mix: its gain, and how it comes and goes without a click.
///
/// Belongs to the mixer. At a break in the voice's samples (a pause, a seek, missing samples) the samples that would
/// have followed fade out over the new ones.
struct MixChannel {
    private var order: Order
    private(set) var gain = Ramp(at: 0)
    private var level = RunLevel()
    /// Fades in after a break; 0 while the voice supplies nothing.
    private var presence = Ramp(at: 0, length: 480)
    /// Number of the sample after the last one that was mixed; nil after a break.
    private var expected: Int64?
    /// Samples that would have followed the last ones mixed.
    private var tail: [Float] = []
    private var fadingTail: Fading?
    private static let tailLength = 480

    /// The sound that was broken off, while it fades out.
    private struct Fading {
        var samples: [Float]
        var next = 0
        var fade: Ramp
    }

    /// Settings of a channel that come from outside.
    struct Order: Equatable {
        var voice: Voice
        var clock: Clock
        /// Delay of the sound relative to the clock.
        var delay: Time
        var gain: Float
        /// Volumes of the voice's runs, applied on top of `gain`.
        var levels: [SoundLevel] = []
    }

    init(_ order: Order) { self.order = order }

    mutating func follow(_ order: Order) {
        self.order = order
        gain.turn(to: order.gain)
    }

    mutating func fadeOut() { gain.turn(to: 0) }

    var isSilent: Bool { gain.isSilent && fadingTail == nil }

    enum Supply { case complete, lacking }

    /// Adds the block that is to be heard at `now`.
    mutating func add(to mix: inout [Float], heardAt now: Time) -> Supply {
        var supply = Supply.complete
        if gain.isSilent {
            (expected, tail) = (nil, [])
            presence = Ramp(at: 0, length: 480)
        } else {
            supply = play(into: &mix, heardAt: now)
        }
        fadeTail(into: &mix)
        return supply
    }

    private mutating func play(into mix: inout [Float], heardAt now: Time) -> Supply {
        guard order.clock.motion == .running else {
            breakOff()
            endFade()
            return .complete
        }
        let sample = sample(heardAt: now)
        if let expected, sample != expected { breakOff() }
        // Holds one block and its tail.
        var buffer = [Float](repeating: 0, count: (Mix.block + MixChannel.tailLength) * 2)
        let available = buffer.withUnsafeMutableBufferPointer {
            order.voice.read(from: sample, Mix.block + MixChannel.tailLength, used: Mix.block, to: $0.baseAddress!)
        }
        guard available >= Mix.block else {
            breakOff()
            endFade()
            return .lacking
        }
        presence.turn(to: 1)
        level.follow(order.levels, at: sample, expected == nil ? .entering : .continuing)
        for index in 0..<Mix.block {
            let factor = gain.next() * presence.next() * level.next(at: sample + Int64(index))
            mix[index * 2] += buffer[index * 2] * factor
            mix[index * 2 + 1] += buffer[index * 2 + 1] * factor
        }
        expected = sample + Int64(Mix.block)
        tail = Array(buffer[Mix.block * 2..<available * 2])
        return .complete
    }

    /// Returns the sample that is due; the expected one if they differ by rounding only.
    private func sample(heardAt now: Time) -> Int64 {
        let position = order.clock.position(at: now - order.delay)
        let sample = SoundGrid.sample(at: position.lasting(at: order.clock.rate))
        if let expected, abs(sample - expected) <= 1 { return expected }
        return sample
    }

    private mutating func breakOff() {
        guard expected != nil else { return }
        let loudness = gain.value * presence.value * level.value
        if loudness > 0, !tail.isEmpty {
            var fade = Ramp(at: loudness, length: tail.count / 2)
            fade.turn(to: 0)
            fadingTail = Fading(samples: tail, fade: fade)
        }
        expected = nil
        presence = Ramp(at: 0, length: 480)
    }

    /// Ends a fade-out at once: a channel that makes no sound has nothing to fade.
    private mutating func endFade() { if gain.target == 0 { gain = Ramp(at: 0) } }

    private mutating func fadeTail(into mix: inout [Float]) {
        guard var fading = fadingTail else { return }
        let count = min(Mix.block, fading.samples.count / 2 - fading.next)
        for index in 0..<count {
            let factor = fading.fade.next()
            mix[index * 2] += fading.samples[(fading.next + index) * 2] * factor
            mix[index * 2 + 1] += fading.samples[(fading.next + index) * 2 + 1] * factor
        }
        fading.next += count
        fadingTail = fading.next * 2 < fading.samples.count ? fading : nil
    }
}
