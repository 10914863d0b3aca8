import Glibc
import Threads
import WallCore

/// Lets as many pipelines work at once as there are cores, the one whose frames run out first before all others.
///
/// Left to the scheduler, a crowd of decoders takes turns in any order, and whoever is set aside while it holds the
/// wall's lock holds up the screen. Any thread may call it; each pipeline calls for itself.
final class DecodeScheduler: Sendable {
    private let queue: Monitor<Queue>
    private let wakeConditions: [WakeCondition]

    /// `places`: how many are inside at once.
    init(pipelines: Int, places: Int = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))) {
        queue = Monitor(Queue(pipelines: pipelines, places: places))
        wakeConditions = (0..<pipelines).map { _ in WakeCondition() }
    }

    /// Waits for a place. `due`: when the pipeline's frames run out.
    func enter(_ pipeline: Int, due: Time) {
        queue.wait(on: wakeConditions[pipeline]) { queue -> Wait<Void> in
            let now = monotonicNanoseconds()
            if queue.admits(pipeline, due: due, at: now) { return .done(()) }
            return .again(deadline: now + Queue.patience)
        }
    }

    /// After each frame: stays inside, or lets somebody in who is more urgent, and waits.
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

    /// Who is inside, and who waits.
    struct Queue {
        private let places: Int
        /// By pipeline: since when it is inside, in nanoseconds.
        private var inside: [Int64?]
        /// By pipeline: when it wants to go on, by its urgency.
        private var waiting: [Time?]

        /// Whoever is inside for longer stands in the kernel, for a slow disk, and does not count.
        static let patience: Int64 = 25_000_000
        /// So much more urgent must another be to come first: a change of thread costs something, too.
        static let lead = Time.milliseconds(20)

        init(pipelines: Int, places: Int) {
            self.places = places
            inside = Array(repeating: nil, count: pipelines)
            waiting = Array(repeating: nil, count: pipelines)
        }

        /// Whether it is inside now; else it waits in the queue until it is let in.
        mutating func admits(_ pipeline: Int, due: Time, at now: Int64) -> Bool {
            if inside[pipeline] != nil { return true }
            waiting[pipeline] = due
            guard hasRoom(at: now), first == pipeline else { return false }
            letIn(pipeline, at: now)
            return true
        }

        enum Answer: Equatable {
            case stays
            /// `next` is inside now, and is to be woken.
            case leaves(next: Int?)
        }

        mutating func goOn(_ pipeline: Int, due: Time, at now: Int64) -> Answer {
            guard let first, waiting[first]! + Queue.lead < due else {
                inside[pipeline] = now
                return .stays
            }
            return .leaves(next: leave(pipeline, at: now))
        }

        /// Makes room for whoever is returned, who is inside then and is to be woken.
        mutating func leave(_ pipeline: Int, at now: Int64) -> Int? {
            inside[pipeline] = nil
            // Those who came back from the kernel may be more than there are places.
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

        /// The most urgent of those who wait.
        private var first: Int? {
            var best: Int?
            for (pipeline, due) in waiting.enumerated() {
                if let due, best.map({ due < waiting[$0]! }) ?? true { best = pipeline }
            }
            return best
        }
    }
}
