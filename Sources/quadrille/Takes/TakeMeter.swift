import Scene
import Threads

/// The level of the microphone of a recording, as often as a change of it can be seen. Used only by the recorder's
/// thread.
struct TakeMeter {
    private var shown: InputLevel?
    private var nextReport: Int64 = 0

    /// Time after which an unchanged level is reported again, in nanoseconds.
    private static let interval: Int64 = 500_000_000

    /// Returns the greatest sample of the blocks; nil if the wall need not know it.
    mutating func peak(of blocks: [TakeRecorder.Block]) -> Float? {
        if blocks.isEmpty { return nil }
        let peak = blocks.reduce(Float(0)) { peak, block in
            block.samples.reduce(peak) { $1.isFinite ? max($0, $1.magnitude) : $0 }
        }
        let level = InputLevel(peak: peak), now = monotonicNanoseconds()
        guard level != shown || now >= nextReport else { return nil }
        (shown, nextReport) = (level, now + Self.interval)
        return peak
    }
}
