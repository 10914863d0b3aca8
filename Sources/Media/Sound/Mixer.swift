import Base
import Heard
import Threads

/// Adds up the voices and keeps them in step with the clock. Any thread may call any method. A call waits for other
/// calls only. Lock order: the mixer before its voices.
///
/// Samples that were not heard yet can be made again (`rewind`). The server may therefore buffer much, and a change is
/// still heard at once.
///
/// The stream takes 10 ms at a time, and the mixer keeps a snapshot of its state each 10 ms. The speaker's `revise`
/// writes all samples again, except those already taken and 8 ms for the transfer.
public final class Mixer: Sendable {
    private let state = Locked(State())
    /// Distance between snapshots, in samples: 10 ms.
    private static let step = 480
    /// Length of the history, in samples.
    private static let memory: Int64 = 30_000
    /// Time without a request after which the server counts as gone or the stream as resting. In nanoseconds.
    private let silence: Int64

    private struct State {
        var orders: [SoundID: MixChannel.Order] = [:]
        var mix = Mix()
        /// True once all voices fade out for good.
        var isEnding = false
        /// Samples made so far.
        var made: Int64 = 0
        /// Time of the last request for samples, on the monotonic clock.
        var askedAt: Int64 = 0
        /// Snapshots, each with the number of the sample that was made next. Oldest first.
        var history: [(sample: Int64, mix: Mix)] = []
    }

    public init(silence: Int64 = 3_000_000_000) { self.silence = silence }

    /// Makes the next `frames` stereo samples. The first will be heard at `heard`, as the stream measures it.
    public func render(
        to target: UnsafeMutablePointer<Float>, frames: Int, heard: Time, _ continuity: StreamContinuity
    ) {
        state.locked { state in
            state.askedAt = monotonicNanoseconds()
            state.mix.settle(heard: heard, continuity)
            var done = 0
            while done < frames {
                let count = min(frames - done, Self.step)
                state.history.append((state.made, state.mix))
                state.mix.make(count, by: state.isEnding ? [:] : state.orders, to: target + done * 2)
                state.made += Int64(count)
                done += count
            }
            state.history.removeFirst(
                state.history.firstIndex { $0.sample >= state.made - Self.memory } ?? state.history.count)
        }
    }

    /// Goes back by at most `frames` samples, to make them again. Returns the number of samples.
    public func rewind(_ frames: Int) -> Int {
        state.locked { state in
            let earliest = state.made - Int64(frames)
            guard let index = state.history.firstIndex(where: { $0.sample >= earliest }) else { return 0 }
            let (sample, mix) = state.history[index]
            state.history.removeLast(state.history.count - index)
            defer { (state.made, state.mix) = (sample, mix) }
            return Int(state.made - sample)
        }
    }

    /// Adds a voice to the mix, or changes its settings. Returns true if anything changes.
    func set(_ id: SoundID, _ order: MixChannel.Order) -> Bool {
        state.locked { exchange(&$0.orders[id], with: order) != order }
    }

    /// Fades a voice out and removes it, at once if no samples are requested. Returns true if anything changes.
    func remove(_ id: SoundID) -> Bool {
        state.locked { state in
            if monotonicNanoseconds() - state.askedAt > silence { state.mix.channels[id] = nil }
            return state.orders.removeValue(forKey: id) != nil
        }
    }

    /// Fades all voices out for good, from the sample on that is made next. Returns the time until nothing is heard;
    /// nil if nothing is.
    public func end() -> Time? {
        state.locked { state in
            state.isEnding = true
            return state.mix.channels.values.contains(where: \.isHeard) ? Self.fadeOut : nil
        }
    }

    /// Length of a fade-out, with the samples that are ahead of it.
    private static let fadeOut = Time.milliseconds(30)

    func isSilent(_ id: SoundID) -> Bool { state.locked { $0.mix.channels[id]?.isSilent ?? true } }

    /// True if a voice failed to supply samples that are to be heard after `now`.
    func lacks(after now: Time) -> Bool { state.locked { $0.mix.lackedAt > now } }

    /// Recent error of the stream against the clock, and the correction of its speed.
    var pace: Pace { state.locked { $0.mix.pace } }
}

/// The state that determines the next samples, apart from the voices' samples and the orders. A value, so that the
/// mixer can go back to a snapshot of it.
struct Mix {
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
    mutating func settle(heard: Time, _ continuity: StreamContinuity) {
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
