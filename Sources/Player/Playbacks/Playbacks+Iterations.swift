import Base
import Feeds
import Layout
import Scene

// Iterations that begin together: when the next one begins, and which feeds take part in it.
extension Playbacks {
    /// Returns the wall time at which the next iteration begins, and the groups that from now on iterate separately.
    /// `isAwaited`: returns true if a feed waits for a source.
    mutating func turnIterations(at now: Time, unless isAwaited: (FeedID) -> Bool) -> (
        next: Time?, separated: [GroupID]
    ) {
        var (upcoming, separated) = (Earliest(), [GroupID]())
        for group in clocks.ids where clocks[group].isTogether && !awaitsLengths(group, isAwaited) {
            let groupTime = clocks[group].dueTime(at: now)
            noteNextIteration(of: group, at: groupTime)
            while let next = clocks[group].iterations.nextStart, next <= groupTime {
                // Iterations of equal length are counted at once: there may be billions.
                let length = next - clocks[group].iterations.start
                let alike = plan.iterationsAlike(group)
                let iterations = min(
                    alike, max(1, Int((groupTime - clocks[group].iterations.start).ticks / length.ticks)))
                clocks[group].countIterations(iterations, of: length)
                if !clocks[group].isTogether { separated.append(group) }
                if clocks[group].isTogether { noteNextIteration(of: group, at: groupTime) }
            }
            clocks[group].noteIterationsAtBegin()
            if let next = clocks[group].iterations.nextStart {
                upcoming.add(clocks[group].clock.wallTime(of: next))
            }
        }
        return (upcoming.instant, separated)
    }

    /// Sets the start of the next iteration. If a source does not answer, the length of this iteration may become known
    /// after its end: it then ends now, and the next one starts from its beginning.
    private mutating func noteNextIteration(of group: GroupID, at groupTime: Time) {
        let isLate = clocks[group].iterations.lacksLength && clocks[group].hasStarted
        let next = plan.nextIterationStart(of: group).map { isLate ? max($0, groupTime) : $0 }
        let iteration = clocks[group].iterations.number
        let isExpected =
            next == nil && plan.members(of: group).contains { $0.timeline.takesPart(inIteration: iteration + 1) }
        clocks[group].noteNextIteration(at: next, isExpected: isExpected)
    }

    /// Computes the start of the next iteration again, after a member's sequence changed.
    mutating func sequenceHasChanged(in group: GroupID) {
        guard clocks[group].isTogether, clocks[group].hasStarted else { return }
        let next = plan.nextIterationStart(of: group)
        clocks[group].noteNextIteration(at: next)
    }

    private var plan: IterationPlan { IterationPlan(clocks: clocks, feeds: feeds) }
}

extension PlaybackParts {
    /// Returns true while a group that has not started is opening sources. Until then the group counts no iterations,
    /// so that its first one does not depend on which source opens first.
    fileprivate func awaitsLengths(_ group: GroupID, _ isAwaited: (FeedID) -> Bool) -> Bool {
        !clocks[group].hasStarted
            && feeds.contains { $0.group == group && $0.phase == .playing && !$0.isOpen && isAwaited($0.id) }
    }
}
