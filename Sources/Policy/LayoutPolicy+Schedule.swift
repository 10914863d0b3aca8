import Base
import Feeds
import Layout

// Changes that come by the system's clock: scheduled layouts, displays that are off, breaks.
extension LayoutPolicy {
    mutating func start(at moment: Moment) -> [LayoutAction] {
        followDisplay(.dueIsShown, at: moment) + [wake(after: moment), .onFiles(.dueMayDiffer)]
    }

    /// The display and the next call do not wait for files: a file server may not answer.
    mutating func instantCame(at moment: Moment) -> [LayoutAction] {
        followDisplay(.dueMayCome, at: moment) + [wake(after: moment), .onFiles(.catchUp)]
    }

    /// Shows the layout that is due.
    mutating func showDue(_ read: LayoutRead, at moment: Moment) throws(LayoutRead.Missing) -> [LayoutAction] {
        let due = dueEntry(at: moment.instant, moment.zone)
        let change = ScheduleChange(to: due)
        switch due?.shows {
        case nil: return try showLoaded(read, at: moment) + carryOutDue(change, at: moment)
        case .layout(let path): return try show(path, change, read, at: moment)
        case .displayOff: return carryOutDue(change, at: moment)
        }
    }

    private mutating func showLoaded(_ read: LayoutRead, at moment: Moment) throws(LayoutRead.Missing) -> [LayoutAction]
    {
        let (isShown, wasScheduled) = (isLoadedShown, scheduled != nil)
        (scheduled, refused, isLoadedShown) = (nil, nil, true)
        if isShown { return [] }
        let cause: ItemBeginning = wasScheduled ? .schedule : .command
        return try show(loaded.layout, from: loaded.name, because: cause, read, at: moment)
    }

    /// Shows a scheduled layout. A file that could not be shown is tried again if it has changed, or if the system
    /// refused it.
    private mutating func show(
        _ path: String, _ change: ScheduleChange, _ read: LayoutRead, at moment: Moment
    ) throws(LayoutRead.Missing) -> [LayoutAction] {
        if scheduled?.path == path {
            refused = nil
            return carryOutDue(change, at: moment)
        }
        var (attempt, failed) = (Attempt.first, change)
        failed.isDone = false
        if let refused, refused.path == path {
            let file = try read.identity(of: path)
            if refused.file == file {
                if refused.wasRead || file == nil { return carryOutDue(failed, at: moment) }
                attempt = .retry
            }
        }
        let (result, file) = try read.layout(path)
        let found = ScheduledLayout(path: path, file: file, wasRead: result.wasRead)
        guard let layout = result.written else {
            refused = found
            return report(on: result, attempt) + [.watch] + carryOutDue(failed, at: moment)
        }
        (scheduled, refused, isLoadedShown) = (found, nil, false)
        return try show(layout, from: path, because: .schedule, read, at: moment) + carryOutDue(change, at: moment)
    }

    /// Switches the display, requests the breaks that are due, and reports the change. Breaks are those of the layout
    /// that is shown from now on.
    mutating func carryOutDue(_ change: ScheduleChange, at moment: Moment) -> [LayoutAction] {
        var actions = followDisplay(.dueIsShown, at: moment)
        let breaks = takeDueBreaks(dueBy: moment.instant, moment.zone)
        // Play breaks only while the display is on.
        if change.isDisplayOn { actions += breaks.map { .playBreak($0) } }
        if reported != change { actions.append(.emit(.schedule(change))) }
        reported = change
        return actions + [wake(after: moment)]
    }

    /// Returns the names of the breaks whose time has come since the last call, and notes this call. Breaks that a
    /// change of the clock jumps over are left out.
    private mutating func takeDueBreaks(dueBy now: Int, _ zone: LocalTime) -> [String] {
        defer { lookedAt = now }
        guard let before = lookedAt, (1...Self.longestLook).contains(now - before) else { return [] }
        return shown.layout.breaks(comingIn: max(before, now - Self.mostLate) + 1..<now + 1, zone).map(\.name)
    }

    /// Returns the next instant at which something is due.
    func wake(after moment: Moment) -> LayoutAction {
        let (now, zone, schedule) = (moment.instant, moment.zone, loaded.layout.schedule)
        let coming = shown.layout.breaks(comingIn: now + 1..<now + Self.dayAhead, zone).first?.instant
        let change = schedule?.change(after: now, within: Self.dayAhead, zone)
        let isFollowed =
            schedule != nil || shown.layout.breaks.contains { !$0.times.isEmpty } || !sources.unopened.isEmpty
            || !loaded.wasRead || scheduled?.wasRead == false
        let isLate = display.map { $0 != .on && power(at: now, zone) == .on } ?? false
        let instants = [
            coming, change, isFollowed ? now + Self.longestRest : nil, isLate ? now + Self.longestShowing : nil,
        ]
        return .wake(at: instants.compactMap { $0 }.min())
    }

    /// Longest delay with which a break may come by the clock, in seconds.
    private static let mostLate = 5
    /// Longest time until another time zone is noticed, in seconds.
    private static let longestRest = 60
    /// Longest time that a display waits for frames before it is switched on, in seconds.
    private static let longestShowing = 5
    /// Longest time between two looks for breaks, in seconds. The timer calls far more often.
    private static let longestLook = 2 * dayAhead
    private static let dayAhead = LocalTime.secondsOfDay

    // MARK: the display

    private enum Showing {
        case dueIsShown
        /// The due layout may not be read yet: switching on waits some seconds for it.
        case dueMayCome
    }

    /// The program leaves the display alone unless the schedule switches it.
    private mutating func followDisplay(_ showing: Showing, at moment: Moment) -> [LayoutAction] {
        let power = power(at: moment.instant, moment.zone)
        if power == .on, showing == .dueMayCome,
            self.power(at: moment.instant - Self.longestShowing, moment.zone) != .on
        {
            return []
        }
        let mayBeOff = loaded.layout.schedule?.switchesDisplay ?? false
        defer { display = power }
        return (display ?? (mayBeOff ? nil : .on)) == power ? [] : [.setDisplay(power)]
    }

    /// Returns the power of the display that the schedule states.
    private func power(at instant: Int, _ zone: LocalTime) -> DisplayPower {
        guard case .displayOff(let cec) = dueEntry(at: instant, zone)?.shows else { return .on }
        return .off(cec: cec)
    }

    private func dueEntry(at instant: Int, _ zone: LocalTime) -> Schedule.Entry? {
        guard let schedule = loaded.layout.schedule else { return nil }
        return schedule.entry(at: instant, zone).map { schedule.entries[$0] }
    }
}
