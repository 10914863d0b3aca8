import Base
import Glibc
import Media
import Threads

/// Progress of long work on standard error, in a line that is overwritten.
///
/// Prints nothing if standard error is no terminal, and nothing in the first second. `printLine` and `printOutput`
/// remove the line before they print. Belongs to one thread.
public struct ProgressBar {
    private let total: Int64
    private let unit: ProgressUnit
    private let began = monotonicNanoseconds()
    private var last: Int64 = 0
    private let isTerminal = isatty(2) == 1

    private static let delay: Int64 = 1_000_000_000
    private static let interval: Int64 = 200_000_000
    /// Columns of a terminal that does not tell its width.
    private static let usualColumns = 80

    /// `total` may be an estimate. Nothing is printed if it is 0.
    public init(total: Int64, _ unit: ProgressUnit) { (self.total, self.unit) = (total, unit) }

    /// Prints how much is done. Cheap enough to be called for each frame.
    public mutating func show(_ done: Int64) {
        guard isTerminal, total > 0 else { return }
        let now = monotonicNanoseconds()
        guard now - began >= Self.delay, now - last >= Self.interval else { return }
        last = now
        let columns = Self.columns, lines = lines(min(max(0, done), total), spent: Double(now - began) / 1e9)
        // The last column stays empty: a cursor behind it may be on the next line.
        guard let line = lines.first(where: { $0.count < columns }) else { return }
        Self.isShown.locked { $0 = true }
        writeAll(Array("\r\(line)\u{1B}[K".utf8), to: 2)
    }

    /// True while the line is on the terminal. Any thread may read it and change it.
    private static let isShown = Locked(false)

    /// Bytes to write before other text, which remove the line; empty if there is none.
    static func takeRemoval() -> [UInt8] {
        isShown.locked { exchange(&$0, with: false) } ? Array("\r\u{1B}[K".utf8) : []
    }

    /// Removes the line from the terminal.
    public static func clear() { writeAll(takeRemoval(), to: 2) }

    private static var columns: Int {
        var size = winsize()
        guard ioctl(2, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return usualColumns }
        return Int(size.ws_col)
    }

    private static let width: Int64 = 24

    /// Returns lines of the same progress, the longest first: percent, amount, rate and time left. `spent`: time since
    /// the beginning, in seconds; above 0.
    private func lines(_ done: Int64, spent: Double) -> [String] {
        let filled = Int(Self.width * done / total)
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: Int(Self.width) - filled)
        let percent = "\(Int(Double(done) / Double(total) * 100)) %"
        let seconds = (spent * Double(total - done) / Double(done)).rounded()
        let left = done > 0 ? "\(clock(Int64(seconds))) left" : "…"
        // The rate is a multiple of real time; for bytes, bytes a second.
        let (amount, rate) =
            switch unit {
            case .frames(let rate): ("\(done) of \(total)", "\(fixed(rate.start(of: done).seconds / spent, 2)) x")
            case .seconds: ("\(clock(done)) of \(clock(total))", "\(fixed(Double(done) / spent, 2)) x")
            case .bytes:
                (
                    "\(fixed(Double(done) / 1e6, 1)) of \(fixed(Double(total) / 1e6, 1)) MB",
                    "\(fixed(Double(done) / spent / 1e6, 1)) MB/s"
                )
            }
        let all = "\(percent), \(amount), \(rate), \(left)"
        return ["[\(bar)] \(all)", all, "\(percent), \(rate), \(left)", "\(percent), \(left)", percent]
    }

    private func clock(_ seconds: Int64) -> String {
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let minutes = seconds < 3600 ? "\(seconds / 60)" : "\(seconds / 3600):\(two(seconds / 60 % 60))"
        return "\(minutes):\(two(seconds % 60))"
    }
}

/// Unit in which the progress of some work is counted.
public enum ProgressUnit {
    /// Frames of a film of this rate.
    case frames(FrameRate)
    /// Media time, in seconds.
    case seconds
    case bytes
}
