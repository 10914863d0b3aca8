import Threads
import WallCore

/// What time it is for a wall.
public enum WallClock: Sendable {
    /// CLOCK_MONOTONIC.
    case live
    /// It stands there until somebody steps it.
    case stepped(Time)

    var drive: Wall.TimeDrive {
        switch self {
        case .live: .keepsUp
        case .stepped: .waits
        }
    }

    var now: Time {
        switch self {
        case .live: WallRunner.now()
        case .stepped(let time): time
        }
    }

    /// Until when a thread sleeps that waits for `wall`, on the monotonic clock; nil: until it is woken.
    func deadline(for now: Time) -> Int64? {
        switch self {
        case .live: now.nanoseconds
        case .stepped: nil
        }
    }
}
