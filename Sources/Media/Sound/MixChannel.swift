import WallCore

/// One voice's place in the mix: its gain, and how it comes and goes without a click.
///
/// Belongs to the mixer. Where the voice's line breaks (a pause, a seek, samples that are not there) what was to come
/// is faded out over what comes instead.
struct MixChannel {
    private var order: Order
    private(set) var gain = Ramp(at: 0)
    private var level = RunLevel()
    /// Rises when the voice has something, falls when it has not.
    private var presence = Ramp(at: 0, length: 480)
    /// The sample after the last one that was mixed; nil: nothing was.
    private var expected: Int64?
    /// What would have followed it.
    private var tail: [Float] = []
    private var fadingTail: Fading?
    private static let tailLength = 480

    /// The sound that was broken off, while it fades.
    private struct Fading {
        var samples: [Float]
        var next = 0
        var fade: Ramp
    }

    /// What a channel is told from outside.
    struct Order: Equatable {
        var voice: Voice
        var clock: Clock
        /// Sound is held back by so much.
        var delay: Time
        var gain: Float
        /// Of the voice's runs, beside that.
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
        // One block and its tail.
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

    /// The sample that is due; the one expected, where only rounding differs.
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

    /// What makes no sound has nothing to fade.
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
