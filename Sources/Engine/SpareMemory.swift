import Media
import Threads

/// Returns memory to the system that a wall does not need: unused frames and free heap. Used by the conductor.
///
/// Works also while the wall has no updates, for memory that is freed after the last update.
///
/// Memory counts as unneeded after 5 s. Memory that closed sources and decoders left is returned, too.
struct SpareMemory {
    private let pool: FrameBufferPool
    private var lookedAt = monotonicNanoseconds()

    /// Least time between two runs, in nanoseconds. Clips of one frame close thirty decoders a second, and a run takes
    /// some milliseconds.
    private static let between: Int64 = 5_000_000_000

    init(_ pool: FrameBufferPool) { self.pool = pool }

    /// Time of the next run, on the monotonic clock.
    var due: Int64 { lookedAt + Self.between }

    /// Returns unneeded memory, if it is time.
    mutating func giveBack() {
        let now = monotonicNanoseconds()
        guard now >= due else { return }
        lookedAt = now
        pool.giveBackUnneeded()
        UnusedMemory.giveBack()
    }
}
