import Base
import Player
import Threads

/// Time source of a wall.
public enum WallClock: Sendable {
    /// CLOCK_MONOTONIC.
    case live
    /// A time that moves only in steps.
    case stepped(Time)

    var drive: PlayerCore.TimeDrive {
        switch self {
        case .live: .keepsUp
        case .stepped: .waits
        }
    }

    var now: Time {
        switch self {
        case .live: Time.now
        case .stepped(let time): time
        }
    }

    /// Monotonic time at which a thread that waits for wall time `now` wakes up by itself; nil if only a step wakes the
    /// thread.
    func deadline(for now: Time) -> Int64? {
        switch self {
        case .live: now.nanoseconds
        case .stepped: nil
        }
    }
}
