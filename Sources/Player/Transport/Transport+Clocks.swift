import Base
import Commands
import Decoded
import Feeds

// Moves of a group through time change its clock. The frames follow from the timelines.
extension Transport {
    func pause(_ group: GroupID, _ switching: Change.Switching, at now: Time) {
        clocks.pause(group, switching, at: now, after: startDelay)
    }

    /// Moves the clock of a group to `position`. The clock waits for its feeds' frames, at most for `wait`, and goes on as
    /// before.
    func seek(
        _ group: GroupID, to position: Time, keepingBefore lead: Time = .zero, atMost wait: Time = longestSeekWait,
        at now: Time
    ) {
        let tolerance = clocks[group].dueTolerance
        let target = clocks[group].abLoop?.clamped(position, tolerance: tolerance) ?? max(.zero, position)
        clocks[group].seek(to: target, at: now, until: now + wait)
        for feed in feeds where feed.group == group && !feed.isLive {
            feed.arrive(context(of: feed, at: now), keepingBefore: lead)
        }
    }

    // MARK: steps

    /// Steps to the next or previous frame of `feed`. The others follow the clock.
    func step(by count: Int, _ group: GroupID, of feed: Feed, at now: Time) {
        var target = clocks[group].clock.position(at: now)
        clocks.pause(group, at: now)
        let tolerance = clocks[group].dueTolerance, phase = feed.watched.pairShift
        for _ in 0..<abs(count) where !feed.isLive {
            let due = target + tolerance + phase
            target = count > 0 ? feed.slots.nextFrame(after: due) : feed.slots.previousFrame(before: due)
            target -= phase
        }
        let lead = count < 0 ? Depth.behind : .zero
        seek(group, to: wrapStep(to: target, group), keepingBefore: lead, atMost: Self.longestStepWait, at: now)
        if count < 0, !feed.isLive { clocks[group].jump.alignsTo = feed.id }
    }

    /// Wraps a step in an A-B loop: over its end to its beginning, and back.
    private func wrapStep(to target: Time, _ group: GroupID) -> Time {
        guard let abLoop = clocks[group].abLoop else { return target }
        if target < abLoop.begin { return abLoop.end - clocks[group].dueTolerance - Time(ticks: 1) }
        guard target >= abLoop.end else { return target }
        setBack(group, by: 1)
        return target - abLoop.length
    }

    /// Steps to the start of the next frame of any feed of the group, or to the one before.
    func stepOfAny(by count: Int, _ group: GroupID, at now: Time) {
        let members = feeds.filter { $0.group == group && !$0.isLive && $0.hasSeat }
        if clocks[group].motionToCome == .running { clocks.pause(group, at: now) }
        var target = clocks[group].destination(at: now)
        let tolerance = clocks[group].dueTolerance
        for _ in 0..<abs(count) {
            // A frame that begins within the tolerance is on the screen already.
            let groupTime = count > 0 ? target + tolerance : target - tolerance
            let beginnings = members.map { feed in
                let due = groupTime + feed.watched.pairShift
                return (count > 0 ? feed.slots.nextFrame(after: due) : feed.slots.beginning(before: due))
                    - feed.watched.pairShift
            }
            let next =
                count > 0 ? beginnings.filter { $0 > groupTime }.min() : beginnings.filter { $0 < groupTime }.max()
            target = max(.zero, next ?? target)
        }
        clocks[group].jump.pending = .frame(at: wrapStep(to: target, group))
        continueJump(group, at: now)
    }

    /// Goes to the last frame of the item on a feed's screen. The others of its group follow the clock.
    func goToEnd(of feed: Feed, _ item: Range<Time>, at now: Time) {
        let group = feed.group
        clocks.pause(group, at: now)
        // The following item is due this long before the item's end.
        let early = clocks[group].dueTolerance + feed.watched.pairShift
        seek(group, to: item.upperBound - early - Time(ticks: 1), keepingBefore: Depth.behind, at: now)
        clocks[group].jump.alignsTo = feed.id
    }

    /// Returns the target of a seek, in group time. nil if there is no item to seek in.
    func target(of seek: Change.Seek, from: Time, in item: Range<Time>?) -> Time? {
        func part(_ share: Double, of item: Range<Time>) -> Time {
            (item.upperBound - item.lowerBound).part(share / 100)
        }
        return switch (seek, item) {
        case (.by(let change), _): from + change
        case (_, nil): nil
        case (.to(let place), let item?): max(item.lowerBound, item.lowerBound + place)
        case (.byPercent(let share), let item?): max(item.lowerBound, from + part(share, of: item))
        case (.toPercent(let share), let item?): max(item.lowerBound, item.lowerBound + part(share, of: item))
        }
    }
}
