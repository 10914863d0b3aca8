import Base
import Decoded
import Feeds

// Jumps that follow each other: the newest wins, and none begins before the previous one has shown its frames.
// During a drag the user therefore sees frames, and no pipeline decodes for two places at once.
extension Transport {
    /// Longest time that a jump waits for the frames of the previous one. A step waits longer, since each frame is to be
    /// seen.
    private static var longestJump: Time { .seconds(1) }
    /// Steps requested faster than they can be shown are queued up to this number.
    private static var mostSteps: Int { 12 }

    /// Moves the clock to `position`.
    func jump(_ group: GroupID, to position: Time, at now: Time) {
        clocks[group].jump.pending = .position(max(.zero, position))
        continueJump(group, at: now)
    }

    func jump(_ group: GroupID, bySteps count: Int, of feed: FeedID, at now: Time) {
        let before = if case .steps(let steps, _) = clocks[group].jump.pending { steps } else { 0 }
        // A pending position is sought first, at once.
        if let wanted = clocks[group].jump.pending?.position { seek(group, to: wanted, at: now) }
        clocks[group].jump.pending = .steps(min(max(before + count, -Self.mostSteps), Self.mostSteps), of: feed)
        continueJump(group, at: now)
    }

    /// Returns the wall time at which the next jump begins at the latest.
    func continueJumps(at now: Time) -> Time? { clocks.ids.compactMap { continueJump($0, at: now) }.min() }

    /// Begins the pending jump of a group, unless the previous one is still under way.
    /// Returns the wall time at which it begins at the latest.
    @discardableResult func continueJump(_ group: GroupID, at now: Time) -> Time? {
        guard let wanted = clocks[group].jump.pending else { return nil }
        let patience = if case .position = wanted { Self.longestJump } else { Self.longestStepWait }
        if let since = clocks[group].jump.at, now < since + patience, !jumpIsShown(group, at: now) {
            return since + patience
        }
        switch wanted {
        case .frame(let position):
            seek(group, to: position, keepingBefore: .zero, atMost: Self.longestStepWait, at: now)
        case .position(let position):
            seek(group, to: position, keepingBefore: leadForDragBack(to: position, of: group, at: now), at: now)
        case .steps(_, let feed) where !feeds.contains(feed) || feeds[feed].group != group:
            clocks[group].jump.pending = nil
        case .steps(let count, let feed):
            step(by: count > 0 ? 1 : -1, group, of: feeds[feed], at: now)
            let left = count - count.signum()
            clocks[group].jump.pending = left == 0 ? nil : .steps(left, of: feed)
            if left != 0 { return min(now, continueJump(group, at: now) ?? now) }
        }
        // The clock waits now, and its frames may be there already.
        return now
    }

    /// Aligns clocks with the start of the frame that they stepped back to. The start is known as soon as the frame is
    /// decoded.
    func alignClocks(at now: Time) {
        for group in clocks.ids {
            guard let id = clocks[group].jump.alignsTo, feeds.contains(id), case let feed = feeds[id],
                let due = feed.timesOfFrame(at: context(of: feed, at: now).dueTime)
            else { continue }
            clocks[group].align(at: due.begin - feed.watched.pairShift, at: now)
        }
    }

    // MARK: scrubs: a drag over a tile moves its clock

    /// Starts a scrub. A tile that is not ready, or has no length, does not scrub. During a jump the scrub starts at
    /// the position to which the jump goes. `position`: group time that the bar under the pointer shows; nil if there
    /// is no bar. `width`: pixels that stand for the length of the item.
    func grab(_ tile: TileID, of feed: Feed, at position: Time?, width: Int, now: Time) {
        guard clocks.scrub == nil, let item = feed.itemOnScreen, clocks[feed.group].hasStarted else { return }
        clocks.grab(tile, feed.group, at: position, item: item, width: max(1, width), now: now)
    }

    func drag(by pixels: Int, at now: Time) {
        guard let scrub = clocks.scrub else { return }
        clocks[scrub.group].jump.pending = .position(scrub.position(movedBy: pixels))
        continueJump(scrub.group, at: now)
    }

    /// Ends a scrub. The clock goes to the newest position, and then on as before.
    func endScrub(at now: Time) {
        guard let ended = clocks.endScrub() else { return }
        if let wanted = clocks[ended.group].jump.pending?.position { seek(ended.group, to: wanted, at: now) }
        if ended.motion == .running {
            clocks[ended.group].run(at: now, after: startDelay)
        } else {
            clocks[ended.group].pause(at: now)
        }
    }

    /// Returns the group time from which a jump by an amount counts: the clock's position, or the target of a pending
    /// jump. The clock of a group that has ended goes on, and its end counts.
    func origin(ofJumpOf group: GroupID, at now: Time) -> Time {
        min(clocks[group].destination(at: now), end(of: group) ?? .distantFuture)
    }

    /// Returns the group time at which the last tile has ended. nil while a tile still plays.
    private func end(of group: GroupID) -> Time? {
        let members = feeds.filter { $0.group == group && !$0.tiles.isEmpty && $0.hasSeat && !$0.isLive }
        guard members.allSatisfy({ $0.phase == .ended }) else { return nil }
        return members.compactMap { $0.slots.last?.end }.max()
    }

    /// Returns how much before a jump's position frames are decoded and kept, too. A slow drag backwards shows these
    /// frames next. A faster drag would pass them.
    private func leadForDragBack(to position: Time, of group: GroupID, at now: Time) -> Time {
        let back = clocks[group].clock.position(at: now) - position
        return clocks.scrub?.group == group && back > .zero && back <= Depth.behind ? Depth.behind : .zero
    }

    /// Returns true if every playing feed of a group has shown the frame for the clock's position.
    private func jumpIsShown(_ group: GroupID, at now: Time) -> Bool {
        feeds.allSatisfy { $0.group != group || $0.isLive || $0.hasShown(context(of: $0, at: now).dueTime) }
    }

    /// Returns true if a feed has its due frame while its group's clock waits for the frames of other feeds. The feed
    /// stops decoding, to leave the cores to them.
    func mustYieldCores(_ feed: Feed, at now: Time) -> Bool {
        let group = clocks[feed.group]
        guard !feed.isLive, group.hasStarted, group.clock.motion == .paused,
            feed.holdsFrame(at: context(of: feed, at: now).dueTime)
        else { return false }
        switch group.phase {
        case .asleep: return false
        case .waiting(_, .paused): return true
        case .waiting(_, .running): return clocks.scrub != nil || feed.slots[0].framesLeft >= Depth.fewestFrames
        case .going: return clocks.scrub?.group == feed.group && !jumpIsShown(feed.group, at: now)
        }
    }
}
