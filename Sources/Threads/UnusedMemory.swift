import CThreads

/// Memory that lies free between segments that are in use.
///
/// A decoder or a source that is closed leaves thousands of small holes in the heap, which other codecs' segments do not
/// fit: in months they would add up.
public enum UnusedMemory {
    private static let isThere = Monitor(false)

    /// A source or a decoder was closed. Any thread.
    public static func noteClosed() { isThere.locked { $0 = true } }

    /// The system gets back what is free, if something was closed. Takes some milliseconds.
    public static func giveBack() {
        let isThere = isThere.locked { isThere in
            defer { isThere = false }
            return isThere
        }
        if isThere { qd_give_memory_back() }
    }
}
