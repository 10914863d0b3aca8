import Base
import Player
import Threads

/// Time source of a wall.
public enum WallClock: Sendable {
    /// CLOCK_MONOTONIC.
    case live
    /// A time that stands still until it is stepped.
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

    /// Monotonic time until which a thread sleeps that waits for wall time `now`; nil if it sleeps until it is woken.
    func deadline(for now: Time) -> Int64? {
        switch self {
        case .live: now.nanoseconds
        case .stepped: nil
        }
    }
}
