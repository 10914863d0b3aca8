// What a user does in time is a change of a clock; pictures follow from the timelines.
extension Wall {
    /// Carries out what concerns clocks and the focus; the rest is the shell's.
    public mutating func carryOut(_ command: Command, at wall: Time) {
        switch command {
        case .playPause(let scope): playPause(group(for: scope), at: wall)
        case .seek(let by, let scope): jump(group(for: scope), by: by, at: wall)
        case .home(.group): comeHome(at: wall)
        case .home(.tileAlone): seek(group(for: .tileAlone), to: .zero, at: wall)
        case .rate(let change, let scope): setRate(of: group(for: scope), change, at: wall)
        case .step(let by, let scope): jump(group(for: scope), bySteps: by, at: wall)
        case .item(let by): goToItem(by: by, at: wall)
        case .focus(let move): moveFocus(move, at: wall)
        case .scrub(let move): scrub(move, at: wall)
        case .tap(let point): tap(point, at: wall)
        case .zoom: toggleZoom(at: wall)
        case .doubleTap(let point): doubleTap(point, at: wall)
        case .mute, .volume, .nextTrack, .escape, .fullscreen, .pictureInPicture, .info, .help, .quit:
            return
        }
        conduct(at: wall)
        orders.wakesScreen = true
    }

    // MARK: clocks

    private mutating func playPause(_ index: Int, at wall: Time) {
        if let scrub, scrub.group == index {
            // It stands as long as it is held.
            self.scrub?.motion = scrub.motion == .running ? .standing : .running
            return
        }
        if case .waiting(let until, let then) = groups[index].phase {
            groups[index].phase = .waiting(until: until, then: then == .running ? .standing : .running)
        } else if groups[index].clock.motion == .running {
            groups[index].clock.stand(at: wall)
        } else {
            groups[index].clock.run(at: wall, after: pictureHold)
        }
        changed(index, at: wall)
    }

    private mutating func setRate(of index: Int, _ change: Command.RateChange, at wall: Time) {
        let rate = groups[index].clock.rate
        let next: Rate =
            switch change {
            case .faster: rate * Rate(1.1)
            case .slower: Rate(rate.value / 1.1)
            case .reset: .one
            }
        groups[index].clock.setRate(min(max(next, .slowest), .fastest), at: wall)
        changed(index, at: wall)
    }

    /// The clock of a group goes to `position`, waits for its feeds' pictures, and goes on as it was.
    mutating func seek(_ index: Int, to position: Time, entering: Time = .zero, at wall: Time) {
        let target = max(.zero, position)
        groups[index].jumpedAt = wall
        (groups[index].wanted, groups[index].alignsTo) = (nil, nil)
        let motion = groups[index].motionToCome
        groups[index].clock.stand(at: wall)
        groups[index].clock.seek(to: target, at: wall)
        if groups[index].hasStarted {
            groups[index].phase = .waiting(until: wall + Self.longestSeekWait, then: motion)
        }
        if groups[index].isTogether, target < groups[index].passStart {
            (groups[index].pass, groups[index].passStart) = (0, .zero)
        }
        for feed in feeds.ids where feeds[feed].group == index { arrive(feed, at: target, entering: entering) }
        changed(index, at: wall)
    }

    /// The feed's clock jumped. What it holds is kept where it covers the new instant.
    private mutating func arrive(_ feed: FeedID, at now: Time, entering: Time) {
        if feeds[feed].phase == .ended { feeds[feed].phase = .playing }
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

    private mutating func changed(_ index: Int, at wall: Time) {
        tellClock(index, at: wall)
        orders.pipelines.formUnion(pool.pipelines.indices)
    }

    // MARK: steps

    /// To the focused tile's next or previous picture; the others follow the clock.
    mutating func step(by count: Int, _ index: Int, at wall: Time) {
        let feed = feedOfTile[focus]
        let now = groups[index].clock.position(at: wall)
        groups[index].clock.stand(at: wall)
        if case .waiting(let until, _) = groups[index].phase {
            groups[index].phase = .waiting(until: until, then: .standing)
        }
        var target = now
        for _ in 0..<abs(count) {
            target = count > 0 ? feeds[feed].nextPicture(after: target) : feeds[feed].previousPicture(before: target)
        }
        seek(index, to: target, entering: count < 0 ? Depth.behind : .zero, at: wall)
        if count < 0 { groups[index].alignsTo = feed }
    }

    // MARK: items

    /// The focused tile goes to the beginning of its next or previous item, alone.
    private mutating func goToItem(by count: Int, at wall: Time) {
        let feed = feedOfTile[focus]
        guard let run = feeds[feed].slots.first?.run ?? feeds[feed].lastRun else { return }
        let items = feeds[feed].timeline.items.count
        var place = run.pass * items + run.item + count
        // What can't be played is passed over.
        for _ in 1..<items where place > 0 && feeds[feed].timeline.itemLength(place % items) == .zero { place += count }
        let (pass, item) = place < 0 ? (0, 0) : (place / items, place % items)
        guard feeds[feed].timeline.takesPart(inPass: pass) else { return }
        let index = group(for: .tileAlone)
        let alone = feedOfTile[focus]
        let now = groups[index].clock.position(at: wall)
        dropSlots(of: alone)
        // The clock goes on; the item begins now.
        feeds[alone].phase = .playing
        feeds[alone].slots = [
            feeds[alone].makeSlot(RunID(pass: pass, item: item), start: now)
        ]
        feeds[alone].slots[0].arrival = .entered
        (feeds[alone].pass, feeds[alone].origin) = (pass, now - feeds[alone].timeline.start(ofItem: item))
        let motion = groups[index].clock.motion
        groups[index].clock.stand(at: wall)
        groups[index].phase = .waiting(until: wall + Self.longestSeekWait, then: motion)
        changed(index, at: wall)
    }

    // MARK: tiles that were moved alone

    /// The group whose clock a command changes. A tile alone gets a clock of its own.
    private mutating func group(for scope: Command.Scope) -> Int {
        let feed = feedOfTile[focus]
        let index = feeds[feed].group
        if scope == .group || index >= layout.groups.count { return index }
        let before = groups[index]
        let alone = Group(
            name: layout.tiles[focus].id, loop: .each, until: before.until, clock: before.clock, phase: before.phase,
            hasStarted: before.hasStarted)
        // One that nobody follows any more is used again.
        let free = groups.indices.dropFirst(layout.groups.count).first { index in
            !feeds.contains { $0.group == index && !$0.views.isEmpty }
        }
        if let free { groups[free] = alone } else { groups.append(alone) }
        diverge(focus, to: free ?? groups.count - 1)
        return free ?? groups.count - 1
    }

    /// The tile gets a feed of its own, unless it is the only view of the one that it has.
    private mutating func diverge(_ tile: Int, to group: Int) {
        let feed = feedOfTile[tile]
        guard feeds[feed].views.count > 1 else {
            feeds[feed].group = group
            return
        }
        let before = feeds[feed]
        feeds[feed].views.removeAll { $0 == tile }
        feedOfTile[tile] = feeds.add { id in
            var own = Feed<Picture, Source>(id: id, tile: layout.tiles[tile], group: group)
            own.timeline = before.timeline
            (own.pass, own.origin, own.last) = (before.pass, before.origin, before.last)
            own.serial = before.serial
            own.views = [tile]
            return own
        }
    }

    /// Feeds that nobody views go when no thread works for them any more.
    mutating func removeUnseenFeeds() {
        for feed in feeds.ids where feeds[feed].views.isEmpty && isFree(feed) {
            orders.close += feeds[feed].parked.map(\.source)
            feeds.remove(feed)
        }
    }

    private func isFree(_ feed: FeedID) -> Bool {
        feeds[feed].slots.isEmpty && !openings.values.contains { $0.feed == feed }
            && !pool.pipelines.contains { $0.lease?.feed == feed }
    }

    /// The group to its beginning; every tile that had left it is in step again, in the feed that it shares.
    private mutating func comeHome(at wall: Time) {
        let home = groups.firstIndex { $0.name == layout.tiles[focus].group } ?? 0
        for tile in layout.tiles.indices where layout.tiles[tile].group == groups[home].name {
            let feed = feedOfTile[tile]
            guard feeds[feed].group != home else { continue }
            let original = feeds.firstID { other in
                other.group == home && !other.views.isEmpty && other.id != feed
                    && FeedKey(layout.tiles[other.views[0]]) == FeedKey(layout.tiles[tile])
            }
            if let original {
                feeds[feed].views.removeAll { $0 == tile }
                feeds[original].views.append(tile)
                feeds[original].views.sort()
                feedOfTile[tile] = original
                if feeds[feed].views.isEmpty { release(feed) }
            } else {
                feeds[feed].group = home
                dropSlots(of: feed)
                (feeds[feed].pass, feeds[feed].origin) = (0, .zero - feeds[feed].offset)
            }
        }
        for feed in feeds.ids where feeds[feed].group == home {
            (feeds[feed].pass, feeds[feed].origin) = (0, .zero - feeds[feed].offset)
            dropSlots(of: feed)
        }
        (groups[home].pass, groups[home].passStart) = (0, .zero)
        seek(home, to: .zero, at: wall)
    }

    /// A feed that nobody views gives everything back.
    private mutating func release(_ feed: FeedID) {
        dropSlots(of: feed)
        dropPoster(of: feed)
        orders.close += feeds[feed].parked.map(\.source)
        feeds[feed].parked = []
        feeds[feed].hasSeat = false
    }

    // MARK: focus

    private mutating func moveFocus(_ move: Command.FocusMove, at wall: Time) {
        let count = layout.tiles.count
        switch move {
        case .number(let number):
            guard number <= count else { return }
            focus = number - 1
        case .next: focus = (focus + 1) % count
        case .previous: focus = (focus + count - 1) % count
        case .at(let point):
            guard let tile = tile(at: point) else { return }
            focus = tile
        }
        followFocusWithStage(at: wall)
        tell(.focus(tile: focus), at: wall)
    }

    /// A finger's tap: the focus first; on the tile that has it, pause.
    private mutating func tap(_ point: Point, at wall: Time) {
        guard let tile = tile(at: point) else { return }
        tapPaused = tile == focus ? tile : nil
        if tile == focus { playPause(group(for: .group), at: wall) } else { moveFocus(.at(point), at: wall) }
    }

    /// The first of the two taps has done its work: what it did to the clock is taken back.
    private mutating func doubleTap(_ point: Point, at wall: Time) {
        guard let tile = tile(at: point) else { return }
        if tile == tapPaused { playPause(feeds[feedOfTile[tile]].group, at: wall) }
        tapPaused = nil
        if focus != tile { moveFocus(.at(point), at: wall) }
        toggleZoom(at: wall)
    }

    /// The topmost tile at a place in the window.
    public func tile(at point: Point) -> Int? {
        switch stage {
        case .zoomed(let tile, _), .alone(let tile): tile
        case .wall, .leaving: frames.lastIndex { $0.contains(x: point.x, y: point.y) }
        }
    }
}
