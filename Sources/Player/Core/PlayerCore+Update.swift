import Base
import Feeds
import Layout
import Scene

// An update is one pass that does all that is due: clocks that waited long enough, iterations, seats, the plan of each
// feed.
extension PlayerCore {
    /// Makes a change that is requested from outside, and commits it.
    @discardableResult
    mutating func change<Answer>(at now: Time, _ body: (inout PlayerCore) -> Answer) -> Answer {
        let answer = body(&self)
        touch(.all)
        commit(at: now)
        return answer
    }

    /// Ends a change: updates what it has touched, and notes the events and the wakes that follow.
    mutating func commit(at now: Time) {
        defer { touched = .nothing }
        switch touched {
        case .nothing: break
        case .playback: update(at: now)
        case .all:
            played.settleComparisons()
            reportClocks(at: now)
            update(at: now)
            played.playbacks.effects.wakeEverybody(pool.pipelines.indices)
        }
    }

    /// Makes the decisions that are due. Called after each change, and after each result of a pipeline or an opener
    /// that may have made something due. The conductor calls it at `nextUpdate`.
    mutating func update(at now: Time) {
        changes.insert(.state)
        let afterStop = isAfterStop(at: now)
        var next = Earliest()
        next.add(scheduled.next)
        next.add(played.playbacks.turnABIterations(at: now))
        let iterations = played.playbacks.turnIterations(at: now, unless: openRequests.isAwaited)
        next.add(iterations.next)
        for group in iterations.separated { played.playbacks.separate(group, context(at: now)) }
        next.add(assignSeats(at: now))
        next.add(supply.cancelOpenRequests(&played.playbacks, context(at: now)))
        next.add(supply.interruptAbandoned(&played.playbacks, at: now))
        next.add(
            supply.orderPosters(&played.tiles, &played.playbacks.effects, limit: layout.frameLimit, at: now))
        sounds.share(among: &played.tiles)
        hearLiveFeeds(at: now)
        for feed in feeds.ids { next.add(update(feed, afterStop: afterStop, at: now)) }
        played.playbacks.settleDueTolerances()
        let pairsAnew = played.playbacks.settlePairs(context(at: now))
        if played.playbacks.settlePaused(at: now) || pairsAnew {
            played.playbacks.effects.wakePipelines(pool.pipelines.indices)
            // Its sources are asked for by the next update.
            next.add(now)
        }
        next.add(played.playbacks.reportStale(context(at: now)))
        for feed in feeds.ids where feeds[feed].tiles.isEmpty && feeds[feed].slots.isEmpty {
            if !supply.works(for: feed) { played.playbacks.remove(feed) }
        }
        played.playbacks.alignClocks(at: now)
        if clocks.isWaiting {
            let isEarly = supply.isEarly(played.playbacks, at: now)
            next.add(played.playbacks.startClocks(unless: isEarly, at: now))
        }
        next.add(played.playbacks.continueJumps(at: now))
        next.add(supply.assign(&played.playbacks, context(at: now)))
        if played.playbacks.settleInterruptions(waking: pool.pipelines.indices, at: now) { next.add(now) }
        if !supply.degrading.isAtRest { next.add(supply.settleDegrading(&played.playbacks, context(at: now))) }
        reportClocks(at: now)
        played.playbacks.effects.setNextUpdate(next.instant)
    }

    /// True if the program did not run for a while, for example because it was stopped in a debugger.
    func isAfterStop(at now: Time) -> Bool {
        drive == .keepsUp && nextUpdate.map { now - $0 > Self.longestDelay } ?? false
    }

    /// Longest delay of an update on a machine with load.
    private static var longestDelay: Time { .seconds(2) }

    /// Lets the frames of live feeds that are heard wait for their sound.
    private mutating func hearLiveFeeds(at now: Time) {
        for tile in tiles.order {
            let feed = tiles[playingTile(for: tile)].feed
            guard feeds[feed].isLive, case .heard = verdict(on: tile) else { continue }
            played.playbacks.feeds[feed].reel.hear(context(of: feed, at: now))
        }
    }

    /// Updates a feed: drops runs that are over, plans the next ones, asks for sources. Returns the wall time of the
    /// feed's next update.
    private mutating func update(_ feed: FeedID, afterStop: Bool, at now: Time) -> Time? {
        let wallContext = context(at: now)
        var next = Earliest()
        // A short path: on a wall with far more feeds than pipelines, most feeds have no seat.
        if feeds[feed].restsWithoutSeat, isOnStage(feed) {
            next.add(supply.askForSources(feed, &played.playbacks, wallContext))
            // A feed that was opened takes part in the iterations of its group, which need all lengths.
            if group(of: feed).isTogether, feeds[feed].isOpen {
                next.add(supply.askForLength(feed, &played.playbacks, wallContext))
            }
            return next.instant
        }
        if played.playbacks.advanceAndRetry(feed, wallContext) {
            next.add(supply.giveUpItemsOnTop(of: feed, &played.playbacks, wallContext))
            played.playbacks.plan(feed, afterStop: afterStop, wallContext)
            next.add(supply.askForLength(feed, &played.playbacks, wallContext))
            next.add(supply.askForSources(feed, &played.playbacks, wallContext))
            next.add(supply.sharpenStill(feed, &played.playbacks, wallContext))
        }
        next.add(feeds[feed].nextUpdate(context(of: feed, at: now)))
        return next.instant
    }

    /// Returns the wall time at which other feeds get their turn.
    private mutating func assignSeats(at now: Time) -> Time? {
        let (contenders, holders) = SeatContest(snapshot: snapshot(at: now)).outcome()
        let isShort = holders.count < contenders
        if played.playbacks.assignSeats(to: holders, isShort: isShort, context(at: now)) { supply.putPreviewFirst() }
        let time = clocks[clocks.main].clock.position(at: now)
        guard contenders > pool.seats,
            let turn = Seats.nextTurn(after: time, overflow: layout.overflow, seats: pool.seats)
        else { return nil }
        return clocks[clocks.main].clock.wallTime(of: turn)
    }
}
