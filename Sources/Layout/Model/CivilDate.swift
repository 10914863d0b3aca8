import Base

import func Glibc.gmtime_r
import func Glibc.timegm
import struct Glibc.tm

/// A day of the Gregorian calendar.
public struct CivilDate: Sendable, Hashable, Comparable {
    /// Days since 1970-01-01.
    public let day: Int

    public init(day: Int) { self.day = day }

    /// nil if there is no such day.
    public init?(year: Int, month: Int, day: Int) {
        var date = tm()
        (date.tm_year, date.tm_mon, date.tm_mday) = (Int32(year - 1900), Int32(month - 1), Int32(day))
        self.init(day: timegm(&date) / LocalTime.secondsOfDay)
        // Refuses days such as 30 February, for which timegm takes another date.
        guard parts == (year, month, day) else { return nil }
    }

    /// Reads `2026-12-24`; nil for anything else, and if there is no such day.
    public init?(text: String) {
        let fields = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard fields.map(\.count) == [4, 2, 2] else { return nil }
        let numbers = fields.compactMap { $0.allSatisfy(isDigit) ? Int(String(Substring($0))) : nil }
        guard numbers.count == 3 else { return nil }
        self.init(year: numbers[0], month: numbers[1], day: numbers[2])
    }

    public var parts: (year: Int, month: Int, day: Int) {
        var seconds = day * LocalTime.secondsOfDay, date = tm()
        gmtime_r(&seconds, &date)
        return (Int(date.tm_year) + 1900, Int(date.tm_mon) + 1, Int(date.tm_mday))
    }

    public var weekday: Weekday {
        // The first of January 1970 was a Thursday.
        Weekday(rawValue: ((day + 3) % 7 + 7) % 7)!
    }

    /// `2026-12-24`.
    public var text: String {
        let (year, month, day) = parts
        return "\(year)-\(month.twoDigits)-\(day.twoDigits)"
    }

    public static func < (one: CivilDate, other: CivilDate) -> Bool { one.day < other.day }
    static func + (date: CivilDate, days: Int) -> CivilDate { CivilDate(day: date.day + days) }
}

/// Days of the week, from Monday on.
public enum Weekday: Int, CaseIterable, Sendable {
    case monday, tuesday, wednesday, thursday, friday, saturday, sunday

    /// `mon`.
    public var name: String { ["mon", "tue", "wed", "thu", "fri", "sat", "sun"][rawValue] }
}

extension Int {
    var twoDigits: String { self < 10 ? "0\(self)" : "\(self)" }
}
