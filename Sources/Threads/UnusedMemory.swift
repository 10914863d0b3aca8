import CThreads

/// Memory that lies free between pieces that are in use.
///
/// A decoder or a source that is closed leaves thousands of small holes in the heap, which other codecs' pieces do not
/// fit: in months they would add up.
public enum UnusedMemory {
    private static let givenBackAt = Monitor(monotonicNanoseconds())
    /// It takes some milliseconds, and clips of one picture close thirty decoders a second.
    private static let between: Int64 = 5_000_000_000

    /// Called by any thread that has closed a source or a decoder: now and then the system gets back what is free.
    public static func noteClosed() {
        let now = monotonicNanoseconds()
        let isTime = givenBackAt.locked { last in
            guard now - last >= between else { return false }
            last = now
            return true
        }
        if isTime { qd_give_memory_back() }
    }
}
