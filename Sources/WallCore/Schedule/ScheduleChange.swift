/// What the schedule shows from now on.
public struct ScheduleChange: Sendable, Equatable {
    /// The entry's name; nil: none applies.
    public var entry: String?
    /// The layout's file; nil: the one that was loaded, or none.
    public var layout: String?
    public var isDisplayOn = true
    /// false: it could not be shown, and what was shown before stays.
    public var isDone = true

    /// The layout itself.
    public static let none = ScheduleChange(to: nil)

    public init(to due: Schedule.Entry?) {
        entry = due?.name
        switch due?.shows {
        case .layout(let path): layout = path
        case .displayOff: isDisplayOn = false
        case nil: break
        }
    }

    /// As the trace and the socket's clients read it.
    public var fields: [PropertyField] {
        [
            PropertyField("name", entry.map { .text($0) } ?? .null),
            PropertyField("show", layout.map { .text($0) } ?? .null),
            PropertyField("display", .text(isDisplayOn ? "on" : "off")), PropertyField("ok", .flag(isDone)),
        ]
    }
}
