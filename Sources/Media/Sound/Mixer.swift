import Threads
import WallCore

/// Adds what is heard and holds it to the clock. Any thread may call any method; none waits for anything but another
/// call. Lock order: the mixer before its voices.
///
/// What it made can be made anew, as long as nobody has heard it (`rewind`): so the server may hold much, and a change
/// is heard at once all the same.
public final class Mixer: Sendable {
    private let state = Monitor(State())
    /// How often it remembers how things stood: 10 ms.
    private static let step = 480
    /// How far back it remembers, in samples.
    private static let memory: Int64 = 30_000
    /// A server that has not asked for so long is gone, or the stream rests. In nanoseconds.
    private let silence: Int64

    private struct State {
        var orders: [SoundID: MixChannel.Order] = [:]
        var mix = Mix()
        /// Samples made so far.
        var made: Int64 = 0
        /// When samples were last asked for.
        var askedAt: Int64 = 0
        /// How things stood before the sample of this number was made; oldest first.
        var history: [(sample: Int64, mix: Mix)] = []
    }

    public init(silence: Int64 = 3_000_000_000) { self.silence = silence }

    /// What has become of the stream since the last call.
    public enum Continuity: Sendable { case unbroken, broken }

    /// The next `frames` stereo samples, of which the first will be heard at `heard`, as the stream measures it.
    public func render(
        to target: UnsafeMutablePointer<Float>, frames: Int, heard: Time, _ continuity: Continuity
    ) {
        state.locked { state in
            state.askedAt = monotonicNanoseconds()
            state.mix.settle(heard: heard, continuity)
            var done = 0
            while done < frames {
                let count = min(frames - done, Self.step)
                state.history.append((state.made, state.mix))
                state.mix.make(count, by: state.orders, to: target + done * 2)
                state.made += Int64(count)
                done += count
            }
            state.history.removeFirst(
                state.history.firstIndex { $0.sample >= state.made - Self.memory } ?? state.history.count)
        }
    }

    /// Goes back by at most `frames` samples, to make them anew; answers by how many it went.
    public func rewind(_ frames: Int) -> Int {
        state.locked { state in
            guard let index = state.history.firstIndex(where: { $0.sample >= state.made - Int64(frames) }) else {
                return 0
            }
            let (sample, mix) = state.history[index]
            state.history.removeLast(state.history.count - index)
            defer { (state.made, state.mix) = (sample, mix) }
            return Int(state.made - sample)
        }
    }

    /// A voice takes part from now on, as loud as that. Answers whether that changes anything.
    func set(
        _ id: SoundID, _ voice: Voice, clock: Clock, delay: Time, gain: Float, levels: [SoundLevel] = []
    ) -> Bool {
        let order = MixChannel.Order(voice: voice, clock: clock, delay: delay, gain: gain, levels: levels)
        return state.locked { state in
            defer { state.orders[id] = order }
            return state.orders[id] != order
        }
    }

    /// It fades, and then it is gone; at once where nobody asks for samples. Answers whether that changes anything.
    func remove(_ id: SoundID) -> Bool {
        state.locked { state in
            if monotonicNanoseconds() - state.askedAt > silence { state.mix.drop(id) }
            return state.orders.removeValue(forKey: id) != nil
        }
    }

    func isSilent(_ id: SoundID) -> Bool { state.locked { $0.mix.channels[id]?.isSilent ?? true } }

    /// Whether something of what is to be heard after `now` was made without samples that it should have had.
    func lacks(after now: Time) -> Bool { state.locked { $0.mix.lackedAt > now } }

    /// How far the stream was from the clock lately, and how much faster than real time it is taken.
    public var pace: (error: Time, correction: Double) {
        state.locked { ($0.mix.pace.error, $0.mix.pace.correction) }
    }
}
