import Layout

/// The part of a schedule that was carried out last.
struct AppliedSchedule {
    /// Change that was reported last.
    private var reported = ScheduleChange.none
    /// Power of the display; nil until it was set once.
    private(set) var display: DisplayPower?
    /// Time at which breaks were last looked for, in seconds since 1970; nil until then.
    private var lookedAt: Int?

    /// Notes a change. Returns true if it is to be reported.
    mutating func note(_ change: ScheduleChange) -> Bool {
        defer { reported = change }
        return reported != change
    }

    /// Returns true if the display is to be switched. The program leaves the display alone unless `schedule` switches
    /// it.
    mutating func setDisplay(to power: DisplayPower, by schedule: Schedule?) -> Bool {
        defer { display = power }
        let mayBeOff = schedule?.switchesDisplay ?? false
        return (display ?? (mayBeOff ? nil : .on)) != power
    }

    /// Notes that breaks are looked for. Returns the time at which they were looked for before.
    mutating func noteLook(at now: Int) -> Int? {
        defer { lookedAt = now }
        return lookedAt
    }
}

/// Power of the display. `cec`: true if the television is switched off, too.
public enum DisplayPower: Sendable, Equatable { case on, off(cec: Bool) }
