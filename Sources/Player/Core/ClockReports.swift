import Base
import Feeds

/// The states of clocks that were reported last. A clock whose state differs now is reported.
struct ClockReports {
    private var known: [GroupID: State] = [:]

    private struct State {
        let state: Event.ClockState
        let motionToCome: Clock.Motion
        let isSuspended: Bool
        let positionIsHeld: Bool
        let clock: Clock
        let totalSetBack: Time

        init(_ group: Group, isSuspended: Bool) {
            (state, motionToCome, self.isSuspended) = (group.reportedState, group.motionToCome, isSuspended)
            (positionIsHeld, clock, totalSetBack) = (group.positionIsHeld, group.clock, group.totalSetBack)
        }

        /// True if a program that knows `self` must learn `next`. The jump back at the end of an A-B loop is not
        /// reported.
        func isReported(before next: State, at now: Time) -> Bool {
            if state != next.state || motionToCome != next.motionToCome || isSuspended != next.isSuspended {
                return true
            }
            if positionIsHeld && !next.positionIsHeld || clock.rate != next.clock.rate { return true }
            return clock != next.clock
                && clock.position(at: now) + totalSetBack != next.clock.position(at: now) + next.totalSetBack
        }
    }

    /// Returns the groups with clocks that have changed since the last call. A new group of the layout is not reported.
    /// The new clock of a tile that is moved alone is.
    mutating func update(_ clocks: Clocks, at now: Time) -> [GroupID] {
        var changed: [GroupID] = []
        for id in clocks.ids {
            let next = State(clocks[id], isSuspended: clocks.isSuspended(id))
            if known[id].map({ $0.isReported(before: next, at: now) }) ?? clocks[id].isAlone { changed.append(id) }
            known[id] = next
        }
        if known.count > clocks.count { known = known.filter { clocks.contains($0.key) } }
        return changed
    }
}
