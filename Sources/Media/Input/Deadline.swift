import Threads

/// Time until which FFmpeg may block. Any thread may call any method.
///
/// A `Source` arms it before each call that may block, and FFmpeg polls it meanwhile (`InputOpening`). To interrupt the
/// call at once, another thread cancels the deadline.
public final class Deadline: Sendable {
    private let state = Locked(State())

    private struct State {
        /// Instant of CLOCK_MONOTONIC; nil without a limit.
        var expires: Int64?
        var isCancelled = false
        var packets = 0
    }

    public init() {}

    /// Allows FFmpeg to block for `nanoseconds` from now.
    public func arm(nanoseconds: Int64) {
        let expires = monotonicNanoseconds() + nanoseconds
        state.locked { $0.expires = expires }
    }

    public func disarm() { state.locked { $0.expires = nil } }

    /// Cancels for good: the blocking call returns, and later calls fail.
    public func cancel() { state.locked { $0.isCancelled = true } }

    /// Cancels for good if a limit is set at present.
    public func cancelWait() { state.locked { if $0.expires != nil { $0.isCancelled = true } } }

    /// Counts a packet that arrived.
    func noteData() { state.locked { $0.packets += 1 } }

    /// Number of packets that arrived.
    public var packets: Int { state.locked { $0.packets } }

    public var isCancelled: Bool { state.locked { $0.isCancelled } }

    public var isOver: Bool {
        let (expires, isCancelled) = state.locked { ($0.expires, $0.isCancelled) }
        if isCancelled { return true }
        guard let expires else { return false }
        return monotonicNanoseconds() >= expires
    }
}
