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
        let text = ProgressText(
            done: min(max(0, done), total), of: total, unit, spent: Double(now - began) / 1e9)
        let columns = Self.columns
        // The last column stays empty: a cursor behind it may be on the next line.
        guard let line = text.lines.first(where: { $0.count < columns }) else { return }
        ProgressLine.isShown.locked { $0 = true }
        writeAll(Array("\r\(line)\u{1B}[K".utf8), to: 2)
    }

    /// Removes the line from the terminal.
    public func clear() { ProgressLine.clear() }

    private static var columns: Int {
        var size = winsize()
        guard ioctl(2, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return usualColumns }
        return Int(size.ws_col)
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

/// The line of a progress bar on the terminal.
enum ProgressLine {
    /// True while the line is on the terminal. Any thread may read it and change it.
    static let isShown = Locked(false)

    /// Bytes to write before other text, which remove the line; empty if there is none.
    static func takeRemoval() -> [UInt8] {
        let wasShown = isShown.locked { isShown in
            defer { isShown = false }
            return isShown
        }
        return wasShown ? Array("\r\u{1B}[K".utf8) : []
    }

    static func clear() {
        let removal = takeRemoval()
        if !removal.isEmpty { writeAll(removal, to: 2) }
    }
}

/// Text of a progress: percent, amount, rate and time left.
private struct ProgressText {
    private let done: Int64
    private let total: Int64
    private let unit: ProgressUnit
    /// Time since the beginning, in seconds; above 0.
    private let spent: Double

    private static let width: Int64 = 24

    init(done: Int64, of total: Int64, _ unit: ProgressUnit, spent: Double) {
        (self.done, self.total, self.unit, self.spent) = (done, total, unit, spent)
    }

    /// Lines of the same progress, the longest first.
    var lines: [String] {
        let all = "\(percent), \(amount), \(rate), \(left)"
        return ["[\(bar)] \(all)", all, "\(percent), \(rate), \(left)", "\(percent), \(left)", percent]
    }

    private var bar: String {
        let filled = Int(Self.width * done / total)
        return String(repeating: "#", count: filled) + String(repeating: ".", count: Int(Self.width) - filled)
    }

    private var percent: String { "\(Int(Double(done) / Double(total) * 100)) %" }

    private var amount: String {
        switch unit {
        case .frames: "\(done) of \(total)"
        case .seconds: "\(clock(done)) of \(clock(total))"
        case .bytes: "\(fixed(Double(done) / 1e6, 1)) of \(fixed(Double(total) / 1e6, 1)) MB"
        }
    }

    /// Multiple of real time; for bytes, bytes a second.
    private var rate: String {
        switch unit {
        case .frames(let rate): "\(fixed(rate.start(of: done).seconds / spent, 2)) x"
        case .seconds: "\(fixed(Double(done) / spent, 2)) x"
        case .bytes: "\(fixed(Double(done) / spent / 1e6, 1)) MB/s"
        }
    }

    private var left: String {
        done > 0 ? "\(clock(Int64((spent * Double(total - done) / Double(done)).rounded()))) left" : "…"
    }

    private func clock(_ seconds: Int64) -> String {
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let minutes = seconds < 3600 ? "\(seconds / 60)" : "\(seconds / 3600):\(two(seconds / 60 % 60))"
        return "\(minutes):\(two(seconds % 60))"
    }
}
