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

    // MARK: passes that begin together

    private mutating func turnPasses(at wall: Time) {
        for index in groups.ids where groups[index].isTogether && !awaitsLengths(index) {
            let now = groups[index].clock.position(at: wall)
            groups[index].nextPassStart = nextPassStart(of: index)
            while let next = groups[index].nextPassStart, next <= now {
                // Those that are as long as this one are counted at once: there may be billions.
                let length = next - groups[index].passStart
                let alike = passesAlike(index)
                let passes = min(alike, max(1, Int((now - groups[index].passStart).ticks / length.ticks)))
                groups[index].pass += passes
                groups[index].passStart += length * Int64(passes)
                if groups[index].turnPass() { separate(index, at: wall) }
                groups[index].nextPassStart = groups[index].isTogether ? nextPassStart(of: index) : nil
            }
            if let next = groups[index].nextPassStart { wake(at: groups[index].clock.wallTime(of: next)) }
        }
    }

    /// Before its clock goes for the first time, a group counts no passes while sources of it are being opened: which
    /// pass it enters does not depend on which of them is faster.
    private func awaitsLengths(_ index: GroupID) -> Bool {
        !groups[index].hasStarted
            && feeds.contains { feed in
                feed.group == index && feed.phase == .playing && !feed.isOpen
                    && openings.values.contains { $0.feed == feed.id && !$0.hangs }
            }
    }

    /// How many passes, from this one on, the same members take part in.
    private func passesAlike(_ index: GroupID) -> Int {
        let pass = groups[index].pass
        let counts = members(of: index).map { feed in
            if case .passes(let count) = feed.timeline.loop { count } else { Int.max }
        }
        let next = counts.filter { $0 > pass }.min() ?? .max
        // Where nobody takes part in the pass that follows, there is none.
        return (next == counts.max() && next < .max ? next - 1 : next) - pass
    }

    /// The feeds that play in its pass, also those that have ended in it for good.
    private func members(of index: GroupID) -> [Feed<Picture, Source>] {
        let pass = groups[index].pass
        return feeds.filter {
            $0.group == index && ($0.phase == .playing || $0.phase == .ended && $0.pass == pass && !$0.slots.isEmpty)
        }
    }

    /// When the pass that follows begins: when the longest (or shortest) of its members has ended.
    /// A member that was never opened is not waited for; one of unknown length is.
    private func nextPassStart(of index: GroupID) -> Time? {
        let group = groups[index]
        let members = members(of: index)
        guard members.contains(where: { $0.timeline.takesPart(inPass: group.pass + 1) }) else { return nil }
        var ends: [Time] = []
        for member in members where member.timeline.takesPart(inPass: group.pass) {
            if let length = member.timeline.passLength {
                let origin = member.pass == group.pass ? member.origin : group.passStart - member.offset
                if length > .zero, origin + length > group.passStart { ends.append(origin + length) }
            } else if member.isOpen {
                return nil
            }
        }
        return group.until == .longest ? ends.max() : ends.min()
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

    // MARK: the plan of a feed

    mutating func tend(_ feed: FeedID, at wall: Time) {
        if case .barren(let until) = feeds[feed].phase {
            guard wall >= until else { return wake(at: until) }
            feeds[feed].phase = .playing
            feeds[feed].pass += 1
            feeds[feed].timeline.forgetFailures()
            feeds[feed].probed = []
            feeds[feed].origin = now(of: feeds[feed], at: wall)
        }
        guard feeds[feed].phase == .playing else { return }
        anchor(feed, at: wall)
        advance(feed, at: wall)
        if feeds[feed].hasSeat {
            plan(feed, at: wall)
        } else {
            planPoster(feed)
            if !isOnStage(feed), !feeds[feed].views.isEmpty { listen(feed, at: wall) }
        }
        planProbe(feed, at: wall)
        requestOpenings(feed, at: wall)
    }

    /// A sequence that begins with its first picture begins now, if that is there.
    private mutating func anchor(_ feed: FeedID, at wall: Time) {
        guard feeds[feed].awaitsFirstPicture, let front = feeds[feed].slots.first, front.start == nil,
            !front.pictures.isEmpty || front.isWhole
        else { return }
        let now = now(of: feeds[feed], at: wall)
        feeds[feed].awaitsFirstPicture = false
        feeds[feed].slots[0].start = now
        (feeds[feed].pass, feeds[feed].origin) = (
            front.run.pass, now - feeds[feed].timeline.start(ofItem: front.run.item)
        )
        orders.wakesScreen = true
    }

    mutating func advance(_ feed: FeedID, at wall: Time) {
        guard case .going = groups[feeds[feed].group].phase else { return }
        let now = now(of: feeds[feed], at: wall)
        let isRunning = groups[feeds[feed].group].clock.motion == .running
        let (missed, dropped) = feeds[feed].advance(
            to: now, keeping: isRunning ? keptPlaying(feed) : Depth.keptBehind)
        if isRunning, isSeen(feed) { feeds[feed].health.missed += missed }
        if !dropped.isEmpty { keepSound(of: dropped, of: feed, now: now) }
        for slot in dropped { retire(slot, of: feed) }
        guard let front = feeds[feed].slots.first, let start = front.start else { return }
        if front.isStill, front.pictures.isEmpty, front.instant.map({ $0 <= now }) ?? false {
            noteItem(of: feed, front, at: wall)
        }
        if front.run == RunID(pass: front.run.pass) { (feeds[feed].pass, feeds[feed].origin) = (front.run.pass, start) }
        if feeds[feed].slots.count == 1, front.isWhole, let end = front.end, end <= now,
            following(front.run, of: feed) == nil || (feeds[feed].onError == .stop && front.hasFailed)
        {
            feeds[feed].phase = .ended
            endItem(of: feed, front.hasFailed ? .error : .eof, at: wall)
        }
    }

    private mutating func plan(_ feed: FeedID, at wall: Time) {
        let now = now(of: feeds[feed], at: wall)
        let group = groups[feeds[feed].group]
        if group.isTogether, let front = feeds[feed].slots.first, front.run.pass < group.pass,
            !feeds[feed].slots.contains(where: { $0.run.pass == group.pass }),
            feeds[feed].timeline.takesPart(inPass: group.pass)
        {
            dropSlots(of: feed)
        }
        if feeds[feed].slots.isEmpty { enter(feed, at: now) }
        chain(feed)
        while extend(feed, now: now, at: wall) { chain(feed) }
        for look in [feeds[feed].slots.first?.end, feeds[feed].slots.last?.end].compactMap({ $0 }) {
            let early = look - (feeds[feed].slots.count == 1 ? Self.prepareAhead : feeds[feed].depth)
            if let next = [early, look].first(where: { $0 > now }) { wake(at: group.clock.wallTime(of: next)) }
        }
    }

    /// Puts a first slot where the timeline is now.
    mutating func enter(_ feed: FeedID, at now: Time) {
        if feeds[feed].awaitsFirstPicture {
            feeds[feed].slots = [feeds[feed].makeSlot(RunID(pass: feeds[feed].pass), start: nil)]
            feeds[feed].slots[0].arrival = .entered
            return
        }
        // What failed is not passed over: nothing comes after it.
        if feeds[feed].onError == .stop { feeds[feed].timeline.forgetFailures() }
        let group = groups[feeds[feed].group]
        if group.isTogether {
            (feeds[feed].pass, feeds[feed].origin) = (group.pass, group.passStart - feeds[feed].offset)
        } else if let length = feeds[feed].timeline.passLength, length > .zero {
            let apart = (now - feeds[feed].origin).ticks
            var passes = max(-feeds[feed].pass, Int((apart - (apart < 0 ? length.ticks - 1 : 0)) / length.ticks))
            if case .passes(let count) = feeds[feed].timeline.loop { passes = min(passes, count - feeds[feed].pass) }
            feeds[feed].pass += passes
            feeds[feed].origin += length * Int64(passes)
        }
        let (pass, origin) = (feeds[feed].pass, feeds[feed].origin)
        guard feeds[feed].timeline.takesPart(inPass: pass) else { return enterLastPicture(of: feed, before: pass) }
        switch feeds[feed].timeline.position(at: now - origin, inPass: pass) {
        case .run(let run, let start), .unknown(let run, let start):
            let entry = max(.zero, now - origin - start)
            feeds[feed].slots = [feeds[feed].makeSlot(run, start: origin + start, entry: entry)]
            // Before its beginning a tile shows its first picture.
            if origin + start > now { feeds[feed].slots[0].takesOverAt = -.distantFuture }
        case .over:
            enterLastPicture(of: feed, before: pass + 1)
        }
        feeds[feed].slots[0].arrival = .entered
    }

    /// The feed is over at this instant: its last picture is what it shows.
    private mutating func enterLastPicture(of feed: FeedID, before pass: Int) {
        let timeline = feeds[feed].timeline
        var run = RunID(pass: max(0, pass - 1))
        while let next = timeline.next(after: run) { run = next }
        let length = timeline.length(of: run) ?? .zero
        let end = feeds[feed].origin + (pass == feeds[feed].pass + 1 ? timeline.passLength ?? .zero : .zero)
        feeds[feed].slots = [feeds[feed].makeSlot(run, start: end - length, entry: max(.zero, length - Time(ticks: 1)))]
    }

    /// The run that follows, where the group's passes are minded too.
    func following(_ run: RunID, of feed: FeedID) -> RunID? {
        let group = groups[feeds[feed].group]
        guard group.isTogether else { return feeds[feed].following(run) }
        if let next = feeds[feed].timeline.next(after: run) { return next }
        return feeds[feed].timeline.takesPart(inPass: run.pass + 1) ? RunID(pass: run.pass + 1) : nil
    }

    /// Starts follow from what is before them.
    mutating func chain(_ feed: FeedID) {
        let group = groups[feeds[feed].group]
        for index in feeds[feed].slots.indices {
            let run = feeds[feed].slots[index].run
            if group.isTogether {
                let next = run.pass == group.pass ? group.nextPassStart : nil
                feeds[feed].slots[index].cut = group.until == .shortest ? next : nil
            }
            guard index > 0 else { continue }
            let before = feeds[feed].slots[index - 1]
            if group.isTogether, run.pass != before.run.pass {
                let start =
                    run.pass == group.pass ? group.passStart : run.pass == group.pass + 1 ? group.nextPassStart : nil
                feeds[feed].slots[index].start = start.map { $0 - feeds[feed].offset }
                feeds[feed].slots[index].takesOverAt = start
            } else if let start = before.start, let length = before.length {
                feeds[feed].slots[index].start = start + length
            } else {
                feeds[feed].slots[index].start = nil
            }
        }
    }

    /// Adds the next slot when it is time; says whether it did.
    private mutating func extend(_ feed: FeedID, now: Time, at wall: Time) -> Bool {
        guard let last = feeds[feed].slots.last, feeds[feed].slots.count < 64 else { return false }
        if feeds[feed].slots.count == 1 {
            if let end = last.end, end > now + Self.prepareAhead, !last.isWhole { return false }
        } else {
            guard last.isWhole, feeds[feed].buffered(after: now) <= feeds[feed].depth + pictureHold else {
                return false
            }
        }
        if case .failed = last.loading, feeds[feed].onError == .stop { return false }
        guard var next = following(last.run, of: feed) else { return false }
        let group = groups[feeds[feed].group]
        if group.isTogether, group.until == .shortest, next.pass == last.run.pass, let cut = last.cut,
            let end = last.end, end >= cut
        {
            guard feeds[feed].timeline.takesPart(inPass: next.pass + 1) else { return false }
            next = RunID(pass: next.pass + 1)
        }
        if next.pass != last.run.pass, feeds[feed].timeline.passLength == .zero {
            return giveUpPass(feed, at: wall)
        }
        if !feeds[feed].outdated.contains(last.id), feeds[feed].isReplayable(feeds[feed].slots.count - 1),
            feeds[feed].timeline.repeats(last.run, next)
        {
            guard case .whole = last.loading else { return false }
            feeds[feed].slots.append(replay(last, as: next, of: feed))
            return true
        }
        let entry = group.isTogether && next == RunID(pass: next.pass) ? max(.zero, feeds[feed].offset) : .zero
        feeds[feed].slots.append(feeds[feed].makeSlot(next, start: nil, entry: entry))
        return true
    }

    /// The same pictures once more, without any decoding.
    private mutating func replay(
        _ slot: Slot<Picture, Source>, as run: RunID, of feed: FeedID
    ) -> Slot<Picture, Source> {
        var again = feeds[feed].makeSlot(run, start: nil)
        (again.loading, again.how, again.length, again.decodedTo) = (.whole, .replayed, slot.length, slot.decodedTo)
        again.pictures = slot.pictures
        for index in again.pictures.indices { again.pictures[index].isShown = false }
        return again
    }

    /// Nothing in the whole pass could be played: wait, longer each time, and try again.
    private mutating func giveUpPass(_ feed: FeedID, at wall: Time) -> Bool {
        let trouble = feeds[feed].trouble ?? SourceTrouble(.damaged, "nothing in it lasts any time")
        if feeds[feed].isHopeless {
            feeds[feed].phase = .given(up: trouble)
        } else {
            let seconds = min(60, 1 << min(6, feeds[feed].barrenPasses))
            feeds[feed].barrenPasses += 1
            feeds[feed].phase = .barren(until: wall + .seconds(Int64(seconds)))
            feeds[feed].pass = feeds[feed].slots.first?.run.pass ?? 0
            wake(at: wall + .seconds(Int64(seconds)))
        }
        dropSlots(of: feed)
        orders.wakesScreen = true
        return false
    }
}
