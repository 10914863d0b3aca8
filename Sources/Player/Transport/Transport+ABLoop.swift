import Base
import Feeds
import Layout

// A-B loops of groups: setting the marks, and setting the clock back at the end.
extension Transport {
    /// Sets the clocks that have reached the end of their A-B loop back to its beginning, and their feeds with them.
    /// Returns the wall time at which the next A-B loop ends.
    @discardableResult func turnABIterations(at now: Time) -> Time? {
        var next = Earliest()
        for group in clocks.ids {
            guard let abLoop = clocks[group].abLoop else { continue }
            let over = clocks[group].clock.position(at: now) - abLoop.end
            if over >= .zero { setBack(group, by: Int(over.ticks / abLoop.length.ticks) + 1) }
            next.add(clocks[group].clock.wallTime(of: abLoop.end))
        }
        return next.instant
    }

    /// Sets a group and its feeds back by that many iterations. The shown frames and their timing do not change.
    func setBack(_ group: GroupID, by abIterations: Int) {
        clocks[group].setBack(by: abIterations)
        for feed in feeds where feed.group == group && !feed.isLive { feed.setBack(by: abIterations) }
    }

    /// Sets the marks. The clock goes to the beginning of a changed A-B loop; if the loop is removed, the clock goes
    /// on.
    func set(_ marks: ABLoopMarks, of group: GroupID, shortest: Time, at now: Time) {
        let before = clocks[group].abLoop
        clocks[group].mark(marks, shortest: shortest)
        guard clocks[group].abLoop != before else { return }
        for feed in feeds where feed.group == group { feed.settleABLoop(self.group(of: feed)) }
        if let abLoop = clocks[group].abLoop { seek(group, to: abLoop.begin, at: now) }
    }

    /// Lets the reported position of a group follow the clock again. `length`: time by which the clock is set back, as
    /// if it had been paused; nil to leave the clock.
    func releasePosition(of group: GroupID, settingBackBy length: Time?) {
        guard clocks[group].releasePosition(settingBackBy: length), let length else { return }
        for feed in feeds where feed.group == group && !feed.isLive { feed.setBack(by: length) }
    }

    /// Ends the A-B loop, because its sequence or its layout was replaced.
    func endABLoop(of group: GroupID, at now: Time) { set(ABLoopMarks(), of: group, shortest: .zero, at: now) }
}
