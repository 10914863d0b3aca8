import Base
import Layout
import Scene

// An update is one pass that does all that is due: clocks that waited long enough, iterations, seats, the plan of each
// feed.
extension PlayerCore {
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
        tiles.settleComparisons(&playbacks)
        reportClocks(at: now)
        update(at: now)
        playbacks.effects.wakeEverybody(pool.pipelines.indices)
    }

    /// Decides what is due. Called after each change, and after each result of a pipeline or an opener that may have
    /// made something due. The conductor calls it at `nextUpdate`.
    public mutating func update(at now: Time) {
        var next = Earliest()
        next.add(playbacks.turnABIterations(at: now))
        let iterations = playbacks.turnIterations(at: now, unless: openRequests.isAwaited)
        next.add(iterations.next)
        for group in iterations.separated { separate(group, at: now) }
        next.add(takeSeats(at: now))
        next.add(supply.cancelOpenRequests(&playbacks, context(at: now)))
        next.add(supply.interruptAbandoned(&playbacks, at: now))
        next.add(supply.orderPosters(&tiles, &playbacks.effects, limit: layout.frameLimit, at: now))
        sounds.share(among: &tiles)
        for feed in feeds.ids { next.add(update(feed, at: now)) }
        playbacks.settleDueTolerances()
        playbacks.settlePairs(context(at: now))
        next.add(playbacks.reportStale(context(at: now)))
        removeUnseenFeeds()
        next.add(startClocks(at: now))
        next.add(playbacks.continueJumps(at: now))
        next.add(supply.assign(&playbacks, context(at: now)))
        if !supply.degrading.isAtRest { next.add(supply.settleDegrading(&playbacks, context(at: now))) }
        reportClocks(at: now)
        playbacks.effects.setNextUpdate(next.instant)
    }

    // MARK: clocks

    /// Returns the wall time at which a clock that waits starts at the latest.
    private mutating func startClocks(at now: Time) -> Time? {
        for group in clocks.ids { playbacks.align(group, at: now) }
        guard clocks.isWaiting else { return nil }
        var next = Earliest()
        let lacking = playbacks.groupsThatLackFrames(at: now)
        let isEarly = supply.isEarly(playbacks, beganAt: beganAt, at: now)
        for group in clocks.ids {
            guard case .waiting(let until, _) = playbacks.clocks[group].phase else { continue }
            guard !lacking.contains(group) && !isEarly || now >= until else {
                next.add(until)
                if let ready = beganAt.map({ $0 + DecodeSupply.previewHeadStart }), now < ready { next.add(ready) }
                continue
            }
            playbacks.clocks[group].go(at: now, after: frameHold)
            // Runs planned while the clock was stopped get their wall times only now.
            next.add(now)
        }
        return next.instant
    }

    // MARK: seats

    /// Returns the wall time at which other feeds get their turn.
    private mutating func takeSeats(at now: Time) -> Time? {
        let (contenders, holders) = SeatContest(snapshot: snapshot(at: now)).outcome()
        let isShort = holders.count < contenders
        for feed in feeds.ids {
            let has = holders.contains(feed)
            if playbacks.feeds[feed].hasSeat != has, playbacks.feeds[feed].phase != .ended || has {
                seat(feed, has: has, at: now)
            }
            playbacks.feeds[feed].reel.liveness.wait(!has && isShort && isOnStage(feed), at: now)
        }
        let time = clocks[clocks.main].clock.position(at: now)
        guard contenders > pool.seats,
            let turn = Seats.nextTurn(after: time, overflow: layout.overflow, seats: pool.seats)
        else { return nil }
        return playbacks.clocks[clocks.main].clock.wallTime(of: turn)
    }

    private mutating func seat(_ feed: FeedID, has: Bool, at now: Time) {
        playbacks.feeds[feed].hasSeat = has
        if !has { playbacks.endFreeze(of: feed, context(at: now)) }
        playbacks.feeds[feed].reel.liveness.seat(has, at: now)
        supply.putPreviewFirst()
        if has { playbacks.feeds[feed].dropPreview(&playbacks.effects) }
        playbacks.feeds[feed].dropSlots(&playbacks.effects)
        emit(of: feed, at: now) { .seat(tile: $0, has: has) }
    }
}
