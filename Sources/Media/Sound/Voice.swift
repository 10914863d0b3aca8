import Base
import Heard
import Threads

/// One feed's sound: follows its plan and keeps half a second of samples ready while it is heard.
///
/// A voice that is not heard decodes nothing, and only keeps the file of the current run open, so that the sound can
/// start at once. The voice's thread does everything that may block. Any thread may call its methods. Only `fill` and
/// `join` wait.
public final class Voice: Sendable, Equatable {
    private let state = Locked(VoiceState())
    private let filledBell = WakeCondition()
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

    /// `filled`: called on the voice's thread when missing samples have come.
    init(_ name: String, filled: @escaping @Sendable () -> Void = {}) throws(NoThread) {
        worker = try Worker("voice \(name)", .batch) { [state, filledBell] in
            let hand = VoiceDecoder(state)
            while let task = state.wait(until: { $0.nextTask() }) {
                hand.work(task)
                guard state.locked({ $0.hasFilled() }) else { continue }
                filledBell.wake()
                filled()
            }
        }
    }

    /// Sets the plan. `horizon`: wall time of the first sample that can still be changed. Returns true if samples after
    /// the horizon that were already read are different now.
    func follow(_ plan: SoundPlan, _ demand: Demand, horizon: Time) -> Bool {
        state.change { $0.follow(plan, demand, horizon: horizon) }
    }

    /// Waits until the missing samples are there, at most until `deadline` (CLOCK_MONOTONIC).
    func fill(until deadline: Int64) {
        _ = state.wait(on: filledBell, by: deadline) { $0.supply.isAwaited ? nil : () }
    }

    /// Copies the samples from `sample` on. Returns how many are ready. The next read is expected after the first
    /// `used` of them. Samples may be read again as long as the ring holds them.
    func read(from sample: Int64, _ count: Int, used: Int, to target: UnsafeMutablePointer<Float>) -> Int {
        let (available, isWanting) = state.locked { state -> (Int, Bool) in
            let available = state.samples.copy(from: sample, count, to: target)
            if available < used { state.supply.isAwaited = true }
            return (available, state.want(sample + (available > 0 ? Int64(used) : 0)))
        }
        if isWanting { state.wake() }
        return available
    }

    public static func == (a: Voice, b: Voice) -> Bool { a === b }

    var condition: SoundCondition { state.locked { $0.report.condition } }
    /// Returns the sources whose samples had to be mended, each once.
    func takeMended() -> [String] { state.locked { $0.report.takeMended() } }

    /// Cancels the thread's work. `join` waits for the end.
    func stop() { state.change { $0.stop() } }

    func join(within limit: Int64) -> [String] { worker.join(within: limit) }

    /// True if the thread has ended: `join` takes no time.
    var hasEnded: Bool { worker.waitForEnd(within: 0) }
}
