import Threads
import WallCore

/// Work with a source that has a deadline, on a thread of its own: where a file system does not answer, the thread stays
/// behind in the kernel, and who waits does not.
///
/// Started by `init`; `value` is called once, by whoever started it.
public final class TimedTask<Value>: Sendable {
    private let deadline: Deadline
    private let worker: Worker?
    private let refusal: NoThread?
    private let result: Monitor<Result<Handed, SourceTrouble>?>

    /// Made by the errand's thread, and handed over whole.
    private struct Handed: @unchecked Sendable { let value: Value }

    public init(_ work: @escaping @Sendable (Deadline) throws(SourceTrouble) -> Value) {
        let deadline = Deadline(), result = Monitor<Result<Handed, SourceTrouble>?>(nil)
        (self.deadline, self.result) = (deadline, result)
        do throws(NoThread) {
            worker = try Worker("open") {
                let done: Result<Handed, SourceTrouble>
                do throws(SourceTrouble) { done = .success(Handed(value: try work(deadline))) } catch {
                    done = .failure(error)
                }
                result.locked { $0 = done }
            }
            refusal = nil
        } catch {
            (worker, refusal) = (nil, error)
        }
    }

    /// How long a call that its deadline has ended may take to return.
    private static var grace: Int64 { 500_000_000 }
    private static var pause: Int64 { 50_000_000 }

    /// Waits for it, as long as its deadline is not over, and no longer than that many nanoseconds. Meanwhile `look` is
    /// called some times a second.
    public func value(within limit: Int64 = .max, look: () -> Void = {}) throws(SourceTrouble) -> Value {
        guard let worker else { throw SourceTrouble(.unreadable, refusal.map { "\($0)" } ?? "") }
        let began = monotonicNanoseconds()
        var since: Int64?
        while !worker.isBack(within: Self.pause) {
            look()
            let now = monotonicNanoseconds()
            // A source that was closed has cancelled it, and the work goes on.
            since = deadline.isOver && !deadline.isCancelled ? since ?? now : nil
            if now - began < limit {
                guard let since, now - since > Self.grace else { continue }
            }
            deadline.cancel()
            _ = worker.join(within: 0)
            heldThreads.locked { $0 += 1 }
            throw SourceTrouble(.timeout, "no answer in time")
        }
        _ = worker.join()
        return try result.locked { $0! }.get().value
    }
}

/// How many errands were left behind. Such a process is ended by _exit.
private let heldThreads = Monitor(0)
public var hasHeldThreads: Bool { heldThreads.locked { $0 > 0 } }
