import Base

/// Pattern of HH:MM and HH:MM:SS.
private let clockTime = "([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?"

extension Schedule.Entry: FieldOwner {
    static let initial = Schedule.Entry(name: "", days: .unstated, shows: .displayOff(cec: false))

    static let fields = FieldTable<Schedule.Entry>([
        LayoutField(
            "name", .text("a text that is not empty"), \.name,
            "Name for messages and the trace. Default: the layout's file name, or off."),
        LayoutField(
            "days", .weekdays, \.days.weekdays,
            "Weekdays, such as mon-fri,sun. Default: all, or none if dates is given."),
        LayoutField("dates", .dates, \.days.dates, "Dates in addition to the weekdays of days."),
        LayoutField(
            "from",
            .timeOfDay(0..<86_400, "^\(clockTime)$", right: "\"06:00\" or \"06:00:30\""), \.from,
            "Start of the entry: HH:MM or HH:MM:SS."),
        LayoutField(
            "to",
            .timeOfDay(
                0..<86_401, "^(\(clockTime)|24:00(:00)?)$",
                right: "\"22:00\", \"22:00:30\" or \"24:00\""), \.to,
            "End of the entry. If it is not after from, it is on the next day."),
        LayoutField("show", .text, "File of the layout that is shown."),
        LayoutField("display", .words(["off"]), "off: nothing is decoded, and the screen is switched off."),
        LayoutField(
            "cec", .flag, "With display: the television is switched off too, over its HDMI cable.",
            default: .flag(false)),
    ])
}

extension BreakLayout: FieldOwner {
    static let initial = BreakLayout(name: "", play: [])

    static let fields = FieldTable<BreakLayout>([
        LayoutField(
            "name", .name, \.name,
            "A unique name without a slash; not none, alone or all. Default: break1, break2 and so on."),
        LayoutField(
            "every", .time(.seconds(1)...(.longestWritten)), \.every,
            "Time after this break last ended, at least 1 s."),
        LayoutField(
            "at", .timesOfDay, \.times, "Times of day at which the break comes: HH:MM or HH:MM:SS."),
        LayoutField(
            "after-items", .whole(1...1_000_000), \.afterItems,
            "Number of items of the first of its tiles after which the break comes."),
        LayoutField("tiles", .list(1..., of: .text), "Ids of its tiles. Default: all tiles that play."),
        LayoutField(
            "play", FieldKind(.sequence, read: { $0.items() }), \.play, "A source, an item, or a list of them.",
            required: LayoutNode.played),
        LayoutField(
            "together", .flag, \.isTogether,
            """
            When the first of its tiles ends its item, the others stop at that instant. Afterwards they go on where \
            they stopped.
            """),
        LayoutField(
            "when", .word([.itemEnd, .now]), \.when,
            """
            item-end: between two items. now: as soon as the break's first frame is decoded; afterwards the item goes \
            on where it stopped.
            """),
        LayoutField(
            "once", .flag, \.isOnce, "The command break NAME is refused while this break is on or waits."),
        LayoutField("first", .text, "Commands that run when the break has started, as those of keys."),
        LayoutField("then", .text, "Commands that run when the break has ended, as those of keys."),
    ])
}

extension FieldKind {
    static var schedule: FieldKind<Schedule> {
        let most = 1000, form = #"{"days": "mon-fri", "from": "22:00", "to": "06:00", "show": "night.json"}"#
        return .init(
            .list(...most, of: .object(.scheduleEntry)),
            read: { node in
                let right = "a list of entries such as \(form) would be right"
                let entries = (node.elements(from: 0, upTo: most, "entries", right: right) ?? []).compactMap {
                    $0.fields(of: .scheduleEntry, right: "an entry such as \(form) would be right")?.entry()
                }
                return entries.isEmpty ? nil : Schedule(entries: entries)
            })
    }

    fileprivate static var timesOfDay: FieldKind<[Int]> {
        .init(
            .list(1..., of: .text(pattern: "^\(clockTime)$")),
            read: { node in
                let elements = node.elements(right: "a list of times of day such as [\"12:00\"] would be right")
                return elements?.compactMap { $0.timeOfDay(0..<86_400, right: "\"12:00\" or \"12:00:30\"") }
            })
    }

    fileprivate static var weekdays: FieldKind<Set<Weekday>> {
        .init(
            .text(pattern: "^ *[A-Za-z]{3} *(- *[A-Za-z]{3} *)?(, *[A-Za-z]{3} *(- *[A-Za-z]{3} *)?)*$"),
            read: { node in
                let right = "days such as \"mon-fri,sun\" would be right"
                guard let text = node.string else { return node.refused(right: right) }
                var days: Set<Weekday> = []
                for part in text.split(separator: ",", omittingEmptySubsequences: false) {
                    let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { end in
                        // With or without blanks around.
                        let word = end.filter { $0 != " " }.lowercased()
                        return Weekday.allCases.first { $0.name == word }
                    }
                    guard ends.count <= 2, let first = ends[0], let last = ends[ends.count - 1] else {
                        return node.refused(right: right)
                    }
                    // `fri-mon` wraps around the end of the week.
                    let count = (last.rawValue - first.rawValue + 7) % 7
                    days.formUnion((0...count).map { Weekday(rawValue: (first.rawValue + $0) % 7)! })
                }
                return days
            })
    }

    fileprivate static var dates: FieldKind<Set<CivilDate>> {
        .init(
            .list(1..., of: .text(pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$")),
            read: { node in
                let elements = node.elements(right: "a list of dates such as [\"2026-12-24\"] would be right")
                let dates = elements?.compactMap { element in
                    element.string.flatMap(CivilDate.init(text:))
                        ?? element.refused(as: "not a date", right: "a date such as \"2026-12-24\" would be right")
                }
                return dates.map { Set($0) }
            })
    }
}

extension JSONSchema {
    /// A source, an item, or a list of them.
    static let sequence = any(
        .shared(.source), .object(.item), .list(1..., of: any(.shared(.source), .object(.item))))
}

extension FieldKind<Int> {
    /// Time of a day, in seconds.
    fileprivate static func timeOfDay(_ range: Range<Int>, _ pattern: String, right: String) -> FieldKind {
        FieldKind(
            .text(pattern: pattern), read: { $0.timeOfDay(range, right: right) },
            write: { .text("\(($0 / 3600).twoDigits):\(($0 / 60 % 60).twoDigits)") })
    }
}

extension LayoutNode {
    /// Reads `HH:MM` or `HH:MM:SS`, in seconds of the day.
    fileprivate func timeOfDay(_ range: Range<Int>, right: String) -> Int? {
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
