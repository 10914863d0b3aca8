import Base
import Scene

/// Texts about the last command and about the wall as a whole.
struct Notices {
    /// Text on the last command, for as long as it is shown.
    private var notice: Notice?
    /// Message of the wall itself; nil if there is none.
    private var announcement: Notice?

    private struct Notice {
        let text: String
        let until: Time
    }

    /// Shows a notice until the next command, or for as long as marks stay.
    mutating func show(_ text: String, at now: Time) {
        notice = Notice(text: text, until: now + MarksVisibility.stay)
    }

    mutating func clear() { notice = nil }

    mutating func announce(_ text: String, for time: Time, at now: Time) {
        announcement = Notice(text: text, until: now + time)
    }

    mutating func endAnnouncement() { announcement = nil }

    /// The last command's text, and the wall time at which it goes; nil if there is none.
    func notice(at now: Time) -> (text: String, until: Time)? { Self.current(notice, at: now) }
    func announcement(at now: Time) -> (text: String, until: Time)? { Self.current(announcement, at: now) }

    private static func current(_ notice: Notice?, at now: Time) -> (text: String, until: Time)? {
        notice.flatMap { now < $0.until ? ($0.text, $0.until) : nil }
    }
}
