import Base
import Feeds
import Layout
import Scene

/// When the next iteration of a group begins, and which feeds take part in it.
struct IterationPlan {
    let clocks: Clocks
    let feeds: Table<FeedID, Feed>

    /// Returns the number of iterations, from this one on, in which the same members take part.
    func iterationsAlike(_ group: GroupID) -> Int {
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
    func members(of group: GroupID) -> [Feed] {
        let iteration = clocks[group].iterations.number
        return feeds.filter {
            $0.group == group && !$0.isLive
                && ($0.phase == .playing || $0.phase == .ended && $0.anchor.iteration == iteration && !$0.slots.isEmpty)
        }
    }

    /// Returns the start of the next iteration: the end of the longest (or shortest) member, in group time. nil if
    /// there is none, or while a member's length is unknown. A member that was never opened does not count.
    func nextIterationStart(of id: GroupID) -> Time? {
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
}
