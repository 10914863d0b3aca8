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
        var (seconds, parts) = (time_t(nanoseconds / 1_000_000_000), tm())
        gmtime_r(&seconds, &parts)
        func digits(_ value: Int32, _ count: Int) -> String {
            let text = String(value)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        let date = "\(digits(parts.tm_year + 1900, 4))-\(digits(parts.tm_mon + 1, 2))-\(digits(parts.tm_mday, 2))"
        let clock = digits(parts.tm_hour, 2) + digits(parts.tm_min, 2) + digits(parts.tm_sec, 2)
        return "\(date)T\(clock).\(digits(Int32(nanoseconds / 1_000_000 % 1000), 3))Z"
    }

    /// Returns nanoseconds since 1970 as `2026-12-24T22:00:00.250+01:00`.
    public static func text(_ nanoseconds: Int64) -> String {
        let seconds = LocalTime.here.iso(at: Int(nanoseconds / 1_000_000_000))
        let thousandths = String(1000 + nanoseconds / 1_000_000 % 1000).dropFirst()
        let zone = seconds.index(seconds.endIndex, offsetBy: -6)
        return "\(seconds[..<zone]).\(thousandths)\(seconds[zone...])"
    }
}

extension LocalTime {
    /// Local time in the zone of the system, or of TZ, when it was last read (`SystemTime.followZone`).
    public static let here = LocalTime { instant in
        var (seconds, parts) = (time_t(instant), tm())
        localtime_r(&seconds, &parts)
        return parts.tm_gmtoff
    }
}
