import Base
import Layout
import Scene

// Updates that are due without a call: clocks that waited long enough, iterations, seats, and the plan of each feed.
extension PlayerCore {
    static var longestStartWait: Time { .milliseconds(500) }
    static var longestSeekWait: Time { .milliseconds(250) }
    /// The read of a live source that no slot wants any more is interrupted after this time.
    static var liveSeekWait: Time { .milliseconds(50) }
    /// Time after the start in which previews of feeds without a seat come before frames of feeds with one.
    static var previewHeadStart: Time { .milliseconds(300) }

    /// Called when the window is there: the clocks start as soon as their feeds have frames.
    public mutating func begin(at now: Time) {
        change(at: now) { changed in
            changed.beganAt = now
            changed.breaks.start(at: now)
            for group in changed.clocks.ids {
                let motion = changed.clocks[group].motionToCome
                changed.clocks[group].wait(at: now, until: now + Self.longestStartWait, then: motion)
            }
        }
    }

    /// Makes a change that is requested from outside, updates the wall, and wakes all threads. `body` thus need not
    /// decide which threads to wake.
    @discardableResult
    mutating func change<Answer>(at now: Time, _ body: (inout PlayerCore) -> Answer) -> Answer {
        let answer = body(&self)
        settle(at: now)
        return answer
    }

    /// Updates the wall after a change that was requested from outside, and wakes all threads.
    mutating func settle(at now: Time) {
        settleComparisons()
        update(at: now)
        effects.wakeEverybody(pool.pipelines.indices)
    }

    /// Decides what is due. Called after each change, and after each result of a pipeline or an opener that may have
    /// made something due. The conductor calls it at `nextUpdate`.
    public mutating func update(at now: Time) {
        effects.beginUpdate()
        turnABIterations(at: now)
        turnIterations(at: now)
        takeSeats(at: now)
        cancelOpenRequests(at: now)
        interruptAbandoned(at: now)
        orderPosters(at: now)
        updateBreaks(at: now)
        for feed in feeds.ids { update(feed, at: now) }
        settleDueTolerances()
        settlePairs(at: now)
        reportStale(at: now)
        if !breaks.onTiles.isEmpty {
            noteBreaks(at: now)
            // Nothing follows the break, or its tile is hidden: no present settles it.
            if hasBreakToSettle { effects.scheduleUpdate(at: now) }
        }
        removeUnseenFeeds()
        startClocks(at: now)
        continueJumps(at: now)
        assign(at: now)
        if !degrading.isAtRest { settleDegrading(at: now) }
    }

    // MARK: clocks

    private mutating func startClocks(at now: Time) {
        for group in clocks.ids { align(group, at: now) }
        guard clocks.isWaiting else { return }
        let lacking = groupsThatLackFrames(at: now)
        let isEarly = isEarly(at: now)
        for group in clocks.ids {
            guard case .waiting(let until, _) = clocks[group].phase else { continue }
            guard !lacking.contains(group) && !isEarly || now >= until else {
                effects.scheduleUpdate(at: until)
                if let beganAt, now < beganAt + Self.previewHeadStart {
                    effects.scheduleUpdate(at: beganAt + Self.previewHeadStart)
                }
                continue
            }
            clocks[group].go(at: now, after: frameHold)
            emitClock(group, at: now)
            // Runs planned while the clock was stopped get their wall times only now.
            effects.scheduleUpdate(at: now)
        }
    }

    /// Returns the groups whose clocks wait for a frame. Before a clock starts, the frame must be on the screen.
    private func groupsThatLackFrames(at now: Time) -> Set<GroupID> {
        var lacking: Set<GroupID> = []
        for id in feeds.ids where feeds[id].hasSeat && !feeds[id].mayBeLive {
            let group = feeds[id].group
            guard clocks[group].isWaiting, !lacking.contains(group) else { continue }
            let groupTime = context(of: id, at: now).groupTime
            let isThere =
                switch feeds[id].due(at: groupTime) {
                case .show(let slot, let entry):
                    clocks[group].hasStarted ? feeds[id].covers(groupTime) : feeds[id].slots[slot].frames[entry].isShown
                case .ended: true
                case .notYet: feeds[id].phase != .playing
                }
            if !isThere { lacking.insert(group) }
        }
        return lacking
    }

    /// Returns true if the wall has just begun, and tiles without a seat still wait for their previews.
    func isEarly(at now: Time) -> Bool {
        guard beganAt.map({ now < $0 + Self.previewHeadStart }) ?? true, !clocks.isGoing else { return false }
        return feeds.contains { feed in
            switch feed.preview.loading {
            case .planned, .ready, .leased: true
            case .opening: openRequests.began(for: feed.id, after: now - Self.previewHeadStart / 2)
            case .whole, .failed, nil: false
            }
        }
    }

    // MARK: seats

    private mutating func takeSeats(at now: Time) {
        let contenders = feeds.ids.filter { isOnStage($0) && feeds[$0].phase != .ended }
        let seats = pool.seats
        let time = clocks[clocks.main].clock.position(at: now)
        let contest = SeatContest(snapshot: snapshot(at: now))
        let parties = contest.comparedTogether(contenders)
        let focused = parties.firstIndex { party in focusedFeed.map(party.contains) ?? false }
        let areas = layout.overflow == .largest ? parties.map(contest.largestView) : []
        let holders = Set(
            Seats.holders(
                sizes: parties.map(\.count), seats: seats, overflow: layout.overflow, focus: focused, areas: areas,
                at: time
            ).flatMap { parties[$0] })
        let isShort = holders.count < contenders.count
        for feed in feeds.ids {
            let has = holders.contains(feed)
            if feeds[feed].hasSeat != has, feeds[feed].phase != .ended || has { seat(feed, has: has, at: now) }
            feeds[feed].liveness.wait(!has && isShort && isOnStage(feed), at: now)
        }
        if contenders.count > seats, let turn = Seats.nextTurn(after: time, overflow: layout.overflow, seats: seats) {
            effects.scheduleUpdate(at: clocks[clocks.main].clock.wallTime(of: turn))
        }
    }

    private mutating func seat(_ feed: FeedID, has: Bool, at now: Time) {
        feeds[feed].hasSeat = has
        if !has { endFreeze(of: feed, at: now) }
        feeds[feed].liveness.seat(has, at: now)
        pool.putPreviewFirst()
        if has { feeds[feed].dropPreview(&effects) }
        feeds[feed].dropSlots(&effects)
        emit(of: feed, at: now) { .seat(tile: $0, has: has) }
        effects.wakeScreen()
    }
}
