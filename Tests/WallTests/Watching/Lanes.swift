import Foundation

/// Runs small walls side by side. When all of them are done, runs the walls that need most of the machine, two at once.
/// Any thread may call any method, which may block.
final class Lanes: @unchecked Sendable {
    /// A wall of which only the state is checked; a wall whose frames and sound must be in time; one that needs most of
    /// the machine for that.
    enum Lane {
        case light, timed, alone

        /// Room that the wall takes.
        var size: Int {
            switch self {
            case .light: 1
            case .timed: 2
            case .alone: 3
            }
        }
    }

    static let shared = Lanes()
    /// Walls mostly wait: six light ones take less than two cores.
    private static let room = 6

    private let condition = NSCondition()
    private var taken = 0
    /// Number of walls that are to run before those that run alone.
    private var small = 0

    func enter(_ lane: Lane) {
        condition.lock()
        defer { condition.unlock() }
        if lane != .alone { small += 1 }
        while taken + lane.size > Lanes.room || lane == .alone && small > 0 { condition.wait() }
        taken += lane.size
    }

    func leave(_ lane: Lane) {
        condition.lock()
        defer { condition.unlock() }
        taken -= lane.size
        if lane != .alone { small -= 1 }
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
