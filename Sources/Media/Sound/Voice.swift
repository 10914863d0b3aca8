import Base
import Scene
import Threads

/// One feed's sound: follows its plan and keeps half a second of samples ready while it is heard.
///
/// While it is not heard it decodes nothing. It only keeps the file of the current run open, so that it can be heard at
/// once. Its thread does everything that may block. Any thread may call its methods. Only `fill` and `join` wait.
public final class Voice: Sendable, Equatable {
    private let state = Monitor(State())
    private let wakeCondition: WakeCondition
    private let filledBell: WakeCondition
    private let worker: Worker

    /// Samples that will be heard sooner than this can't be changed any more.
    static let reach = Time.milliseconds(20)

    public enum Demand: Sendable {
        /// The file is open, but nothing is decoded.
        case ready
        case heard
    }

    /// The sound that samples belong to.
    enum Sounding: Equatable {
        case silence
        case run(SoundRun)
        case fade(SoundPlan.Fade)
    }

    struct State {
        var plan: SoundPlan?
        var demand = Demand.ready
        var ring = SampleRing()
        /// Sounds in the ring, by their samples.
        var placed: [(sound: Sounding, start: Int64, end: Int64)] = []
        /// The next sample that will be read.
        var wanted: Int64 = 0
        /// Rises when samples that are being decoded become unwanted.
        var epoch = 0
        var isFilling = true
        /// True if the mixer lacked samples, or would have. `filled` is called when they are there.
        var isAwaited = false
        /// True if all that a live source has sent is decoded.
        var isDry = false
        /// True if samples have come since `hasFilled` returned true.
        var hasGained = false
        var isStopping = false
        var hasEnded = false
        var condition = SoundCondition.unknown
        /// True if another key was wanted and FFmpeg has no filter for it.
        var isUntransposed = false
        /// Old samples at the ring's end, while samples of another sound replace them.
        var seam: SoundSeam?
        /// The same sound in another key, until enough of it is there to replace what the ring holds.
        var replacement: SoundReplacement?
        /// True if the replacement has been made and is not yet reported.
        var hasReplaced = false
        /// Time to the first sample that could still be changed, as of the last `follow`.
        var reach = Time.zero
        /// Run with a file that was opened early.
        var prepared: SoundRun?
        var reading: Deadline?
    }

    /// `filled`: called on the voice's thread when missing samples have come.
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

    /// Sets the plan. `horizon`: wall time of the first sample that can still be changed. Returns true if samples from
    /// there on that were read already are different now.
    func follow(_ plan: SoundPlan, _ demand: Demand, horizon: Time) -> Bool {
        let isOtherwise = state.locked { $0.follow(plan, demand, horizon: horizon) }
        wakeCondition.wake()
        return isOtherwise
    }

    /// Waits until the missing samples are there, at most until `deadline` (CLOCK_MONOTONIC).
    func fill(until deadline: Int64) {
        state.wait(on: filledBell) { state in
            state.isAwaited && monotonicNanoseconds() < deadline ? .again(deadline: deadline) : .done(())
        }
    }

    /// Copies the samples from `sample` on. Returns how many are there. Of these, `used` are taken. They may be read
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

    /// Cancels the thread's work. `join` waits for the end.
    func stop() {
        state.locked { state in
            state.isStopping = true
            state.reading?.cancel()
        }
        wakeCondition.wake()
    }

    func join(within limit: Int64) -> Worker.JoinResult { worker.join(within: limit) }

    /// True if the thread has ended: `join` takes no time.
    var hasEnded: Bool { state.locked { $0.hasEnded } }
}
