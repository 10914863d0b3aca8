import Foundation

/// Times in which the machine did not run a thread that was due, as a `Metronome` measured them.
///
/// A stall is what excuses a wall that was late. Its length limits how late the wall may have been.
public struct Stalls: Sendable, Equatable, CustomStringConvertible {
    public struct Stall: Sendable, Equatable {
        /// In seconds since the beginning of the measurement.
        public let began: Double
        public let seconds: Double

        public init(began: Double, seconds: Double) { (self.began, self.seconds) = (began, seconds) }

        var ended: Double { began + seconds }
    }

    /// A quantity that a wall missed.
    public enum Lateness: Sendable, Equatable {
        /// One delay.
        case seconds(Double)
        /// Delays that may have had several causes, added up.
        case secondsInAll(Double)
        /// Frames that were left out, each of which lasts this many seconds.
        case frames(Double, lasting: Double)
    }

    /// The shortest delay that is a stall, in seconds. It is as long as the strictest limit for a frame.
    static let least = 0.01
    /// Longest time between two refreshes of a display, in seconds. A thread that is late misses the next one, too.
    static let refresh = 1.0 / 60

    /// In the order in which they began. They do not overlap.
    public let list: [Stall]

    /// Joins delays of several threads that overlap, and keeps those that are long enough.
    public init(_ delays: [Stall]) {
        var joined: [Stall] = []
        for delay in delays.sorted(by: { $0.began < $1.began }) {
            guard let last = joined.last, delay.began <= last.ended else {
                joined.append(delay)
                continue
            }
            joined[joined.count - 1] = Stall(began: last.began, seconds: max(last.ended, delay.ended) - last.began)
        }
        list = joined.filter { $0.seconds >= Stalls.least }
    }

    /// True if the stalls are long enough to have made a wall this late.
    public func explain(_ lateness: Lateness) -> Bool {
        let delays = list.map { $0.seconds + Stalls.refresh }
        return switch lateness {
        case .seconds(let late): late <= delays.max() ?? 0
        case .secondsInAll(let late): late <= delays.reduce(0, +)
        case .frames(let count, let duration): count <= delays.reduce(0) { $0 + ($1 / duration).rounded(.down) }
        }
    }

    /// How often and for how long the machine was held up, and the longest stalls with their beginnings.
    public var description: String {
        guard !list.isEmpty else { return "the machine was not held up" }
        let longest = list.sorted { $0.seconds > $1.seconds }.prefix(5)
            .map { String(format: "%.0f ms at %.3f s", $0.seconds * 1000, $0.began) }
        let sum = list.reduce(0) { $0 + $1.seconds }
        return String(format: "the machine was held up %d times, %.0f ms in all: ", list.count, sum * 1000)
            + longest.joined(separator: ", ")
    }
}
