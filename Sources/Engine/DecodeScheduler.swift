import Base
import Threads

/// Admits as many pipelines at once as there are cores. The pipeline that runs out of frames first goes first.
///
/// Without this scheduler the kernel runs decoders in any order. A decoder that is preempted while it holds the wall's
/// lock delays the screen. Any thread may call the scheduler. A pipeline calls only with its own id.
final class DecodeScheduler: Sendable {
    private let queue: Locked<Queue>
    private let wakeConditions: [WakeCondition]

    /// `places`: number of pipelines that are admitted at once.
    init(pipelines: Int, places: Int = coreCount) {
        queue = Locked(Queue(pipelines: pipelines, places: places))
        wakeConditions = (0..<pipelines).map { _ in WakeCondition() }
    }

    /// Waits until the pipeline is admitted. `due`: time at which the pipeline's frames run out.
    func enter(_ pipeline: Int, due: Time) {
        queue.wait(on: wakeConditions[pipeline]) { queue -> Wait<Void> in
            let now = monotonicNanoseconds()
            if queue.admits(pipeline, due: due, at: now) { return .done(()) }
            return .again(deadline: now + Queue.patience)
        }
    }

    /// Called after each frame. The pipeline stays admitted, or yields to a more urgent one and waits.
    func goOn(_ pipeline: Int, due: Time) {
        switch queue.locked({ $0.goOn(pipeline, due: due, at: monotonicNanoseconds()) }) {
        case .stays: return
        case .leaves(let next):
            if let next { wakeConditions[next].wake() }
            enter(pipeline, due: due)
        }
    }

    func leave(_ pipeline: Int) {
        let next = queue.locked { $0.leave(pipeline, at: monotonicNanoseconds()) }
        if let next { wakeConditions[next].wake() }
    }

    /// The pipelines that are admitted, and those that wait.
    struct Queue {
        private let places: Int
        /// By pipeline: time of its admission or last frame, in nanoseconds; nil while it is not admitted.
        private var inside: [Int64?]
        /// By pipeline: time at which its frames run out; nil while it does not wait.
        private var waiting: [Time?]

        /// Nanoseconds after its last frame at which a pipeline counts as blocked in a read, and its place becomes
        /// free.
        static let patience: Int64 = 25_000_000
        /// A waiting pipeline must be this much more urgent to come first, since a thread switch has a cost.
        static let lead = Time.milliseconds(20)

        init(pipelines: Int, places: Int) {
            self.places = places
            inside = Array(repeating: nil, count: pipelines)
            waiting = Array(repeating: nil, count: pipelines)
        }

        /// Returns true if the pipeline is admitted now. Otherwise it waits in the queue.
        mutating func admits(_ pipeline: Int, due: Time, at now: Int64) -> Bool {
            if inside[pipeline] != nil { return true }
            waiting[pipeline] = due
            guard hasRoom(at: now), first == pipeline else { return false }
            letIn(pipeline, at: now)
            return true
        }

        enum Answer: Equatable {
            case stays
            /// `next` is admitted now and must be woken.
            case leaves(next: Int?)
        }

        mutating func goOn(_ pipeline: Int, due: Time, at now: Int64) -> Answer {
            guard let first, waiting[first]! + Queue.lead < due else {
                inside[pipeline] = now
                return .stays
            }
            return .leaves(next: leave(pipeline, at: now))
        }

        /// Ends the pipeline's admission. Returns the pipeline that is admitted in its place, to be woken.
        mutating func leave(_ pipeline: Int, at now: Int64) -> Int? {
            inside[pipeline] = nil
            // Pipelines that return from a blocking read may exceed the number of places.
            guard hasRoom(at: now), let next = first else { return nil }
            letIn(next, at: now)
            return next
        }

        private func hasRoom(at now: Int64) -> Bool {
            inside.count { $0.map { now - $0 < Queue.patience } ?? false } < places
        }

        private mutating func letIn(_ pipeline: Int, at now: Int64) {
            (waiting[pipeline], inside[pipeline]) = (nil, now)
        }

        /// The most urgent of the waiting pipelines.
        private var first: Int? {
            var best: Int?
            for (pipeline, due) in waiting.enumerated() {
                if let due, best.map({ due < waiting[$0]! }) ?? true { best = pipeline }
            }
            return best
        }
    }
}
