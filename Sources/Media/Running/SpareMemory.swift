import Threads

/// Gives the system back what a wall does not need: frames' memory, and what lies free in the heap. The conductor's.
///
/// It looks also while the wall stands still: what is closed and let go then comes back after its last update.
struct SpareMemory {
    private let store: FrameStore
    private var lookedAt = monotonicNanoseconds()

    /// Clips of one frame close thirty decoders a second, and it takes some milliseconds.
    private static let between: Int64 = 5_000_000_000

    init(_ store: FrameStore) { self.store = store }

    /// By the monotonic clock.
    var due: Int64 { lookedAt + Self.between }

    /// If it is time.
    mutating func giveBack() {
        let now = monotonicNanoseconds()
        guard now >= due else { return }
        lookedAt = now
        store.giveBackUnneeded()
        UnusedMemory.giveBack()
    }
}
