import Base
import Feeds
import Layout

// An update is one pass that does all that is due: clocks that waited long enough, iterations, seats, the plan of each
// feed. A scene is made of the frames that are due then.
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
            tileFeeds.settleWatches()
            reportClocks(at: now)
            update(at: now)
            outbox.wakeEverybody(pool.pipelines.indices)
        }
    }

    /// Makes the decisions that are due. Called after each change, and after each result of a pipeline or an opener
    /// that may have made something due. The conductor calls it at `nextUpdate`.
    ///
    /// In this order: iterations begin, feeds get seats, each feed drops what is over, plans its next slots and asks for
    /// their sources, clocks that have their frames start, jumps begin, and pipelines are lent. A scene that is made
    /// later advances the feeds once more (`Playout.makeSceneFrames`), to the instant of its present.
    mutating func update(at now: Time) {
        changes.insert(.state)
        let afterStop = isAfterStop(at: now)
        var next = Earliest()
        next.add(scheduled.next)
        next.add(transport.turnABIterations(at: now))
        let iterations = transport.turnIterations(at: now, unless: openRequests.isAwaited)
        next.add(iterations.next)
        for group in iterations.separated { playout(at: now).separate(group) }
        next.add(assignSeats(at: now))
        next.add(supply.cancelOpenRequests(playout(at: now)))
        next.add(supply.pool.interruptAbandoned(transport, at: now))
        next.add(orderPosters(at: now))
        sounds.share(among: &tileFeeds.tiles)
        hearLiveFeeds(at: now)
        for feed in feeds { next.add(update(feed, afterStop: afterStop, at: now)) }
        transport.settleDueTolerances()
        let pairsAnew = playout(at: now).settlePairs()
        if transport.settlePaused(at: now) || pairsAnew {
            outbox.wakePipelines(pool.pipelines.indices)
            // Its sources are asked for by the next update.
            next.add(now)
        }
        next.add(playout(at: now).reportStale())
        for feed in feeds where feed.tiles.isEmpty && feed.slots.isEmpty && !supply.works(for: feed.id) {
            feed.release()
            transport.feeds.remove(feed.id)
        }
        transport.alignClocks(at: now)
        if clocks.isWaiting {
            let isEarly = supply.isEarly(transport, at: now)
            next.add(playout(at: now).startClocks(unless: isEarly))
        }
        next.add(transport.continueJumps(at: now))
        next.add(supply.pool.assign(playout(at: now), isEarly: supply.isEarly(transport, at: now)))
        if playout(at: now).settleInterruptions(waking: pool.pipelines.indices) { next.add(now) }
        if !supply.degrading.isAtRest { next.add(supply.degrading.settle(playout(at: now))) }
        reportClocks(at: now)
        outbox.nextUpdate = next.instant
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
            let feed = feed(of: tiles.playingTile(for: tile))
            guard feed.isLive, case .heard = snapshot(at: now).verdict(on: tile) else { continue }
            feed.reel.hear(transport.context(of: feed, at: now))
        }
    }

    /// Updates a feed: drops runs that are over, plans the next ones, asks for sources. Returns the wall time of the
    /// feed's next update.
    private mutating func update(_ feed: Feed, afterStop: Bool, at now: Time) -> Time? {
        let playout = playout(at: now)
        var next = Earliest()
        // A short path: on a wall with far more feeds than pipelines, most feeds have no seat.
        if feed.restsWithoutSeat, transport.isOnStage(feed, of: output) {
            next.add(supply.askForSources(feed, playout))
            // A feed that was opened takes part in the iterations of its group, which need all lengths.
            if transport.group(of: feed).isTogether, feed.isOpen { next.add(supply.askForLength(feed, playout)) }
            return next.instant
        }
        if playout.advanceAndRetry(feed) {
            next.add(supply.giveUpItemsOnTop(of: feed, playout))
            playout.plan(feed, afterStop: afterStop)
            next.add(supply.askForLength(feed, playout))
            next.add(supply.askForSources(feed, playout))
            next.add(supply.sharpenStill(feed, playout))
        }
        next.add(feed.nextUpdate(playout.context(of: feed)))
        return next.instant
    }

    /// Returns the wall time at which other feeds get their turn.
    private mutating func assignSeats(at now: Time) -> Time? {
        let (contenders, holders) = SeatContest(snapshot: snapshot(at: now)).outcome()
        let isShort = holders.count < contenders
        if playout(at: now).assignSeats(to: holders, isShort: isShort) { supply.pool.putPreviewFirst() }
        let time = clocks[clocks.main].clock.position(at: now)
        guard contenders > pool.seats,
            let turn = Seats.nextTurn(after: time, overflow: layout.overflow, seats: pool.seats)
        else { return nil }
        return clocks[clocks.main].clock.wallTime(of: turn)
    }

    // MARK: scenes, and reports of the frames that were shown

    /// Advances all feeds to this instant and begins a scene: `output` notes its frames, which `presented` reports. The
    /// scene shows all changes so far, so they wake the screen no more.
    mutating func advance(at now: Time) -> DueFrames {
        changes.insert(.scenes)
        // A frame that was due before the stop is not shown as if it were due now.
        if isAfterStop(at: now) { update(at: now) }
        output.beginScene(at: now)
        var next = Earliest()
        next.add(output.advance(at: now))
        let scene = playout(at: now).makeSceneFrames()
        next.add(scene.next)
        tileFeeds.keepWatchedFrames(scene.parts, at: now)
        for frame in scene.drawn where tileFeeds.shows(frame) { output.note(frame) }
        let isShown = !needs.showsOnlyWholeTiles || tiles.areWatchesWhole
        let places = isShown ? output.places(of: tiles.order, at: now) : []
        let isWhole = places.count == tiles.order.count && tiles.overlaid == nil
        if output.note(isWhole ? .all : .some) { playout(at: now).noteDrawn(Set(places.map(\.tile))) }
        for place in places { next.add(tiles[place.tile].nextTurn(at: now)) }
        // This scene shows the changes, so the screen need not be woken.
        _ = noteAppearances()
        return DueFrames(places: places, frames: scene.parts, next: next.instant)
    }

    /// Reports the frames of the scene that was requested last, which is on the screen now.
    mutating func presented(at now: Time) {
        var hasNewItem = false
        let playout = playout(at: now)
        for drawn in output.endScene() where feeds.contains(drawn.feed) {
            let changes = playout.notePresented(drawn)
            hasNewItem = hasNewItem || !changes.isEmpty
        }
        // The update after a new item sets the time of its next report: a still image is reported each hour.
        if hasNewItem || clocks.isWaiting || clocks.hasJumpWaiting { update(at: now) }
        // The pipelines waited for the frames of other feeds.
        if clocks.hasJumpWaiting { outbox.wakePipelines(pool.pipelines.indices) }
    }
}

/// The frames that the tiles show at an instant: those that are due, and those that stay. The views of a scene are made
/// of them.
public struct DueFrames {
    /// The tiles to draw, bottom to top, and their rects.
    let places: [(tile: TileID, rect: Rect)]
    let frames: [FeedID: Feed.ScenePart]
    /// Wall time at which other frames are due; nil if only an event changes the scene.
    public let next: Time?
}
