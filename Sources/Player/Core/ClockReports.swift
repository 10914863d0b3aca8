import Base
import Feeds

/// The states of clocks that were reported last. A clock whose state differs now is reported.
struct ClockReports {
    private var known: [GroupID: State] = [:]

    private struct State {
        let group: Group
        let isSuspended: Bool

        /// True if a program that knows `self` must learn `next`. The jump back at the end of an A-B loop is not
        /// reported.
        func isReported(before next: State, at now: Time) -> Bool {
            let before = group, group = next.group
            if isSuspended != next.isSuspended || before.reportedState != group.reportedState { return true }
            if before.motionToCome != group.motionToCome || before.clock.rate != group.clock.rate { return true }
            if before.positionIsHeld && !group.positionIsHeld { return true }
            return before.clock != group.clock
                && before.clock.position(at: now) + before.totalSetBack
                    != group.clock.position(at: now) + group.totalSetBack
        }
    }

    /// Returns the groups with clocks that have changed since the last call. A new group of the layout is not reported.
    /// The new clock of a tile that is moved alone is.
    mutating func update(_ clocks: Clocks, at now: Time) -> [GroupID] {
        var changed: [GroupID] = []
        for id in clocks.ids {
            let next = State(group: clocks[id], isSuspended: clocks.isSuspended(id))
            if known[id].map({ $0.isReported(before: next, at: now) }) ?? clocks[id].isAlone { changed.append(id) }
            known[id] = next
        }
        if known.count > clocks.count { known = known.filter { clocks.contains($0.key) } }
        return changed
    }
}
