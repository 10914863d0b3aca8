import Base
import Glibc
import Media
import Threads

/// Progress of a film on standard error, in a line that is overwritten. Prints nothing if standard error is no
/// terminal. `count` may be an estimate.
public struct ProgressBar {
    private let count: Int64
    private let rate: FrameRate
    private let began = monotonicNanoseconds()
    private var last: Int64 = 0
    private let isTerminal = isatty(2) == 1

    private static let interval: Int64 = 200_000_000
    private static let width: Int64 = 24

    public init(frames count: Int64, rate: FrameRate) { (self.count, self.rate) = (count, rate) }

    public mutating func show(_ done: Int64) {
        guard isTerminal else { return }
        let done = min(done, count)
        let now = monotonicNanoseconds()
        guard now - last >= Self.interval || done == count else { return }
        last = now
        let spent = max(0.001, Double(now - began) / 1e9)
        let speed = rate.start(of: done).seconds / spent
        let left = Int((spent * Double(count - done) / Double(max(1, done))).rounded())
        let filled = Int(Self.width * done / count)
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: Int(Self.width) - filled)
        let time = "\(left / 60):\(left % 60 < 10 ? "0" : "")\(left % 60)"
        write("\r[\(bar)] \(done * 100 / count) %, \(done) of \(count), \(fixed(speed, 2)) x, \(time) left\u{1B}[K")
    }

    public func clear() { if isTerminal, last > 0 { write("\r\u{1B}[K") } }

    private func write(_ text: String) { writeAll(Array(text.utf8), to: 2) }
}
