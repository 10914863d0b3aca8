import Base

/// A day of the Gregorian calendar.
public struct CivilDate: Sendable, Hashable, Comparable {
    /// Days since 1970-01-01.
    public let day: Int

    public init(day: Int) { self.day = day }

    /// nil if there is no such day.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...12).contains(month), (1...31).contains(day) else { return nil }
        // Years that begin in March end with the leap day. 400 of them have 146,097 days.
        let marchYear = month > 2 ? year : year - 1
        let cycle = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
        let yearOfCycle = marchYear - cycle * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfCycle = yearOfCycle * 365 + yearOfCycle / 4 - yearOfCycle / 100 + dayOfYear
        self.init(day: cycle * 146_097 + dayOfCycle - 719_468)
        // Refuses days such as 30 February, which give another date.
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
        let shifted = day + 719_468
        let cycle = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfCycle = shifted - cycle * 146_097
        let yearOfCycle = (dayOfCycle - dayOfCycle / 1460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
        let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
        let month = (5 * dayOfYear + 2) / 153
        let year = yearOfCycle + cycle * 400 + (month < 10 ? 0 : 1)
        return (year, month < 10 ? month + 3 : month - 9, dayOfYear - (153 * month + 2) / 5 + 1)
    }

    public var weekday: Weekday {
        // The first of January 1970 was a Thursday.
        let place = (day + 3) % 7
        return Weekday(rawValue: place < 0 ? place + 7 : place)!
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
