import Threads

/// Until when FFmpeg may block. Any thread may call any method.
///
/// A `Source` arms it before each call that may block, and FFmpeg asks meanwhile (`InputOpening`); whoever wants that call back at once cancels it.
public final class Deadline: Sendable {
    private let state = Monitor(State())

    private struct State {
        /// An instant of CLOCK_MONOTONIC.
        var expires: Int64?
        var isCancelled = false
        var packets = 0
    }

    public init() {}

    /// From now on at most so long.
    public func arm(nanoseconds: Int64) {
        let expires = monotonicNanoseconds() + nanoseconds
        state.locked { $0.expires = expires }
    }

    public func disarm() { state.locked { $0.expires = nil } }

    /// For good: what blocks returns, and whatever is tried later fails.
    public func cancel() { state.locked { $0.isCancelled = true } }

    /// The same, if there is a limit just now.
    func cancelWait() { state.locked { if $0.expires != nil { $0.isCancelled = true } } }

    /// The source was heard of: a packet came.
    func noteData() { state.locked { $0.packets += 1 } }

    /// How many packets came.
    var packets: Int { state.locked { $0.packets } }

    public var isCancelled: Bool { state.locked { $0.isCancelled } }

    var isOver: Bool {
        let (expires, isCancelled) = state.locked { ($0.expires, $0.isCancelled) }
        if isCancelled { return true }
        guard let expires else { return false }
        return monotonicNanoseconds() >= expires
    }
}
