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
            "name", .name("a name that is not empty"), \.name,
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
            "play", .items, \.play, "A source, an item, or a list of them.", required: LayoutNode.played),
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

extension FieldKind<[Int]> {
    fileprivate static var timesOfDay: FieldKind {
        FieldKind(
            .list(1..., of: .text(pattern: "^\(clockTime)$")),
            read: { node in
                guard let elements = node.elements, !elements.isEmpty else {
                    return node.refused(right: "a list of times of day such as [\"12:00\"] would be right")
                }
                return elements.compactMap { $0.timeOfDay(0..<86_400, right: "\"12:00\" or \"12:00:30\"") }
            })
    }
}

extension FieldKind<[Item]> {
    fileprivate static var items: FieldKind { FieldKind(.sequence, read: { $0.items() }) }
}

extension JSONSchema {
    /// A source, an item, or a list of them.
    static let sequence = any(
        .shared(.source), .object(.item), .list(1..., of: any(.shared(.source), .object(.item))))
}

extension FieldKind<Set<Weekday>> {
    fileprivate static var weekdays: FieldKind {
        FieldKind(
            .text(pattern: "^ *[A-Za-z]{3} *(- *[A-Za-z]{3} *)?(, *[A-Za-z]{3} *(- *[A-Za-z]{3} *)?)*$"),
            read: { $0.weekdays() })
    }
}

extension FieldKind<Set<CivilDate>> {
    fileprivate static var dates: FieldKind {
        FieldKind(.list(1..., of: .text(pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$")), read: { $0.dates() })
    }
}

extension FieldKind<Int> {
    /// Time of a day, in seconds.
    fileprivate static func timeOfDay(_ range: Range<Int>, _ pattern: String, right: String) -> FieldKind {
        FieldKind(
            .text(pattern: pattern), read: { $0.timeOfDay(range, right: right) },
            value: { .text("\(($0 / 3600).twoDigits):\(($0 / 60 % 60).twoDigits)") })
    }
}
