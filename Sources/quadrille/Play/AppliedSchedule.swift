import Layout

/// The part of a schedule that was carried out last.
struct AppliedSchedule {
    /// Change that was reported last.
    private var reported = ScheduleChange.none
    /// Power of the display; nil until it was set once.
    private(set) var display: DisplaySwitch.Power?
    /// Time at which breaks were last looked for, in seconds since 1970; nil until then.
    private var lookedAt: Int?

    /// Returns true if the change is to be reported.
    mutating func report(_ change: ScheduleChange) -> Bool {
        defer { reported = change }
        return reported != change
    }

    /// Returns true if the display is to be switched. `schedule`: without one that switches the display, the program
    /// leaves the display alone.
    mutating func setDisplay(to power: DisplaySwitch.Power, by schedule: Schedule?) -> Bool {
        defer { display = power }
        let mayBeOff = schedule?.switchesDisplay ?? false
        return (display ?? (mayBeOff ? nil : .on)) != power
    }

    /// Notes that breaks are looked for. Returns the time at which they were looked for before.
    mutating func lookForBreaks(at now: Int) -> Int? {
        defer { lookedAt = now }
        return lookedAt
    }
}
