import Base
import Commands
import Console
import Engine
import Files
import Layout
import Player
import Threads

// Changes that come by the system's clock: scheduled layouts, displays that are off, breaks.
extension LayoutKeeper {
    /// Starts to follow the schedule of the loaded layout on `queue`, and to request breaks that come by the clock.
    func startSchedule(_ queue: TaskQueue) {
        timer.locked { timer in
            timer = CalendarTimer("schedule") { [self] in
                // The display and the next call do not wait for files: a file server may not answer.
                followDisplay(isShown: false)
                setTimer()
                _ = queue.add { [self] in
                    readRefusedAgain()
                    followSchedule()
                }
            }
        }
        followDisplay(isShown: true)
        setTimer()
        _ = queue.add { [self] in followSchedule() }
    }

    /// Shows the layout that is due, switches the display, and requests the breaks that are due.
    func followSchedule(since began: Int64 = monotonicNanoseconds()) {
        let schedule = layouts.locked { $0.loaded.layout.schedule }
        let now = SystemTime.now
        SystemTime.followZone()
        let due = schedule?.entry(at: now, .here).map { schedule!.entries[$0] }
        var change = ScheduleChange(to: due)
        switch due?.shows {
        case nil: showLoaded(since: began)
        case .layout(let path): change.isDone = showScheduled(path, since: began)
        case .displayOff: break
        }
        followDisplay(isShown: true)
        // Breaks are those of the layout that is shown from now on. Breaks that come while the display is off are left
        // out.
        let breaks = breaks(dueBy: now)
        if change.isDisplayOn { askFor(breaks) }
        if layouts.locked({ $0.applied.report(change) }) { emit(.schedule(change)) }
        setTimer()
    }

    func setTimer() {
        let (now, layouts) = (SystemTime.now, layouts.locked { $0 })
        let (shown, schedule) = (layouts.shown.layout, layouts.loaded.layout.schedule)
        let coming = shown.breaks(comingIn: now + 1..<now + Self.dayAhead, .here).first?.instant
        let change = schedule?.change(after: now, within: Self.dayAhead, .here)
        let isFollowed =
            schedule != nil || shown.breaks.contains { !$0.times.isEmpty } || !layouts.folders.unopened.isEmpty
            || !layouts.loaded.wasRead || layouts.scheduled?.wasRead == false
        let isLate = layouts.applied.display.map { $0 != .on && power(at: now) == .on } ?? false
        let next = [
            coming, change, isFollowed ? now + Self.longestRest : nil, isLate ? now + Self.longestShowing : nil,
        ].compactMap { $0 }.min()
        timer.locked { timer in
            if timer?.set(next) == false {
                printLine("quadrille: the schedule is not followed: the system has no thread for it")
            }
        }
    }

    /// Returns the breaks whose time has come since the last call. Breaks that a change of the clock jumps over are
    /// left out.
    private func breaks(dueBy now: Int) -> [String] {
        let (shown, before) = layouts.locked { ($0.shown.layout, $0.applied.lookForBreaks(at: now)) }
        guard let before, (1...Self.longestLook).contains(now - before) else { return [] }
        return shown.breaks(comingIn: max(before, now - Self.mostLate) + 1..<now + 1, .here).map(\.name)
    }

    private func askFor(_ breaks: [String]) {
        for name in breaks { wall.runner.change { wall, now in _ = wall.carryOut(.takeBreak(name), at: now) } }
    }

    /// Longest delay with which a break may come by the clock, in seconds.
    private static let mostLate = 5
    /// Longest time until another time zone is noticed, in seconds.
    private static let longestRest = 60
    /// Longest time that a display waits for frames before it is switched on, in seconds.
    private static let longestShowing = 5
    /// Longest time between two calls, in seconds. The timer calls far more often.
    private static let longestLook = 2 * dayAhead
    private static let dayAhead = LocalTime.secondsOfDay

    private func showLoaded(since began: Int64) {
        let (name, layout, isShown, wasScheduled) = layouts.locked { layouts in
            defer { layouts.showLoaded() }
            return (layouts.loaded.name, layouts.loaded.layout, layouts.isLoadedShown, layouts.scheduled != nil)
        }
        if isShown { return }
        show(layout, from: name, because: wasScheduled ? .schedule : .command, since: began)
    }

    /// Shows a scheduled layout. Returns false if it is wrong or gone. The layout before it then stays until the file
    /// changes, or can be read.
    private func showScheduled(_ path: String, since began: Int64) -> Bool {
        let (shown, refused) = layouts.locked { ($0.scheduled?.path, $0.refused) }
        if shown == path {
            layouts.locked { $0.refuse(nil) }
            return true
        }
        let before = refused.flatMap { $0.path == path && $0.file == FileIdentity(path: path) ? $0 : nil }
        if let before, before.wasRead || before.file == nil { return false }
        let (layout, file, wasRead) = read(path, isAgain: before != nil)
        let read = ScheduledLayout(path: path, file: file, wasRead: wasRead)
        guard let layout else {
            layouts.locked { $0.refuse(read) }
            watchFiles()
            return false
        }
        layouts.locked { $0.show(read) }
        show(layout, from: path, because: .schedule, since: began)
        return true
    }

    /// Switches the display as the schedule states. `isShown`: true if the due layout is shown. If it is not, switching
    /// on waits some seconds for it.
    private func followDisplay(isShown: Bool) {
        let now = SystemTime.now, power = power(at: now)
        if power == .on, !isShown, self.power(at: now - Self.longestShowing) != .on { return }
        setDisplay(to: power)
    }

    private func power(at instant: Int) -> DisplaySwitch.Power {
        guard let schedule = layouts.locked({ $0.loaded.layout.schedule }),
            let due = schedule.entry(at: instant, .here), case .displayOff(let cec) = schedule.entries[due].shows
        else { return .on }
        return .off(cec: cec)
    }

    private func setDisplay(to power: DisplaySwitch.Power) {
        let isNew = layouts.locked { $0.applied.setDisplay(to: power, by: $0.loaded.layout.schedule) }
        if isNew { setDisplay(power) }
    }
}
