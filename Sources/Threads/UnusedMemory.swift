import CThreads

/// Memory that lies free between pieces that are in use.
///
/// A decoder or a source that is closed leaves thousands of small holes in the heap, which other codecs' pieces do not
/// fit: in months they would add up.
public enum UnusedMemory {
    private static let state = Monitor(State())
    /// Clips of one picture close thirty decoders a second.
    private static let between: Int64 = 5_000_000_000

    private struct State {
        var isThere = false
        var givenBackAt = monotonicNanoseconds()
    }

    /// A source or a decoder was closed. Any thread.
    public static func noteClosed() { state.locked { $0.isThere = true } }

    /// The system gets back what is free, if something was closed: now and then, since that takes some milliseconds.
    public static func giveBack() {
        let isTime = state.locked { state in
            guard state.isThere, case let now = monotonicNanoseconds(), now - state.givenBackAt >= between else {
                return false
            }
            state = State(isThere: false, givenBackAt: now)
            return true
        }
        if isTime { qd_give_memory_back() }
    }
}
