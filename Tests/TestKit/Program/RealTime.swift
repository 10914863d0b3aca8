import Foundation

/// CLOCK_MONOTONIC in seconds, and waiting for a condition with a timeout.
public enum RealTime {
    public static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Checks the condition every few milliseconds. Returns false after the timeout.
    @discardableResult
    public static func wait(atMost limit: Double, until condition: () -> Bool) -> Bool {
        watch(atMost: limit, every: 0.004, until: condition)
    }

    /// Like `wait`, to measure a time: checks every `interval` seconds.
    public static func watch(
        atMost limit: Double, every interval: Double = 0.0005, until condition: () -> Bool
    ) -> Bool {
        let deadline = now + limit
        while !condition() {
            if now > deadline { return false }
            var pause = timespec(tv_sec: 0, tv_nsec: Int(interval * 1e9))
            nanosleep(&pause, nil)
        }
        return true
    }

    /// Waits for `seconds`. Use it to observe for a time, not to wait for a condition.
    public static func pass(_ seconds: Double) {
        let end = now + seconds
        while now < end { poll(nil, 0, Int32(max(1, (end - now) * 1000))) }
    }
}
