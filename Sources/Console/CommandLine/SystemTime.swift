import Glibc
import Layout
import Threads

/// The system's clock.
public enum SystemTime {
    /// Seconds since 1970.
    public static var now: Int { time(nil) }

    public static var nanoseconds: Int64 { realTimeNanoseconds() }

    /// Reads the time zone of the system again, for `LocalTime.here`.
    public static func followZone() { tzset() }

    /// Returns nanoseconds since 1970 as `2026-12-24T210000.250Z`, for names of files that sort by time.
    public static func name(_ nanoseconds: Int64) -> String {
        let seconds = LocalTime.utc.iso(at: Int(nanoseconds / 1_000_000_000)).dropLast("+00:00".count)
        return "\(seconds.filter { $0 != ":" }).\(thousandths(nanoseconds))Z"
    }

    /// Returns nanoseconds since 1970 as `2026-12-24T22:00:00.250+01:00`.
    public static func text(_ nanoseconds: Int64) -> String {
        let seconds = LocalTime.here.iso(at: Int(nanoseconds / 1_000_000_000))
        return "\(seconds.dropLast(6)).\(thousandths(nanoseconds))\(seconds.suffix(6))"
    }

    private static func thousandths(_ nanoseconds: Int64) -> Substring {
        String(1000 + nanoseconds / 1_000_000 % 1000).dropFirst()
    }
}

extension LocalTime {
    static let utc = LocalTime { _ in 0 }

    /// Local time in the zone of the system, or of TZ, when it was last read (`SystemTime.followZone`).
    public static let here = LocalTime { instant in
        var (seconds, parts) = (time_t(instant), tm())
        localtime_r(&seconds, &parts)
        return parts.tm_gmtoff
    }
}
