import Base
import Media
import Threads

/// Work on a source with a deadline, on a thread of its own. If a file system does not answer, that thread stays
/// blocked in the kernel, and the caller goes on.
///
/// Started by `init`. The caller of `init` calls `value` once.
public final class TimedTask<Value>: Sendable {
    private let deadline: Deadline
    private let worker: Result<Worker, NoThread>
    /// Result of the task's thread. That thread does not use the value after it has stored it here.
    private let result: Locked<Result<Value, SourceTrouble>?>

    public init(_ work: @escaping @Sendable (Deadline) throws(SourceTrouble) -> Value) {
        let deadline = Deadline(), result = Locked<Result<Value, SourceTrouble>?>(nil)
        (self.deadline, self.result) = (deadline, result)
        worker = Result { () throws(NoThread) in
            try Worker("open") {
                let done = Result { () throws(SourceTrouble) in try work(deadline) }
                result.locked { $0 = done }
            }
        }
    }

    /// Time that a call may take to return after its deadline, in nanoseconds.
    private static var grace: Int64 { 500_000_000 }
    private static var pause: Int64 { 50_000_000 }

    /// Waits for the result until the deadline is over, at most `limit` nanoseconds. Calls `look` several times a
    /// second meanwhile.
    public func value(within limit: Int64 = .max, look: () -> Void = {}) throws(SourceTrouble) -> Value {
        let worker = try worker.mapError { SourceTrouble(.unreadable, "\($0)") }.get()
        let began = monotonicNanoseconds()
        var since: Int64?
        while !worker.waitForEnd(within: Self.pause) {
            look()
            let now = monotonicNanoseconds()
            // A cancelled deadline belongs to a source that was closed. The work goes on.
            since = deadline.isOver && !deadline.isCancelled ? since ?? now : nil
            if now - began < limit {
                guard let since, now - since > Self.grace else { continue }
            }
            deadline.cancel()
            worker.join(within: 0)
            throw SourceTrouble(.timeout, "no answer in time")
        }
        _ = worker.join()
        return try result.locked { $0! }.get()
    }
}
