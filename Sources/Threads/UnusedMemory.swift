import CThreads

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
        let wasClosed = wasClosed.locked { wasClosed in
            defer { wasClosed = false }
            return wasClosed
        }
        if wasClosed { qd_give_memory_back() }
    }
}
