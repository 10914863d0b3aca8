import Base

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
            PropertyField("name", entry.map { .text($0) } ?? .null),
            PropertyField("show", layout.map { .text($0) } ?? .null),
            PropertyField("display", .text(isDisplayOn ? "on" : "off")), PropertyField("ok", .flag(isDone)),
        ]
    }
}
