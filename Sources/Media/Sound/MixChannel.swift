import Base
import Heard

/// One voice's place in the mix: its gain, and how it comes and goes without a click.
///
/// Belongs to the mixer. At a break in the voice's samples (a pause, a seek, missing samples) the samples that would
/// have followed fade out over the new ones.
struct MixChannel {
    private var order: Order
    /// Absent while the voice supplies nothing.
    private var gain = ChannelGain(at: 0, presence: 0)
    /// Number of the sample after the last one that was mixed; nil after a break.
    private var expected: Int64?
    /// Samples that would have followed the last ones mixed.
    private var tail: [Float] = []
    /// The sound that was broken off, while it fades out.
    private var fadingTail: (samples: [Float], next: Int, fade: Ramp)?
    private static let tailLength = 480

    /// Settings of a channel that come from outside.
    struct Order: Equatable {
        var voice: Voice
        var clock: Clock
        /// Delay of the sound relative to the clock.
        var delay: Time
        var gain: StereoGain
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

    /// True if it made sound in the last block.
    var isHeard: Bool { expected != nil && !gain.isSilent || fadingTail != nil }

    enum Supply { case complete, lacking }

    /// Adds the block that is to be heard at `now`.
    mutating func add(to mix: inout [Float], heardAt now: Time) -> Supply {
        var supply = Supply.complete
        if gain.isSilent {
            (expected, tail) = (nil, [])
            gain.disappear()
        } else {
            supply = play(into: &mix, heardAt: now)
        }
        fadeTail(into: &mix)
        return supply
    }

    private mutating func play(into mix: inout [Float], heardAt now: Time) -> Supply {
        guard order.clock.motion == .running else { return pause(.complete) }
        let sample = sample(heardAt: now)
        if let expected, sample != expected { breakOff() }
        // Holds one block and its tail.
        var buffer = [Float](repeating: 0, count: (Mix.block + MixChannel.tailLength) * 2)
        let available = buffer.withUnsafeMutableBufferPointer {
            order.voice.read(from: sample, Mix.block + MixChannel.tailLength, used: Mix.block, to: $0.baseAddress!)
        }
        guard available >= Mix.block else { return pause(.lacking) }
        gain.appear()
        gain.level.follow(order.levels, at: sample, expected == nil ? .entering : .continuing)
        gain.add(buffer, at: sample, to: &mix)
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

    private mutating func pause(_ supply: Supply) -> Supply {
        breakOff()
        gain.endFadeOut()
        return supply
    }

    private mutating func breakOff() {
        guard expected != nil else { return }
        let samples = gain.scaled(tail)
        if !samples.isEmpty {
            var fade = Ramp(at: 1, length: samples.count / 2)
            fade.turn(to: 0)
            fadingTail = (samples, 0, fade)
        }
        expected = nil
        gain.disappear()
    }

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
