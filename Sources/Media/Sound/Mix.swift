import Base

/// The state that determines the next samples, apart from the voices' samples and the orders. A value, so that the
/// mixer can go back to a snapshot of it.
public struct Mix {
    /// Samples in a block: 2 ms. Gains and clock are updated once a block.
    static let block = 96

    var channels: [SoundID: MixChannel] = [:]
    private(set) var pace = Pace()
    /// Wall time of the last sample that a voice should have supplied and did not.
    private(set) var lackedAt = Time.zero
    private var resampler = Resampler()
    private var limiter = Limiter(first: [Float](repeating: 0, count: block * 2))
    /// Wall time at which the sample that is mixed next will be heard; nil until samples were requested.
    private var horizon: Time?

    /// The next sample will be heard at `heard`, as the stream measures it.
    mutating func settle(heard: Time, _ continuity: Mixer.Continuity) {
        if continuity == .broken || horizon == nil { pace.lose() }
        // Samples that are made already will be heard before the horizon: the limiter's block, and the resampler's
        // pending samples.
        let made = Int64((resampler.pending * Double(SoundGrid.ticksPerSample)).rounded())
        let ahead = Time(ticks: made) + SoundGrid.time(of: Int64(Self.block))
        if let jump = pace.measure(position: (horizon ?? heard) - ahead, heard: heard) { horizon = jump + ahead }
    }

    /// Makes the next `frames` stereo samples by the current orders.
    mutating func make(_ frames: Int, by orders: [SoundID: MixChannel.Order], to target: UnsafeMutablePointer<Float>) {
        for (id, order) in orders {
            channels[id, default: MixChannel(order)].follow(order)
        }
        for id in channels.keys where orders[id] == nil {
            channels[id]?.fadeOut()
            if channels[id]?.isSilent ?? true { channels[id] = nil }
        }
        let speed = 1 + pace.correction
        while resampler.missing(for: frames, at: speed) > 0 { mixBlock() }
        resampler.take(frames, at: speed, to: target)
    }

    private mutating func mixBlock() {
        guard let now = horizon else { return }
        var mix = [Float](repeating: 0, count: Self.block * 2)
        for id in channels.keys where channels[id]?.add(to: &mix, heardAt: now) == .lacking { lackedAt = now }
        horizon = now + SoundGrid.time(of: Int64(Self.block))
        resampler.append(limiter.limit(mix))
    }
}
