import Base

/// Reads `schedule`.
struct ScheduleReader {
    let base: SourceBase

    static let mostEntries = 1000
    private static let entryForm =
        "{\"days\": \"mon-fri\", \"from\": \"22:00\", \"to\": \"06:00\", \"show\": \"night.json\"}"

    func schedule(_ node: LayoutNode) -> Schedule? {
        guard let elements = node.elements(atMost: Self.mostEntries, "entries") else {
            node.refuse(right: "a list of entries such as \(Self.entryForm) would be right")
            return nil
        }
        let entries = elements.compactMap(entry)
        return entries.isEmpty ? nil : Schedule(entries: entries)
    }

    private func entry(_ node: LayoutNode) -> Schedule.Entry? {
        guard let fields = node.fields(of: .scheduleEntry, right: "an entry such as \(Self.entryForm) would be right")
        else { return nil }
        var stated = StatedScheduleEntry.initial
        fields.read(into: &stated, base)
        guard let shows = shows(fields, cec: stated.cec) else { return nil }
        return Schedule.Entry(
            name: stated.name ?? Self.name(of: shows), days: days(stated), from: stated.from, to: stated.to,
            shows: shows)
    }

    private static func name(of shows: Schedule.Shows) -> String {
        switch shows {
        case .layout(let path): SourceName.fileName(of: path)
        case .displayOff: "off"
        }
    }

    private func shows(_ fields: LayoutFields, cec: Bool) -> Schedule.Shows? {
        if fields.has("cec"), !fields.has("display") {
            fields.refuse(key: "cec", "has no effect alone; \"display\": \"off\" beside it would be right")
        }
        if fields.has("show"), fields.has("display") {
            fields.refuse(
                key: fields.later("show", "display"), "a layout is shown, or the display is off; one would be right")
            return nil
        }
        if let node = fields["display"] {
            guard node.string == "off" else {
                node.refuseWord(among: ["off"])
                return nil
            }
            return .displayOff(cec: cec)
        }
        guard let node = fields["show"] else {
            fields.drop("show", right: "a layout's file, or \"display\": \"off\", would be right")
            return nil
        }
        guard let text = node.string, SourceName.scheme(of: text) == nil, text != "-" else {
            node.refuse(right: "a layout's file would be right")
            return nil
        }
        return node.source(in: base).map(Schedule.Shows.layout)
    }

    /// Dates are added to weekdays. Without weekdays they are the only days.
    private func days(_ stated: StatedScheduleEntry) -> Schedule.Days {
        if stated.weekdays == nil, stated.dates == nil { return .every }
        return Schedule.Days(weekdays: stated.weekdays ?? [], dates: stated.dates ?? [])
    }
}

extension LayoutNode {
    /// Reads days such as `mon-fri,sun`.
    func weekdays() -> Set<Weekday>? {
        let right = "days such as \"mon-fri,sun\" would be right"
        guard let text = string else {
            refuse(right: right)
            return nil
        }
        var days: Set<Weekday> = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map(Weekday.init(written:))
            guard ends.count <= 2, let first = ends[0], let last = ends[ends.count - 1] else {
                refuse(right: right)
                return nil
            }
            // `fri-mon` wraps around the end of the week.
            var day = first
            days.insert(day)
            while day != last {
                day = Weekday(rawValue: (day.rawValue + 1) % 7)!
                days.insert(day)
            }
        }
        return days
    }

    func dates() -> Set<CivilDate>? {
        let right = "a list of dates such as [\"2026-12-24\"] would be right"
        guard let elements = elements, !elements.isEmpty else {
            refuse(right: right)
            return nil
        }
        return Set(
            elements.compactMap { element in
                guard let date = element.string.flatMap(CivilDate.init(text:)) else {
                    element.refuse(as: "not a date", right: "a date such as \"2026-12-24\" would be right")
                    return nil
                }
                return date
            })
    }
}

extension Weekday {
    /// Reads `mon` and the like, with or without blanks around.
    fileprivate init?(written text: Substring) {
        let word = text.filter { $0 != " " }.lowercased()
        guard let day = Weekday.allCases.first(where: { $0.name == word }) else { return nil }
        self = day
    }
}

extension LayoutNode {
    /// Reads `HH:MM` or `HH:MM:SS`, in seconds of the day.
    func timeOfDay(_ range: Range<Int>, right: String) -> Int? {
        let fields = (string ?? "").split(separator: ":", omittingEmptySubsequences: false)
        let numbers = fields.compactMap { field in
            field.utf8.count == 2 && field.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
                ? Int(field) : nil
        }
        let seconds = numbers.reduce(0) { $0 * 60 + $1 } * (numbers.count == 2 ? 60 : 1)
        guard numbers.count == fields.count, (2...3).contains(numbers.count),
            numbers.dropFirst().allSatisfy({ $0 < 60 }),
            range.contains(seconds)
        else {
            refuse(as: "not a time of day", right: "\(right) would be right")
            return nil
        }
        return seconds
    }
}
