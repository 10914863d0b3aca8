import Base

/// The layouts of a wall over time. Pure: instants are seconds since 1970, and the caller passes the time zone.
public struct Schedule: Sendable, Equatable {
    /// The first entry that applies is shown.
    public var entries: [Entry]

    /// True if some entry switches the display off.
    public var switchesDisplay: Bool { entries.contains { if case .displayOff = $0.shows { true } else { false } } }

    public struct Entry: Sendable, Equatable {
        public var name: String
        public var days = Days.every
        /// Seconds of the day.
        public var from = 0
        /// Seconds of the day, up to 86,400, excluded. If not after `from`, on the next day.
        public var to = LocalTime.secondsOfDay
        public var shows: Shows

        /// Returns the instants of an entry that begins on `date`; nil if a clock change leaves all of them out.
        func stretch(on date: CivilDate, _ zone: LocalTime) -> Range<Int>? {
            let begin = zone.instant(date, from)
            let end = zone.instant(to > from ? date : date + 1, to)
            return begin < end ? begin..<end : nil
        }
    }

    /// The days on which an entry begins.
    public struct Days: Sendable, Equatable {
        public var weekdays: Set<Weekday>
        public var dates: Set<CivilDate> = []

        public static let every = Days(weekdays: Set(Weekday.allCases))
        static let unstated = Days(weekdays: [])

        func contains(_ date: CivilDate) -> Bool { weekdays.contains(date.weekday) || dates.contains(date) }
    }

    public enum Shows: Sendable, Hashable {
        /// File of a layout, in the form in which it is opened.
        case layout(String)
        /// Nothing: the screen is switched off. `cec`: the television too, over its HDMI cable.
        case displayOff(cec: Bool)
    }

    /// Instants in which one entry applies. `entry`: its index; nil if none applies and the layout itself is shown.
    public struct Stretch: Sendable, Equatable {
        public var instants: Range<Int>
        public var entry: Int?
    }

    /// Returns the index of the entry that applies at an instant; nil if none does.
    public func entry(at instant: Int, _ zone: LocalTime) -> Int? {
        stretches(in: instant..<instant + 1, zone)[0].entry
    }

    /// Returns the next instant at which another entry applies; nil if there is none within `limit` seconds.
    public func change(after instant: Int, within limit: Int, _ zone: LocalTime) -> Int? {
        let first = stretches(in: instant..<instant + limit, zone)[0]
        return first.instants.upperBound < instant + limit ? first.instants.upperBound : nil
    }

    /// Returns the entries that are shown, in stretches without a gap from the first instant to the last. `instants`
    /// must not be empty.
    public func stretches(in instants: Range<Int>, _ zone: LocalTime) -> [Stretch] {
        var changes = occurrences(in: instants, zone).flatMap { occurrence in
            [
                (at: occurrence.instants.lowerBound, entry: occurrence.entry, by: 1),
                (at: occurrence.instants.upperBound, entry: occurrence.entry, by: -1),
            ]
        }[...]
        changes.sort { $0.at < $1.at }
        var applying = [Int](repeating: 0, count: entries.count)
        var stretches: [Stretch] = []
        var begin = instants.lowerBound
        while begin < instants.upperBound {
            while let change = changes.first, change.at <= begin {
                applying[change.entry] += change.by
                changes.removeFirst()
            }
            let end = changes.first?.at ?? instants.upperBound
            let entry = applying.firstIndex { $0 > 0 }
            if let last = stretches.last, last.entry == entry {
                stretches[stretches.count - 1].instants = last.instants.lowerBound..<end
            } else {
                stretches.append(Stretch(instants: begin..<end, entry: entry))
            }
            begin = end
        }
        return stretches
    }

    /// Returns the entries that a clock change leaves out wholly, with the date on which each would begin, in the days
    /// around these instants.
    public func leftOut(in instants: Range<Int>, _ zone: LocalTime) -> [(entry: Int, date: CivilDate)] {
        let days = zone.days(of: instants).map(CivilDate.init)
        return entries.enumerated().flatMap { index, entry in
            days.filter { entry.days.contains($0) && entry.stretch(on: $0, zone) == nil }.map { (index, $0) }
        }
    }

    private func occurrences(in instants: Range<Int>, _ zone: LocalTime) -> [(entry: Int, instants: Range<Int>)] {
        // An entry of the day before may still apply.
        let days = zone.days(of: instants), dates = (days.lowerBound - 1...days.upperBound).map(CivilDate.init)
        return entries.enumerated().flatMap { index, entry in
            dates.filter(entry.days.contains).compactMap { entry.stretch(on: $0, zone)?.clamped(to: instants) }
                .filter { !$0.isEmpty }.map { (index, $0) }
        }
    }
}

/// Change to another entry of the schedule.
public struct ScheduleChange: Sendable, Equatable {
    /// Name of the entry; nil if none applies.
    public var entry: String?
    /// File of its layout; nil if the loaded layout is shown, or nothing.
    public var layout: String?
    public var isDisplayOn = true
    /// False if it could not be shown. What was shown before then stays.
    public var isDone = true

    /// The loaded layout, without an entry.
    public static let none = ScheduleChange(to: nil)

    public init(to due: Schedule.Entry?) {
        entry = due?.name
        switch due?.shows {
        case .layout(let path): layout = path
        case .displayOff: isDisplayOn = false
        case nil: break
        }
    }

    /// Fields for the trace and the socket's clients.
    public var fields: [PropertyField] {
        [
            PropertyField("name", .textOrNull(entry)), PropertyField("show", .textOrNull(layout)),
            PropertyField("display", .text(isDisplayOn ? "on" : "off")), PropertyField("ok", .flag(isDone)),
        ]
    }
}
