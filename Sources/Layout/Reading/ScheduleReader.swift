import Base

/// Reads `schedule`.
struct ScheduleReader {
    let base: SourceBase

    private static let mostEntries = 1000
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
        let from = fields["from"]?.timeOfDay(0..<86_400, right: "\"06:00\" or \"06:00:30\"")
        let to = fields["to"]?.timeOfDay(0..<86_401, right: "\"22:00\", \"22:00:30\" or \"24:00\"")
        let days = days(fields)
        let name = fields["name"]?.text(right: "a text that is not empty would be right")
        guard let shows = shows(fields) else { return nil }
        return Schedule.Entry(
            name: name ?? Self.name(of: shows), days: days, from: from ?? 0, to: to ?? 86_400, shows: shows)
    }

    private static func name(of shows: Schedule.Shows) -> String {
        switch shows {
        case .layout(let path): SourceName.fileName(of: path)
        case .displayOff: "off"
        }
    }

    private func shows(_ fields: LayoutFields) -> Schedule.Shows? {
        let cec = fields["cec"]?.flag()
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
            return .displayOff(cec: cec ?? false)
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
    private func days(_ fields: LayoutFields) -> Schedule.Days {
        let dates = fields["dates"].map(dates)
        guard let node = fields["days"] else { return dates.map { Schedule.Days(weekdays: [], dates: $0) } ?? .every }
        return Schedule.Days(weekdays: weekdays(node), dates: dates ?? [])
    }

    /// Reads days such as `mon-fri,sun`.
    private func weekdays(_ node: LayoutNode) -> Set<Weekday> {
        let right = "days such as \"mon-fri,sun\" would be right"
        guard let text = node.string else {
            node.refuse(right: right)
            return []
        }
        var days: Set<Weekday> = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map(Weekday.init(written:))
            guard ends.count <= 2, let first = ends[0], let last = ends[ends.count - 1] else {
                node.refuse(right: right)
                return []
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

    private func dates(_ node: LayoutNode) -> Set<CivilDate> {
        let right = "a list of dates such as [\"2026-12-24\"] would be right"
        guard let elements = node.elements, !elements.isEmpty else {
            node.refuse(right: right)
            return []
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
