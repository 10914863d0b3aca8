import Base
import Commands
import Layout
import Scene

// A-B loops of groups: setting the marks, and setting the clock back at the end.
extension Wall {
    /// Sets the clocks that have reached the end of their A-B loop back to its beginning, and their feeds with them.
    mutating func turnABIterations(at now: Time) {
        for group in clocks.ids {
            guard let abLoop = clocks[group].abLoop else { continue }
            let over = clocks[group].clock.position(at: now) - abLoop.end
            if over >= .zero { windBack(group, by: Int(over.ticks / abLoop.length.ticks) + 1) }
            effects.scheduleUpdate(at: clocks[group].clock.wallTime(of: abLoop.end))
        }
    }

    /// Sets a group and its feeds back by that many iterations. The shown frames and their timing do not change.
    mutating func windBack(_ group: GroupID, by abIterations: Int) {
        clocks[group].windBack(by: abIterations)
        for feed in feeds.ids where feeds[feed].group == group && !feeds[feed].isLive {
            feeds[feed].windBack(by: abIterations)
        }
    }

    // MARK: marks

    mutating func mark(_ change: Command.ABLoopChange, of tile: TileID, _ scope: Command.Scope, at now: Time) -> Bool {
        let player = scope == .group ? player(of: tile) : movable(tile)
        if feeds[tiles[player].feed].isLive {
            showNotice("a live source has no A-B loop", at: now)
            return false
        }
        guard clocks[feeds[tiles[player].feed].group].hasStarted else { return false }
        let group = group(of: tile, scope)
        let feed = feeds[tiles[player].feed]
        var marks = clocks[group].marks
        switch change {
        case .next where marks.a != nil && marks.b != nil: marks = ABLoopMarks()
        case .next where marks.a == nil: marks.a = frameOnScreen(of: feed, at: now)
        case .next: marks.b = frameOnScreen(of: feed, at: now)
        case .a(let time): marks.a = time.flatMap { instant($0, inItemOf: feed) }
        case .b(let time): marks.b = time.flatMap { instant($0, inItemOf: feed) }
        }
        set(marks, of: group, shortest: frameLength(of: player) ?? .milliseconds(40), at: now)
        showMarksNotice(of: feeds[tiles[player].feed], at: now)
        return true
    }

    /// Extent of the frame on the screen; if there is none, the clock's position as an empty range.
    private func frameOnScreen(of feed: Feed, at now: Time) -> Range<Time> {
        let groupTime = context(of: feed.id, at: now).groupTime, phase = feed.framePhase
        guard let begin = feed.beginningOfFrame(at: groupTime), let end = feed.endOfFrame(at: groupTime), begin < end,
            groupTime < end
        else { return clocks[feed.group].clock.instant(at: now) }
        return begin - phase..<end - phase
    }

    /// Group time of a place in the item that a feed plays.
    private func instant(_ place: Time, inItemOf feed: Feed) -> Range<Time>? {
        guard let front = feed.slots.first, let start = front.start else { return nil }
        let instant = max(.zero, start - feed.timeline.length(ofSegmentsBefore: front.run) + max(.zero, place))
        return instant..<instant
    }

    /// Sets the marks. The clock goes to the beginning of a changed A-B loop; if the loop is removed, the clock goes
    /// on.
    private mutating func set(_ marks: ABLoopMarks, of group: GroupID, shortest: Time, at now: Time) {
        let before = clocks[group].abLoop
        clocks[group].mark(marks, shortest: shortest)
        guard clocks[group].abLoop != before else { return }
        for feed in feeds.ids where feeds[feed].group == group {
            feeds[feed].settleABLoop(self.group(of: feed), &effects)
        }
        if let abLoop = clocks[group].abLoop { seek(group, to: abLoop.begin, at: now) }
    }

    /// Ends the A-B loop, because its sequence or its layout was replaced.
    mutating func endABLoop(of group: GroupID, at now: Time) {
        set(ABLoopMarks(), of: group, shortest: .zero, at: now)
    }

    // MARK: notices

    private mutating func showMarksNotice(of feed: Feed, at now: Time) {
        let marks = clocks[feed.group].marks
        let texts = [("A", marks.a?.lowerBound), ("B", marks.b?.upperBound)].compactMap { name, time in
            time.flatMap { placeInItem($0, of: feed) }.map { "\(name) \($0.clockText(.milliseconds))" }
        }
        showNotice(texts.isEmpty ? "no A-B loop" : texts.joined(separator: "  "), at: now)
    }

    /// Converts a group time to a place in the item that a feed plays. The end of an item belongs to that item.
    func placeInItem(_ time: Time, of feed: Feed) -> Time? {
        guard let front = feed.slots.first, let start = front.start else { return nil }
        let place = time - start + feed.timeline.length(ofSegmentsBefore: front.run)
        if place >= .zero, place <= feed.timeline.itemLength(front.run.item) ?? .distantFuture { return place }
        return feed.placeInItem(time, clocks[feed.group])
    }
}
