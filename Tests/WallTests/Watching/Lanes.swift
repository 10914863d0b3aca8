import Foundation

/// Runs small walls side by side, and a wall that needs the machine for itself when all others are done. Any thread may
/// call any method, which may block.
final class Lanes: @unchecked Sendable {
    enum Lane { case shared, alone }

    static let shared = Lanes()
    /// Number of walls at once. Three small walls take half of two cores.
    private static let count = 3

    private let condition = NSCondition()
    private var inside = 0
    private var waiting = 0
    private var isTaken = false

    func enter(_ lane: Lane) {
        condition.lock()
        defer { condition.unlock() }
        switch lane {
        case .shared:
            waiting += 1
            while isTaken || inside >= Lanes.count { condition.wait() }
            waiting -= 1
            inside += 1
        case .alone:
            while isTaken || inside + waiting > 0 { condition.wait() }
            isTaken = true
        }
    }

    func leave(_ lane: Lane) {
        condition.lock()
        defer { condition.unlock() }
        switch lane {
        case .shared: inside -= 1
        case .alone: isTaken = false
        }
        condition.broadcast()
    }
}

/// Runs each job of a test on a thread of its own, since tests block. The usual executor has one thread per core.
final class Threads: TaskExecutor {
    static let shared = Threads()

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let thread = Thread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        thread.stackSize = 4 << 20
        thread.start()
    }
}
