// What a user does in time is a change of a clock; pictures follow from the timelines.
extension Wall {
    // MARK: clocks

    mutating func pause(_ group: GroupID, _ switching: Command.Switching, at wall: Time) {
        if clocks.pause(group, switching, at: wall, after: pictureHold) { tellClock(group, at: wall) }
    }

    mutating func setRate(of group: GroupID, _ change: Command.RateChange, at wall: Time) {
        clocks[group].setRate(change, at: wall)
        tellClock(group, at: wall)
    }

    /// To a place in the item on screen, or by so much; the others of its group move by the same. A key picture is
    /// one of this tile's, and never sought where feeds loop together.
    mutating func seek(
        _ tile: TileID, _ seek: Command.Seek, _ scope: Command.Scope, toKeyPicture: Bool = false, at wall: Time
    ) -> Bool {
        let group = group(of: tile, scope)
        let from = clocks[group].destination(at: wall)
        let feed = feeds[tiles[tile].feed]
        guard var target = target(of: seek, from: from, in: feed.itemOnScreen) else { return false }
        if toKeyPicture, !clocks[group].isTogether { target = feed.keyPicture(near: target) ?? target }
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

    /// The clock of a group goes to `position`, waits for its feeds' pictures, and goes on as it was.
    mutating func seek(_ group: GroupID, to position: Time, entering: Time = .zero, at wall: Time) {
        let target = max(.zero, position)
        clocks[group].seek(to: target, at: wall, until: wall + Self.longestSeekWait)
        let moment = Moment(clocks[group], at: wall, hold: pictureHold)
        for feed in feeds.ids where feeds[feed].group == group {
            feeds[feed].arrive(moment, entering: entering, &orders)
        }
        tellClock(group, at: wall)
    }

    // MARK: steps

    /// To the next or previous picture of `feed`; the others follow the clock.
    mutating func step(by count: Int, _ group: GroupID, of feed: FeedID, at wall: Time) {
        let now = clocks[group].clock.position(at: wall)
        clocks[group].stand(at: wall)
        var target = now
        for _ in 0..<abs(count) {
            target = count > 0 ? feeds[feed].nextPicture(after: target) : feeds[feed].previousPicture(before: target)
        }
        seek(group, to: target, entering: count < 0 ? Depth.behind : .zero, at: wall)
        if count < 0 { clocks[group].align(to: feed) }
    }

    // MARK: items

    /// The tile goes to the beginning of its next or previous item, alone.
    mutating func goToItem(by count: Int, _ tile: TileID, at wall: Time) -> Bool {
        let feed = tiles[tile].feed
        guard let run = feeds[feed].slots.first?.run ?? feeds[feed].screen.lastRun else { return false }
        let items = feeds[feed].timeline.items.count
        guard items > 0 else { return false }
        var place = run.pass * items + run.item + count
        // What can't be played is passed over.
        for _ in 1..<items where place > 0 && feeds[feed].timeline.itemLength(place % items) == .zero { place += count }
        let (pass, item) = place < 0 ? (0, 0) : (place / items, place % items)
        guard feeds[feed].timeline.takesPart(inPass: pass) else { return false }
        go(tile, to: RunID(pass: pass, item: item), at: wall)
        return true
    }

    /// To an item of the pass that plays.
    mutating func goToItem(_ item: Int, _ tile: TileID, at wall: Time) -> Bool {
        let feed = tiles[tile].feed
        guard feeds[feed].timeline.items.indices.contains(item) else { return false }
        go(
            tile, to: RunID(pass: (feeds[feed].slots.first?.run ?? feeds[feed].screen.lastRun)?.pass ?? 0, item: item),
            at: wall)
        return true
    }

    /// The tile goes to the beginning of a run, alone.
    mutating func go(_ tile: TileID, to run: RunID, at wall: Time) {
        let group = group(of: tile, .tileAlone)
        let alone = tiles[tile].feed
        // The clock goes on; the item begins now.
        feeds[alone].go(to: run, at: clocks[group].clock.position(at: wall), &orders)
        let motion = clocks[group].motionToCome
        clocks[group].wait(at: wall, until: wall + Self.longestSeekWait, then: motion)
        tellClock(group, at: wall)
    }
}
