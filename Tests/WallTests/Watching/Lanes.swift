import Foundation

/// Runs walls side by side. Large walls come first, one at a time: each with one wall beside it that must be in time, or
/// two light ones, or with none. Any thread may call any method, which may block.
final class Lanes: @unchecked Sendable {
    enum Lane {
        /// A wall of which only the state is checked.
        case light
        /// A wall whose frames and sound must be in time.
        case timed
        /// A wall that must be in time and needs most of the machine.
        case large
        /// A large wall that a frame of another wall can make late.
        case alone

        /// Room that the wall takes; none for a large wall, which `large` counts.
        var size: Int {
            switch self {
            case .light: 1
            case .timed: 2
            case .large, .alone: 0
            }
        }
    }

    static let shared = Lanes()
    /// Walls mostly wait. With more room, walls were late by tenths of a second while tests beside them computed.
    private static let room = 6
    /// Room beside a large wall.
    private static let besideLarge = 2

    private let condition = NSCondition()
    private var taken = 0
    /// Number of large walls that are to run, and of those among them that run alone.
    private var waiting = (large: 0, alone: 0)
    /// The large wall that runs; nil if none does.
    private var large: Lane?

    func enter(_ lane: Lane) {
        condition.lock()
        defer { condition.unlock() }
        if lane == .large || lane == .alone {
            wait(for: lane, 1)
            while large != nil || taken > (lane == .alone ? 0 : Lanes.besideLarge) { condition.wait() }
            wait(for: lane, -1)
            large = lane
        } else {
            while taken + lane.size > room { condition.wait() }
        }
        taken += lane.size
    }

    private func wait(for lane: Lane, _ change: Int) {
        waiting.large += change
        if lane == .alone { waiting.alone += change }
    }

    /// Room for walls that are not large.
    private var room: Int {
        if large == .alone || waiting.alone > 0 { return 0 }
        return large != nil || waiting.large > 0 ? Lanes.besideLarge : Lanes.room
    }

    func leave(_ lane: Lane) {
        condition.lock()
        defer { condition.unlock() }
        if large == lane { large = nil }
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
