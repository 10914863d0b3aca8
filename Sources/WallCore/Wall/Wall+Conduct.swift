// What is due when nobody calls: clocks that waited long enough, passes, seats, and the plan of each feed.
extension Wall {
    /// How long before its beginning a run's source is opened.
    static var prepareAhead: Time { .seconds(5) }
    static var longestStartWait: Time { .milliseconds(500) }
    static var longestSeekWait: Time { .milliseconds(250) }
    /// For so long posters of feeds without a seat come before the pictures of those with one.
    static var posterHeadStart: Time { .milliseconds(300) }

    /// The window is there: the clocks start as soon as their feeds have pictures.
    public mutating func begin(at wall: Time, motion: Clock.Motion) {
        beganAt = wall
        for index in groups.ids {
            groups[index].phase = .waiting(until: wall + Self.longestStartWait, then: motion)
        }
        conduct(at: wall)
    }

    /// Looks at everything once. Whoever changed something calls it; the conductor calls it at `nextDeadline`.
    public mutating func conduct(at wall: Time) {
        deadline = nil
        turnPasses(at: wall)
        takeSeats(at: wall)
        if !openings.isEmpty { giveUpOpenings(at: wall) }
        for feed in feeds.ids { tend(feed, at: wall) }
        removeUnseenFeeds()
        startClocks(at: wall)
        continueJumps(at: wall)
        assign(at: wall)
        if !degrading.isAtRest { settleDegrading(at: wall) }
    }

    public var nextDeadline: Time? { deadline }

    // MARK: clocks

    private mutating func startClocks(at wall: Time) {
        for index in groups.ids {
            align(index, at: wall)
            guard case .waiting(let until, let motion) = groups[index].phase else { continue }
            let members = feeds.filter { $0.group == index && $0.hasSeat }
            let now = groups[index].clock.position(at: wall)
            let allShow = members.allSatisfy { feed in
                switch feed.due(at: now) {
                case .show(let slot, let entry):
                    groups[index].hasStarted ? feed.covers(now) : feed.slots[slot].pictures[entry].isShown
                case .ended: true
                case .notYet: feed.phase != .playing
                }
            }
            guard allShow && !isEarly(at: wall) || wall >= until else {
                wake(at: until)
                if let beganAt, wall < beganAt + Self.posterHeadStart { wake(at: beganAt + Self.posterHeadStart) }
                continue
            }
            groups[index].phase = .going
            groups[index].hasStarted = true
            if motion == .running { groups[index].clock.run(at: wall, after: pictureHold) }
            tellClock(index, at: wall)
            orders.pipelines.formUnion(pool.pipelines.indices)
            orders.wakesScreen = true
            // What was planned while it stood has its instants only now.
            wake(at: wall)
        }
    }

    /// The wall has just begun, and tiles without a seat still wait for their posters.
    func isEarly(at wall: Time) -> Bool {
        guard beganAt.map({ wall < $0 + Self.posterHeadStart }) ?? true, !isGoing else { return false }
        return feeds.contains { feed in
            switch feed.poster?.loading {
            case .planned, .ready, .leased: true
            case .opening: openings.values.contains { $0.feed == feed.id && wall - $0.since < Self.posterHeadStart / 2 }
            case .whole, .failed, nil: false
            }
        }
    }

    func state(of group: GroupID) -> Event.ClockState {
        if case .going = groups[group].phase {
            return groups[group].clock.motion == .running ? .playing : .paused
        }
        return .waiting
    }

    mutating func tellClock(_ group: GroupID, at wall: Time) {
        let clock = groups[group].clock
        tell(
            .clock(
                group: groups[group].name, state: state(of: group), position: clock.position(at: wall),
                rate: clock.rate, isFocused: focusedFeed.map { feeds[$0].group == group } ?? false),
            at: wall)
    }

    // MARK: seats

    private mutating func takeSeats(at wall: Time) {
        let contenders = feeds.ids.filter { isOnStage($0) && feeds[$0].phase != .ended }
        let seats = seats
        let time = groups[mainGroup].clock.position(at: wall)
        let focused = contenders.firstIndex { $0 == focusedFeed }
        let areas = contenders.map { feed in
            feeds[feed].views.map { tiles[$0].frame.width * tiles[$0].frame.height }.max() ?? 0
        }
        let holders = Set(
            Seats.holders(
                count: contenders.count, seats: seats, overflow: layout.overflow, focus: focused, areas: areas,
                at: time
            ).map { contenders[$0] })
        for feed in feeds.ids {
            let has = holders.contains(feed)
            if feeds[feed].hasSeat != has, feeds[feed].phase != .ended || has { seat(feed, has: has, at: wall) }
        }
        if contenders.count > seats, let turn = Seats.nextTurn(after: time, overflow: layout.overflow, seats: seats) {
            wake(at: groups[mainGroup].clock.wallTime(of: turn))
        }
    }

    private mutating func seat(_ feed: FeedID, has: Bool, at wall: Time) {
        feeds[feed].hasSeat = has
        posterCredit = 1
        if has { dropPoster(of: feed) }
        dropSlots(of: feed)
        for tile in feeds[feed].views { tell(.seat(tile: tiles[tile].name, has: has), at: wall) }
    }

    /// Gives back all that the feed holds, except the picture that it shows.
    mutating func dropSlots(of feed: FeedID) {
        for slot in feeds[feed].slots { retire(slot, of: feed) }
        (feeds[feed].slots, feeds[feed].tail) = ([], nil)
    }

    /// What becomes of a slot that is over: its source is kept for another run.
    mutating func retire(_ slot: Slot<Picture, Source>, of feed: FeedID) {
        switch slot.loading {
        case .ready(let source): park(source, of: slot.id, at: slot.location, of: feed)
        case .leased(let pipeline): orders.pipelines.insert(pipeline)
        case .planned, .opening, .whole, .failed: break
        }
    }
}
