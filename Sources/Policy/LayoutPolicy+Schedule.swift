import Base
import Feeds
import Layout

// Changes that come by the system's clock: scheduled layouts, displays that are off, breaks.
extension LayoutPolicy {
    mutating func start(at moment: Moment) -> [LayoutAction] {
        followDisplay(.dueIsShown, at: moment) + [wake(after: moment), .onWorker(.showDue(began: nil))]
    }

    /// The display and the next call do not wait for files: a file server may not answer.
    mutating func instantCame(at moment: Moment) -> [LayoutAction] {
        followDisplay(.dueMayCome, at: moment) + [wake(after: moment), .onWorker(.catchUp)]
    }

    /// Shows the layout that is due.
    mutating func showDue(since began: Time, at moment: Moment) -> [LayoutAction] {
        let due = dueEntry(at: moment.instant, moment.zone)
        let change = FollowedChange(change: ScheduleChange(to: due), instant: moment.instant, began: began)
        switch due?.shows {
        case nil: return showLoaded(since: began) + [.then(.carryOutDue(change))]
        case .layout(let path): return show(path, change)
        case .displayOff: return [.then(.carryOutDue(change))]
        }
    }

    private mutating func showLoaded(since began: Time) -> [LayoutAction] {
        let (isShown, wasScheduled) = (isLoadedShown, scheduled != nil)
        (scheduled, refused, isLoadedShown) = (nil, nil, true)
        if isShown { return [] }
        return [show(loaded.layout, from: loaded.name, because: wasScheduled ? .schedule : .command, since: began)]
    }

    private mutating func show(_ path: String, _ change: FollowedChange) -> [LayoutAction] {
        if scheduled?.path == path {
            refused = nil
            return [.then(.carryOutDue(change))]
        }
        if refused?.path == path { return [.identify(path, change)] }
        return [read(path, .first, change)]
    }

    /// Retries a file that could not be shown, if the file has changed or the system refused it.
    func takeIdentity(_ file: FileIdentity?, _ change: FollowedChange) -> [LayoutAction] {
        guard let refused else { return [.then(.carryOutDue(change.failed))] }
        if refused.file != file { return [read(refused.path, .first, change)] }
        if refused.wasRead || file == nil { return [.then(.carryOutDue(change.failed))] }
        return [read(refused.path, .retry, change)]
    }

    private func read(_ path: String, _ attempt: LayoutFileRequest.Attempt, _ change: FollowedChange) -> LayoutAction {
        .read(LayoutFileRequest(name: path, use: .show(change), attempt: attempt, began: change.began))
    }

    /// Switches the display, requests the breaks that are due, and reports the change. Breaks are those of the layout
    /// that is shown from now on.
    mutating func carryOutDue(_ followed: FollowedChange, at moment: Moment) -> [LayoutAction] {
        var actions = followDisplay(.dueIsShown, at: moment)
        let breaks = takeDueBreaks(dueBy: followed.instant, moment.zone)
        // Play breaks only while the display is on.
        if followed.change.isDisplayOn { actions += breaks.map { .playBreak($0) } }
        if applied.note(followed.change) { actions.append(.emit(.schedule(followed.change))) }
        return actions + [wake(after: moment)]
    }

    /// Returns the names of the breaks whose time has come since the last call, and notes this call. Breaks that a
    /// change of the clock jumps over are left out.
    private mutating func takeDueBreaks(dueBy now: Int, _ zone: LocalTime) -> [String] {
        guard let before = applied.noteLook(at: now), (1...Self.longestLook).contains(now - before) else { return [] }
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
        let isLate = applied.display.map { $0 != .on && power(at: now, zone) == .on } ?? false
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

    private mutating func followDisplay(_ showing: Showing, at moment: Moment) -> [LayoutAction] {
        let power = power(at: moment.instant, moment.zone)
        if power == .on, showing == .dueMayCome,
            self.power(at: moment.instant - Self.longestShowing, moment.zone) != .on
        {
            return []
        }
        return applied.setDisplay(to: power, by: loaded.layout.schedule) ? [.setDisplay(power)] : []
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

extension FollowedChange {
    /// Returns this change, marked as one that could not be shown.
    var failed: FollowedChange {
        var failed = self
        failed.change.isDone = false
        return failed
    }
}
