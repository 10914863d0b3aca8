import Glibc
import Threads
import WallCore

/// What the system's clock shows.
enum SystemTime {
    /// Seconds since 1970.
    static var now: Int { time(nil) }

    static var nanoseconds: Int64 { realTimeNanoseconds() }

    /// The system may be in another time zone by now: `LocalTime.here` follows it from then on.
    static func followZone() { tzset() }

    /// `2026-12-24T210000.250Z`, of nanoseconds since 1970: for names of files, which sort by time.
    static func name(_ nanoseconds: Int64) -> String {
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

    /// `2026-12-24T22:00:00.250+01:00`, of nanoseconds since 1970.
    static func text(_ nanoseconds: Int64) -> String {
        let seconds = LocalTime.here.iso(at: Int(nanoseconds / 1_000_000_000))
        let thousandths = String(1000 + nanoseconds / 1_000_000 % 1000).dropFirst()
        let zone = seconds.index(seconds.endIndex, offsetBy: -6)
        return "\(seconds[..<zone]).\(thousandths)\(seconds[zone...])"
    }
}

extension LocalTime {
    /// Of the time zone that the system, or TZ, said when it was looked at last (`SystemTime.followZone`).
    static let here = LocalTime { instant in
        var (seconds, parts) = (time_t(instant), tm())
        localtime_r(&seconds, &parts)
        return parts.tm_gmtoff
    }
}
