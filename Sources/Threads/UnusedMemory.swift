import CThreads

/// Memory that lies free between pieces that are in use.
///
/// A decoder or a source that is closed leaves thousands of small holes in the heap, which other codecs' pieces do not
/// fit: in months they would add up.
public enum UnusedMemory {
    private static let state = Monitor(State())
    private static let closedBetween = 32
    /// Clips of one picture close thirty decoders a second.
    private static let between: Int64 = 30_000_000_000

    private struct State {
        var closed = 0
        var givenBackAt = monotonicNanoseconds()
    }

    /// Called by any thread that has closed a source or a decoder: now and then the system gets back what is free, which
    /// takes some milliseconds.
    public static func noteClosed() {
        let now = monotonicNanoseconds()
        let isTime = state.locked { state in
            state.closed += 1
            guard state.closed >= closedBetween, now - state.givenBackAt >= between else { return false }
            state = State(closed: 0, givenBackAt: now)
            return true
        }
        if isTime { qd_give_memory_back() }
    }
}
