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

    /// To a place in the item on screen, or by so much; the others of its group move by the same.
    mutating func seek(_ tile: TileID, _ seek: Command.Seek, _ scope: Command.Scope, at wall: Time) -> Bool {
        let group = group(of: tile, scope)
        if case .by(let change) = seek {
            jump(group, by: change, at: wall)
            return true
        }
        guard let item = itemOnScreen(of: tiles[tile].feed) else { return false }
        let length = item.upperBound - item.lowerBound
        let target: Time
        switch seek {
        case .by(let change): target = change
        case .to(let place): target = item.lowerBound + place
        case .byPercent(let share): target = clocks[group].destination(at: wall) + length.part(share / 100)
        case .toPercent(let share): target = item.lowerBound + length.part(share / 100)
        }
        jump(group, by: max(target, item.lowerBound) - clocks[group].destination(at: wall), at: wall)
        return true
    }

    /// The clock of a group goes to `position`, waits for its feeds' pictures, and goes on as it was.
    mutating func seek(_ index: GroupID, to position: Time, entering: Time = .zero, at wall: Time) {
        let target = max(.zero, position)
        clocks[index].seek(to: target, at: wall, until: wall + Self.longestSeekWait)
        for feed in feeds.ids where feeds[feed].group == index { arrive(feed, at: target, entering: entering) }
        tellClock(index, at: wall)
    }

    /// The feed's clock jumped. What it holds is kept where it covers the new instant.
    mutating func arrive(_ feed: FeedID, at now: Time, entering: Time) {
        feeds[feed].playAgain()
        guard feeds[feed].phase == .playing, feeds[feed].hasSeat || !feeds[feed].slots.isEmpty else { return }
        if !feeds[feed].covers(now) { feeds[feed].takeTail(backTo: now) }
        if feeds[feed].covers(now) {
            if entering > .zero { refill(feed, at: now) }
            return
        }
        if feeds[feed].refills(now) { return }
        dropSlots(of: feed)
        enter(feed, at: now)
        guard entering > .zero else { return }
        // Pictures before it are wanted too.
        for index in feeds[feed].slots.indices {
            let entry = max(.zero, feeds[feed].slots[index].entry - entering)
            feeds[feed].slots[index].entry = entry
            feeds[feed].slots[index].decodedTo = entry
        }
    }

    // MARK: steps

    /// To the next or previous picture of `feed`; the others follow the clock.
    mutating func step(by count: Int, _ index: GroupID, of feed: FeedID, at wall: Time) {
        let now = clocks[index].clock.position(at: wall)
        clocks[index].stand(at: wall)
        var target = now
        for _ in 0..<abs(count) {
            target = count > 0 ? feeds[feed].nextPicture(after: target) : feeds[feed].previousPicture(before: target)
        }
        seek(index, to: target, entering: count < 0 ? Depth.behind : .zero, at: wall)
        if count < 0 { clocks[index].align(to: feed) }
    }

    // MARK: items

    /// The tile goes to the beginning of its next or previous item, alone.
    mutating func goToItem(by count: Int, _ tile: TileID, at wall: Time) -> Bool {
        let feed = tiles[tile].feed
        guard let run = feeds[feed].slots.first?.run ?? feeds[feed].lastRun else { return false }
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
            tile, to: RunID(pass: (feeds[feed].slots.first?.run ?? feeds[feed].lastRun)?.pass ?? 0, item: item),
            at: wall)
        return true
    }

    /// The tile goes to the beginning of a run, alone.
    mutating func go(_ tile: TileID, to run: RunID, at wall: Time) {
        let index = group(of: tile, .tileAlone)
        let alone = tiles[tile].feed
        let now = clocks[index].clock.position(at: wall)
        dropSlots(of: alone)
        // The clock goes on; the item begins now.
        feeds[alone].phase = .playing
        feeds[alone].awaitsFirstPicture = false
        feeds[alone].slots = [feeds[alone].makeSlot(run, start: now)]
        feeds[alone].slots[0].arrival = .entered
        (feeds[alone].pass, feeds[alone].origin) = (run.pass, now - feeds[alone].timeline.start(ofItem: run.item))
        let motion = clocks[index].motionToCome
        clocks[index].wait(at: wall, until: wall + Self.longestSeekWait, then: motion)
        tellClock(index, at: wall)
    }
}
