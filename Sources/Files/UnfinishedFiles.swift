import Glibc
import Threads

/// Temporary files that a sudden end of the program would leave behind. Any thread may call any function.
public enum UnfinishedFiles {
    private static let state = Locked(State())

    private struct State {
        var paths: Set<String> = []
        var isOver = false
    }

    /// Called before the file is made. Does not return once `removeAll` was called: the program is ending.
    public static func begin(_ path: String) {
        let isOver = state.locked { state in
            state.paths.insert(path)
            return state.isOver
        }
        while isOver { pause() }
    }

    /// Called once the file has its final name or is removed.
    public static func end(_ path: String) { state.locked { _ = $0.paths.remove(path) } }

    /// Removes all temporary files before the program ends. May block as long as the file systems do.
    public static func removeAll() {
        let paths = state.locked { state in
            state.isOver = true
            return state.paths
        }
        for path in paths { unlink(path) }
        // Gives a thread that has returned from `begin` the time to make its file, which is then removed too.
        if !paths.isEmpty { Threads.sleep(until: monotonicNanoseconds() + 2_000_000) }
        for path in paths { unlink(path) }
    }
}
