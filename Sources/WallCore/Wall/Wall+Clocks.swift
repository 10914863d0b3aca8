// What a user does in time is a change of a clock; frames follow from the timelines.
extension Wall {
    // MARK: clocks

    mutating func pause(_ group: GroupID, _ switching: Command.Switching, at wall: Time) {
        if clocks.pause(group, switching, at: wall, after: frameHold) { tellClock(group, at: wall) }
        sharpenCompared(in: group, at: wall)
    }

    mutating func setRate(of group: GroupID, _ change: Command.RateChange, at wall: Time) {
        clocks[group].setRate(change, at: wall)
        tellClock(group, at: wall)
    }

    /// To a place in the item on screen, or by so much; the others of its group move by the same. A key frame is
    /// one of this tile's, and never sought where feeds loop together.
    mutating func seek(
        _ tile: TileID, _ seek: Command.Seek, _ scope: Command.Scope, toKeyFrame: Bool = false, at wall: Time
    ) -> Bool {
        let group = group(of: tile, scope)
        let from = clocks[group].destination(at: wall)
        let feed = feeds[tiles[tile].feed]
        guard var target = target(of: seek, from: from, in: feed.itemOnScreen) else { return false }
        if toKeyFrame, !clocks[group].isTogether { target = feed.keyFrame(near: target) ?? target }
        jump(group, by: target - from, at: wall)
        return true
    }

    /// In group time; nil: there is no item to seek in.
    private func target(of seek: Command.Seek, from: Time, in item: Range<Time>?) -> Time? {
        if case .by(let change) = seek { return from + change }
        guard let item else { return nil }
        let length = item.upperBound - item.lowerBound
        let target =
            switch seek {
            case .by(let change): from + change
            case .to(let place): item.lowerBound + place
            case .byPercent(let share): from + length.part(share / 100)
            case .toPercent(let share): item.lowerBound + length.part(share / 100)
            }
        return max(target, item.lowerBound)
    }

    /// The clock of a group goes to `position`, waits for its feeds' frames, and goes on as it was.
    mutating func seek(_ group: GroupID, to position: Time, entering: Time = .zero, at wall: Time) {
        let tolerance = clocks[group].dueTolerance
        let target = clocks[group].passage?.clamped(position, tolerance: tolerance) ?? max(.zero, position)
        clocks[group].seek(to: target, at: wall, until: wall + Self.longestSeekWait)
        for feed in feeds.ids where feeds[feed].group == group && !feeds[feed].isLive {
            feeds[feed].arrive(moment(of: feed, at: wall), entering: entering, &orders)
        }
        tellClock(group, at: wall)
    }

    // MARK: steps

    /// To the next or previous frame of `feed`; the others follow the clock.
    mutating func step(by count: Int, _ group: GroupID, of feed: FeedID, at wall: Time) {
        let now = clocks[group].clock.position(at: wall)
        let wasRunning = clocks[group].motionToCome == .running
        clocks.stand(group, at: wall)
        var target = now
        let tolerance = clocks[group].dueTolerance, phase = feeds[feed].framePhase
        for _ in 0..<abs(count) where !feeds[feed].isLive {
            let due = target + tolerance + phase
            target = count > 0 ? feeds[feed].nextFrame(after: due) : feeds[feed].previousFrame(before: due)
            target -= phase
        }
        if wasRunning { sharpenCompared(in: group, at: wall) }
        target = stepped(to: target, group)
        seek(group, to: target, entering: count < 0 ? Depth.behind : .zero, at: wall)
        if count < 0, !feeds[feed].isLive { clocks[group].align(to: feed) }
    }

    /// Steps go round in a passage: over its end to its beginning, and back.
    private mutating func stepped(to target: Time, _ group: GroupID) -> Time {
        guard let passage = clocks[group].passage else { return target }
        if target < passage.begin { return passage.end - clocks[group].dueTolerance - Time(ticks: 1) }
        guard target >= passage.end else { return target }
        windBack(group, by: 1)
        return target - passage.length
    }

    /// To where the next frame of any feed of the group begins, or the one before.
    mutating func stepOfAny(by count: Int, _ group: GroupID, at wall: Time) {
        let members = feeds.ids.filter { feeds[$0].group == group && !feeds[$0].isLive && feeds[$0].hasSeat }
        if clocks[group].motionToCome == .running {
            clocks.stand(group, at: wall)
            sharpenCompared(in: group, at: wall)
        }
        var target = clocks[group].destination(at: wall)
        let tolerance = clocks[group].dueTolerance
        for _ in 0..<abs(count) {
            // A frame that begins within the tolerance is on the screen already.
            let now = count > 0 ? target + tolerance : target - tolerance
            let beginnings = members.map { member -> Time in
                let feed = feeds[member], due = now + feed.framePhase
                return (count > 0 ? feed.nextFrame(after: due) : feed.beginning(before: due)) - feed.framePhase
            }
            let next = count > 0 ? beginnings.filter { $0 > now }.min() : beginnings.filter { $0 < now }.max()
            target = max(.zero, next ?? target)
        }
        target = stepped(to: target, group)
        jump(group, by: target - clocks[group].destination(at: wall), at: wall)
    }

    /// To the last frame of the tile's item; the others of its group follow the clock.
    mutating func goToEnd(_ tile: TileID, _ scope: Command.Scope, at wall: Time) -> Bool {
        guard feeds[tiles[tile].feed].itemOnScreen != nil else { return false }
        let group = group(of: tile, scope), feed = tiles[tile].feed
        guard let item = feeds[feed].itemOnScreen else { return false }
        clocks.stand(group, at: wall)
        // The following item is due this long before the item's end.
        let early = clocks[group].dueTolerance + feeds[feed].framePhase
        seek(group, to: item.upperBound - early - Time(ticks: 1), entering: Depth.behind, at: wall)
        clocks[group].align(to: feed)
        return true
    }

    // MARK: what is told of them

    func state(of group: GroupID) -> Event.ClockState {
        if case .going = clocks[group].phase {
            return clocks[group].clock.motion == .running ? .playing : .paused
        }
        return .waiting
    }

    mutating func tellClock(_ group: GroupID, at wall: Time) {
        tell(
            .clock(
                group: clocks[group].name, state: state(of: group), position: clocks[group].toldPosition(at: wall),
                rate: clocks[group].clock.rate, isFocused: focusedFeed.map { feeds[$0].group == group } ?? false),
            at: wall)
    }
}
