// A A-B loop of a group's time that is looped: where users mark it, and how its clock goes back at its end.
extension Wall {
    /// A group whose clock has come to its A-B loop's end is at the beginning again, and its feeds with it.
    mutating func turnABIterations(at now: Time) {
        for group in clocks.ids {
            guard let abLoop = clocks[group].abLoop else { continue }
            let over = clocks[group].clock.position(at: now) - abLoop.end
            if over >= .zero { windBack(group, by: Int(over.ticks / abLoop.length.ticks) + 1) }
            effects.scheduleUpdate(at: clocks[group].clock.wallTime(of: abLoop.end))
        }
    }

    /// So many iterations are over. What is shown, and when, stays as it is.
    mutating func windBack(_ group: GroupID, by abIterations: Int) {
        clocks[group].windBack(by: abIterations)
        for feed in feeds.ids where feeds[feed].group == group && !feeds[feed].isLive {
            feeds[feed].windBack(by: abIterations)
        }
    }

    // MARK: what users mark

    mutating func mark(_ change: Command.ABLoopChange, of tile: TileID, _ scope: Command.Scope, at now: Time) -> Bool {
        let player = scope == .group ? player(of: tile) : movable(tile)
        if feeds[tiles[player].feed].isLive {
            showNotice("what is live has no passage to loop", at: now)
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

    /// From the frame that is seen to the one that follows; where there is none, the instant.
    private func frameOnScreen(of feed: Feed, at now: Time) -> Range<Time> {
        let groupTime = context(of: feed.id, at: now).groupTime, phase = feed.framePhase
        guard let begin = feed.beginningOfFrame(at: groupTime), let end = feed.endOfFrame(at: groupTime), begin < end,
            groupTime < end
        else { return clocks[feed.group].clock.instant(at: now) }
        return begin - phase..<end - phase
    }

    /// A place in the item that a feed plays, in group time.
    private func instant(_ place: Time, inItemOf feed: Feed) -> Range<Time>? {
        guard let front = feed.slots.first, let start = front.start else { return nil }
        let instant = max(.zero, start - feed.timeline.length(ofSegmentsBefore: front.run) + max(.zero, place))
        return instant..<instant
    }

    /// The clock goes to the beginning of an A-B loop that is another one; when there is none any more it goes on.
    private mutating func set(_ marks: ABLoopMarks, of group: GroupID, shortest: Time, at now: Time) {
        let before = clocks[group].abLoop
        clocks[group].mark(marks, shortest: shortest)
        guard clocks[group].abLoop != before else { return }
        for feed in feeds.ids where feeds[feed].group == group {
            feeds[feed].settleABLoop(self.group(of: feed), &effects)
        }
        if let abLoop = clocks[group].abLoop { seek(group, to: abLoop.begin, at: now) }
    }

    /// Plays all again: what it loops is of another sequence, or of another layout.
    mutating func endABLoop(of group: GroupID, at now: Time) {
        set(ABLoopMarks(), of: group, shortest: .zero, at: now)
    }

    // MARK: what is told of them

    private mutating func showMarksNotice(of feed: Feed, at now: Time) {
        let marks = clocks[feed.group].marks
        let texts = [("A", marks.a?.lowerBound), ("B", marks.b?.upperBound)].compactMap { name, time in
            time.flatMap { placeInItem($0, of: feed) }.map { "\(name) \($0.clockText(.milliseconds))" }
        }
        showNotice(texts.isEmpty ? "no passage" : texts.joined(separator: "  "), at: now)
    }

    /// A group's time in the item that a feed plays; an end is in the item that ends there.
    func placeInItem(_ time: Time, of feed: Feed) -> Time? {
        guard let front = feed.slots.first, let start = front.start else { return nil }
        let place = time - start + feed.timeline.length(ofSegmentsBefore: front.run)
        if place >= .zero, place <= feed.timeline.itemLength(front.run.item) ?? .distantFuture { return place }
        return feed.placeInItem(time, clocks[feed.group])
    }
}
