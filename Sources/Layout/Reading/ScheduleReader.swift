import Base

extension Schedule {
    static let mostEntries = 1000
}

extension LayoutNode {
    private static let entryForm =
        "{\"days\": \"mon-fri\", \"from\": \"22:00\", \"to\": \"06:00\", \"show\": \"night.json\"}"

    func schedule() -> Schedule? {
        guard let elements = elements(atMost: Schedule.mostEntries, "entries") else {
            return refused(right: "a list of entries such as \(Self.entryForm) would be right")
        }
        let entries = elements.compactMap {
            $0.fields(of: .scheduleEntry, right: "an entry such as \(Self.entryForm) would be right")?.entry()
        }
        return entries.isEmpty ? nil : Schedule(entries: entries)
    }

    /// Reads days such as `mon-fri,sun`.
    func weekdays() -> Set<Weekday>? {
        let right = "days such as \"mon-fri,sun\" would be right"
        guard let text = string else { return refused(right: right) }
        var days: Set<Weekday> = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { end in
                // With or without blanks around.
                let word = end.filter { $0 != " " }.lowercased()
                return Weekday.allCases.first { $0.name == word }
            }
            guard ends.count <= 2, let first = ends[0], let last = ends[ends.count - 1] else {
                return refused(right: right)
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
        guard let elements = elements, !elements.isEmpty else { return refused(right: right) }
        return Set(
            elements.compactMap { element in
                guard let date = element.string.flatMap(CivilDate.init(text:)) else {
                    return element.refused(as: "not a date", right: "a date such as \"2026-12-24\" would be right")
                }
                return date
            })
    }

    /// Reads `HH:MM` or `HH:MM:SS`, in seconds of the day.
    func timeOfDay(_ range: Range<Int>, right: String) -> Int? {
        let fields = (string ?? "").split(separator: ":", omittingEmptySubsequences: false)
        let numbers = fields.compactMap { field in
            field.utf8.count == 2 && field.utf8.allSatisfy(isDigit) ? Int(field) : nil
        }
        let seconds = numbers.reduce(0) { $0 * 60 + $1 } * (numbers.count == 2 ? 60 : 1)
        guard numbers.count == fields.count, (2...3).contains(numbers.count),
            numbers.dropFirst().allSatisfy({ $0 < 60 }),
            range.contains(seconds)
        else { return refused(as: "not a time of day", right: "\(right) would be right") }
        return seconds
    }
}

extension LayoutFields {
    fileprivate func entry() -> Schedule.Entry? {
        var entry = object(Schedule.Entry.self)
        guard let shows = shows() else { return nil }
        entry.shows = shows
        if entry.name.isEmpty {
            entry.name = if case .layout(let path) = shows { SourceName.fileName(of: path) } else { "off" }
        }
        // Dates are added to weekdays. Without weekdays they are the only days.
        if entry.days == .unstated { entry.days = .every }
        return entry
    }

    private func shows() -> Schedule.Shows? {
        let cec = self["cec"]?.flag() ?? false
        if has("cec"), !has("display") {
            refuse(key: "cec", "has no effect alone; \"display\": \"off\" beside it would be right")
        }
        if has("show"), has("display") {
            refuse(key: later("show", "display"), "a layout is shown, or the display is off; one would be right")
            return nil
        }
        if let node = self["display"] {
            return node.string == "off" ? .displayOff(cec: cec) : node.refusedWord(among: ["off"])
        }
        guard let node = self["show"] else {
            drop("show", right: "a layout's file, or \"display\": \"off\", would be right")
            return nil
        }
        guard let text = node.string, SourceName.scheme(of: text) == nil, text != "-" else {
            return node.refused(right: "a layout's file would be right")
        }
        return node.source().map { .layout($0) }
    }
}
