import CThreads
import Glibc

/// A named thread that its owner joins.
///
/// `join` waits until its deadline at most. A worker that has not ended by then is detached: it may be blocked in a
/// system call that can't be interrupted, and the process ends without it, by `_exit`.
public final class Worker: @unchecked Sendable {
    public let name: String
    private let ended = Locked(false)
    private var thread = pthread_t()
    private var isJoined = false

    /// Scheduling of the thread.
    public enum Manner: Sendable {
        case usual
        /// The thread works ahead: when it wakes, it takes no core from a thread that has something due.
        case batch
    }

    /// Starts the thread, which runs `body`. Throws if the system has no memory for the stack or the user has as many
    /// threads as are allowed.
    public init(
        _ name: String, _ manner: Manner = .usual, stackSize: Int = 2 << 20, _ body: @escaping @Sendable () -> Void
    ) throws(NoThread) {
        self.name = name
        let run = Run { [ended] in
            qd_name_thread(name)
            if manner == .batch { becomeBatch() }
            body()
            ended.change { $0 = true }
        }
        let start = Unmanaged.passRetained(run)
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setstacksize(&attributes, stackSize)
        let status = pthread_create(
            &thread, &attributes,
            { run in
                Unmanaged<Run>.fromOpaque(run!).takeRetainedValue().body()
                return nil
            }, start.toOpaque())
        pthread_attr_destroy(&attributes)
        guard status == 0 else {
            start.release()
            isJoined = true
            throw NoThread(name: name, code: status)
        }
    }

    private static let detached = Locked(false)
    /// True if any worker was detached. Its thread still uses memory, so the process must end by `_exit`.
    public static var areAnyDetached: Bool { detached.locked { $0 } }

    /// Waits for the thread's end, at most `limit` nanoseconds. Called once, by the owner. Returns the thread's name if
    /// it has not ended.
    @discardableResult
    public func join(within limit: Int64 = .max) -> [String] {
        let hasEnded = waitForEnd(within: limit)
        isJoined = true
        if hasEnded {
            pthread_join(thread, nil)
            return []
        }
        pthread_detach(thread)
        Self.detached.locked { $0 = true }
        return [name]
    }

    /// Waits for the thread's end, at most `limit` nanoseconds. The owner still has to call `join`.
    public func waitForEnd(within limit: Int64) -> Bool {
        let deadline = limit == .max ? limit : monotonicNanoseconds() + limit
        return ended.wait(by: deadline) { $0 ? true : nil } ?? false
    }

    deinit { precondition(isJoined, "the thread \(name) was never joined") }
}

/// Thrown if the system starts no further thread.
///
/// If a thread can't be started, only its feature is missing. Without a thread for signals, ending, the event log, the
/// conductor and at least one pipeline, the program ends with status 1.
public struct NoThread: Error, CustomStringConvertible {
    public let name: String
    let code: Int32

    public init(name: String, code: Int32) { (self.name, self.code) = (name, code) }

    public var description: String { "no thread could be started for \(name): \(String(cString: strerror(code)))" }
}

/// Niceness added to a batch thread. On a busy core every other thread gets three times its share.
private let stepBack: Int32 = 5

private func becomeBatch() {
    var parameters = sched_param()
    _ = pthread_setschedparam(pthread_self(), qd_SCHED_BATCH, &parameters)
    qd_step_back(stepBack)
}

private final class Run {
    let body: () -> Void

    init(_ body: @escaping () -> Void) { self.body = body }
}

/// The processor time that the calling thread has used, in nanoseconds.
public func threadNanoseconds() -> Int64 { nanoseconds(of: CLOCK_THREAD_CPUTIME_ID) }

/// The processor time that all threads of the program have used, in nanoseconds.
public func processNanoseconds() -> Int64 { nanoseconds(of: CLOCK_PROCESS_CPUTIME_ID) }

/// Number of processor cores of the machine.
public var coreCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

/// Makes all threads share two heaps. If each thread had its own heap, the memory of an ended thread would never be
/// freed.
/// Large blocks are mapped one by one and returned whole, so that the heaps do not grow around them.
/// Called once, before other threads start.
public func shareMemoryBetweenThreads() { qd_hold_memory_together(2, 64 << 10) }

/// Free memory between blocks that are in use.
///
/// A closed decoder or source leaves thousands of small holes in the heap, which other codecs' blocks do not fit. Over
/// months, these holes would add up.
public enum UnusedMemory {
    private static let wasClosed = Locked(false)

    /// Called when a source or a decoder was closed. Any thread.
    public static func noteClosed() { wasClosed.locked { $0 = true } }

    /// Returns free memory to the system if something was closed since the last call. Takes some milliseconds.
    public static func giveBack() {
        if wasClosed.locked({ exchange(&$0, with: false) }) { qd_give_memory_back() }
    }
}
