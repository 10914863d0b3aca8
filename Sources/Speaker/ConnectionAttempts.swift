/// Attempts to reach the sound server or one of its outputs. Used by one thread.
struct ConnectionAttempts {
    /// Delay before the next attempt, in microseconds.
    private var pause: Int64 = shortestPause
    /// True once it was reported that the server is away.
    private var isAway = false
    /// True until the first attempt.
    private(set) var isFirst = true

    private static let shortestPause: Int64 = 250_000
    private static let longestPause: Int64 = 1_000_000

    mutating func begin() { isFirst = false }
    mutating func serverCame() { (pause, isAway) = (Self.shortestPause, false) }
    mutating func streamCame() { pause = Self.shortestPause }

    /// Notes that the server is away. Returns true if that is to be reported.
    mutating func serverWent() -> Bool {
        defer { isAway = true }
        return !isAway
    }

    /// Returns the delay before the next attempt, in microseconds. The delay doubles with each attempt, up to a second.
    mutating func nextPause() -> Int64 {
        defer { pause = min(pause * 2, Self.longestPause) }
        return pause
    }
}
