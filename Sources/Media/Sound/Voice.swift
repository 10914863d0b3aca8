import Threads
import WallCore

/// One feed's sound: follows its plan and keeps half a second of samples ready while it is heard.
///
/// While it is not heard it decodes nothing; it only keeps the file of the present run open, so that it is heard
/// at once when its turn comes. Its thread does all that may block. Any thread may call its methods; they never wait.
public final class Voice: Sendable, Equatable {
    private let state = Monitor(State())
    private let wakeCondition: WakeCondition
    private let filledBell: WakeCondition
    private let worker: Worker

    /// What is heard sooner than this is out of reach.
    static let reach = Time.milliseconds(20)

    public enum Demand: Sendable {
        /// The file is open, nothing more.
        case ready
        case heard
    }

    /// What samples are of.
    enum Sounding: Equatable {
        case silence
        case run(SoundRun)
        case fade(SoundPlan.Fade)
    }

    struct State {
        var plan: SoundPlan?
        var demand = Demand.ready
        var ring = SampleRing()
        /// What lies in the ring, by its samples.
        var placed: [(sound: Sounding, start: Int64, end: Int64)] = []
        /// The next sample that will be asked for.
        var wanted: Int64 = 0
        /// Rises when what is being decoded is not wanted any more.
        var epoch = 0
        var isFilling = true
        /// Whoever listens has lacked samples, or would have: it is said when they are there.
        var isAwaited = false
        /// All that has come of what is live is decoded.
        var isDry = false
        /// Samples have come since that was said.
        var hasGained = false
        var isStopping = false
        var hasEnded = false
        var condition = SoundCondition.unknown
        /// Another key was wanted, and FFmpeg has no filter for it.
        var isUntransposed = false
        /// At the ring's end, while samples of another sound take the place of those that were there.
        var seam: SoundSeam?
        /// The same sound in another key, until enough of it is there to take the place of what the ring holds.
        var replacement: SoundReplacement?
        /// It has taken that place, and nobody was told yet.
        var hasReplaced = false
        /// The first sample that could still be changed lay so far ahead when that was said last.
        var reach = Time.zero
        /// The run whose file was opened early.
        var prepared: SoundRun?
        var reading: Deadline?
    }

    /// `filled` is called on its thread when samples that were lacked are there.
    init(_ name: String, filled: @escaping @Sendable () -> Void = {}) throws(NoThread) {
        let (state, wakeCondition, filledBell) = (state, WakeCondition(), WakeCondition())
        (self.wakeCondition, self.filledBell) = (wakeCondition, filledBell)
        worker = try Worker("voice \(name)", .batch) {
            let hand = VoiceDecoder()
            while let task = state.wait(on: wakeCondition, until: { $0.nextTask() }) {
                hand.work(task, state)
                guard state.locked({ $0.hasFilled() }) else { continue }
                filledBell.wake()
                filled()
            }
            state.locked { $0.hasEnded = true }
        }
    }

    /// The plan as it is now. `horizon` is the wall time of the first sample that can still be changed. Answers whether
    /// something from there on that was asked for already is otherwise now.
    func follow(_ plan: SoundPlan, _ demand: Demand, horizon: Time) -> Bool {
        let isOtherwise = state.locked { $0.follow(plan, demand, horizon: horizon) }
        wakeCondition.wake()
        return isOtherwise
    }

    /// Waits until what is lacked is there, at most until this instant of CLOCK_MONOTONIC.
    func fill(until deadline: Int64) {
        state.wait(on: filledBell) { state in
            state.isAwaited && monotonicNanoseconds() < deadline ? .again(deadline: deadline) : .done(())
        }
    }

    /// Copies samples from `sample` on; answers how many are there. Of those, `used` are taken; they may be asked for
    /// again as long as the ring holds them.
    func read(from sample: Int64, _ count: Int, used: Int, to target: UnsafeMutablePointer<Float>) -> Int {
        let (available, isWanting) = state.locked { state -> (Int, Bool) in
            let available = state.ring.copy(from: sample, count, to: target)
            if available < used { state.isAwaited = true }
            return (available, state.want(sample + (available > 0 ? Int64(used) : 0)))
        }
        if isWanting { wakeCondition.wake() }
        return available
    }

    public static func == (a: Voice, b: Voice) -> Bool { a === b }

    var condition: SoundCondition { state.locked { $0.condition } }
    var isUntransposed: Bool { state.locked { $0.isUntransposed } }

    /// Calls its thread back; `join` waits for it.
    func stop() {
        state.locked { state in
            state.isStopping = true
            state.reading?.cancel()
        }
        wakeCondition.wake()
    }

    func join(within limit: Int64) -> Worker.JoinResult { worker.join(within: limit) }

    /// Its thread is back: joining it takes no time.
    var hasEnded: Bool { state.locked { $0.hasEnded } }
}
