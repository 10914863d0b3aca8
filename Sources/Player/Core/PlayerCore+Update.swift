import Base
import Layout
import Scene

// An update is one pass that does all that is due: clocks that waited long enough, iterations, seats, the plan of each
// feed.
extension PlayerCore {
    /// The read of a live source that no slot wants any more is interrupted after this time.
    static var liveSeekWait: Time { .milliseconds(50) }
    /// Time after the start in which previews of feeds without a seat come before frames of feeds with one.
    static var previewHeadStart: Time { .milliseconds(300) }

    /// Called when the window is there: the clocks start as soon as their feeds have frames.
    public mutating func begin(at now: Time) {
        change(at: now) { changed in
            changed.beganAt = now
            for group in changed.clocks.ids {
                let motion = changed.playbacks.clocks[group].motionToCome
                changed.playbacks.clocks[group].wait(at: now, until: now + Playbacks.longestStartWait, then: motion)
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
        next.add(cancelOpenRequests(at: now))
        next.add(interruptAbandoned(at: now))
        next.add(orderPosters(at: now))
        shareSounds()
        for feed in feeds.ids { next.add(update(feed, at: now)) }
        playbacks.settleDueTolerances()
        settlePairs(at: now)
        next.add(reportStale(at: now))
        removeUnseenFeeds()
        next.add(startClocks(at: now))
        next.add(playbacks.continueJumps(at: now))
        next.add(assign(at: now))
        if !degrading.isAtRest { next.add(settleDegrading(at: now)) }
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
        let isEarly = isEarly(at: now)
        for group in clocks.ids {
            guard case .waiting(let until, _) = playbacks.clocks[group].phase else { continue }
            guard !lacking.contains(group) && !isEarly || now >= until else {
                next.add(until)
                if let beganAt, now < beganAt + Self.previewHeadStart { next.add(beganAt + Self.previewHeadStart) }
                continue
            }
            playbacks.clocks[group].go(at: now, after: frameHold)
            // Runs planned while the clock was stopped get their wall times only now.
            next.add(now)
        }
        return next.instant
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
        if !has { endFreeze(of: feed, at: now) }
        playbacks.feeds[feed].reel.liveness.seat(has, at: now)
        pool.putPreviewFirst()
        if has { playbacks.feeds[feed].dropPreview(&playbacks.effects) }
        playbacks.feeds[feed].dropSlots(&playbacks.effects)
        emit(of: feed, at: now) { .seat(tile: $0, has: has) }
    }
}
