import Foundation

/// Runs walls side by side. Large walls come first, one at a time, with one wall beside each that must be in time, or two
/// light ones. Any thread may call any method, which may block.
final class Lanes: @unchecked Sendable {
    enum Lane {
        /// A wall of which only the state is checked.
        case light
        /// A wall whose frames and sound must be in time.
        case timed
        /// A wall that must be in time and needs most of the machine.
        case large

        /// Room that the wall takes; none for a large wall, which `large` counts.
        var size: Int {
            switch self {
            case .light: 1
            case .timed: 2
            case .large: 0
            }
        }
    }

    static let shared = Lanes()
    /// Walls mostly wait: eight light ones take half of two cores, and four that must be in time a third.
    private static let room = 8
    /// Room beside a large wall.
    private static let besideLarge = 2

    private let condition = NSCondition()
    private var taken = 0
    /// Number of large walls that are to run, and whether one runs.
    private var large = (waiting: 0, runs: false)

    func enter(_ lane: Lane) {
        condition.lock()
        defer { condition.unlock() }
        if lane == .large {
            large.waiting += 1
            while large.runs || taken > Lanes.besideLarge { condition.wait() }
            large = (large.waiting - 1, true)
        } else {
            while taken + lane.size > (large.runs || large.waiting > 0 ? Lanes.besideLarge : Lanes.room) {
                condition.wait()
            }
        }
        taken += lane.size
    }

    func leave(_ lane: Lane) {
        condition.lock()
        defer { condition.unlock() }
        if lane == .large { large.runs = false }
        taken -= lane.size
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
