import Base
import Feeds

// Iterations that begin together: when the next one begins, and which feeds take part in it.
extension Transport {
    /// Returns the wall time at which the next iteration begins, and the groups that from now on iterate separately.
    /// `isAwaited`: returns true if a feed waits for a source.
    func turnIterations(at now: Time, unless isAwaited: (FeedID) -> Bool) -> (next: Time?, separated: [GroupID]) {
        var (upcoming, separated) = (Earliest(), [GroupID]())
        for group in clocks.ids where clocks[group].isTogether && !awaitsLengths(group, isAwaited) {
            let groupTime = clocks[group].dueTime(at: now)
            noteNextIteration(of: group, at: groupTime)
            while let next = clocks[group].iterations.nextStart, next <= groupTime {
                // Iterations of equal length are counted at once: there may be billions.
                let length = next - clocks[group].iterations.start
                let alike = iterationsAlike(group)
                let iterations = min(
                    alike, max(1, Int((groupTime - clocks[group].iterations.start).ticks / length.ticks)))
                clocks[group].iterations.turn(iterations, of: length)
                if !clocks[group].isTogether { separated.append(group) }
                if clocks[group].isTogether { noteNextIteration(of: group, at: groupTime) }
            }
            clocks[group].noteIterationsAtBegin()
            if let next = clocks[group].iterations.nextStart { upcoming.add(clocks[group].clock.wallTime(of: next)) }
        }
        return (upcoming.instant, separated)
    }

    /// Sets the start of the next iteration. If a source does not answer, the length of this iteration may become known
    /// after its end: it then ends now, and the next one starts from its beginning.
    private func noteNextIteration(of group: GroupID, at groupTime: Time) {
        let isLate = clocks[group].iterations.lacksLength && clocks[group].hasStarted
        let next = nextIterationStart(of: group).map { isLate ? max($0, groupTime) : $0 }
        let iteration = clocks[group].iterations.number
        let isExpected =
            next == nil && members(of: group).contains { $0.timeline.takesPart(inIteration: iteration + 1) }
        clocks[group].iterations.setNextStart(next, isExpected: isExpected)
    }

    /// Computes the start of the next iteration again, after a member's sequence changed.
    func sequenceHasChanged(in group: GroupID) {
        guard clocks[group].isTogether, clocks[group].hasStarted else { return }
        clocks[group].iterations.nextStart = nextIterationStart(of: group)
    }

    /// Returns true while a group that has not started is opening sources. Until then the group counts no iterations,
    /// so that its first one does not depend on which source opens first.
    private func awaitsLengths(_ group: GroupID, _ isAwaited: (FeedID) -> Bool) -> Bool {
        !clocks[group].hasStarted
            && feeds.contains { $0.group == group && $0.phase == .playing && !$0.isOpen && isAwaited($0.id) }
    }

    /// Returns the number of iterations, from this one on, in which the same members take part.
    private func iterationsAlike(_ group: GroupID) -> Int {
        let iteration = clocks[group].iterations.number
        let counts = members(of: group).map { feed in
            if case .iterations(let count) = feed.timeline.loop { count } else { Int.max }
        }
        let next = counts.filter { $0 > iteration }.min() ?? .max
        // If no feed takes part in the iteration after those, the group stays in the last of them, which is not
        // counted.
        return (next == counts.max() && next < .max ? next - 1 : next) - iteration
    }

    /// Returns the feeds that play in the current iteration, and the feeds that have ended for good in it.
    private func members(of group: GroupID) -> [Feed] {
        let iteration = clocks[group].iterations.number
        return feeds.filter {
            $0.group == group && !$0.isLive
                && ($0.phase == .playing || $0.phase == .ended && $0.anchor.iteration == iteration && !$0.slots.isEmpty)
        }
    }

    /// Returns the start of the next iteration: the end of the longest (or shortest) member, in group time. nil if
    /// there is none, or while a member's length is unknown. A member that was never opened does not count.
    private func nextIterationStart(of id: GroupID) -> Time? {
        let group = clocks[id]
        let members = members(of: id)
        guard members.contains(where: { $0.timeline.takesPart(inIteration: group.iterations.number + 1) }) else {
            return nil
        }
        var ends: [Time] = [], longestDelay = Time.zero
        for member in members where member.timeline.takesPart(inIteration: group.iterations.number) {
            // A source that does not answer makes its member's iteration longer.
            if group.hasStarted, member.phase == .playing, member.slots.indices.contains(where: member.reel.isAwaited) {
                return nil
            }
            if let length = member.timeline.length(ofIteration: group.iterations.number) {
                let origin =
                    member.anchor.iteration == group.iterations.number
                    ? member.anchor.origin : group.iterations.start - member.anchor.offset
                guard length > .zero, origin + length > group.iterations.start else { continue }
                ends.append(origin + length + member.course.delay(inIteration: group.iterations.number))
                guard group.until == .shortest else { continue }
                // Items on top make the iteration longer, on whichever tile they are.
                let delay = member.timeline.delay(inIteration: group.iterations.number)
                ends[ends.count - 1] -= delay
                longestDelay = max(longestDelay, delay)
            } else if member.isOpen {
                return nil
            }
        }
        return group.until == .longest ? ends.max() : ends.min().map { $0 + longestDelay }
    }

    // MARK: A-B loops

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
        clocks[group].setBack(abIterations: abIterations)
        for feed in feeds where feed.group == group && !feed.isLive { feed.setBack(abIterations: abIterations) }
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
