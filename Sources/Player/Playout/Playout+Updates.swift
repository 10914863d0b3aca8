import Base
import Feeds

// The work of an update, and of a scene, for each feed.
extension Playout {
    /// Advances a feed to this instant: drops runs that are over, and retries sources that have failed. Returns false
    /// if the feed plays nothing.
    func advanceAndRetry(_ feed: Feed) -> Bool {
        transport.settleClock(of: feed, at: now)
        feed.settleABLoop(transport.group(of: feed))
        if feed.timeline.fades {
            feed.limitFades(memory: shareOfMemory, rects: feed.viewers.map { output.rectToDecode(of: $0) }) {
                decodeSize($0, of: feed, item: $1)
            }
        }
        let plays = feed.retry(context(of: feed))
        if plays { feed.reel.begin(context(of: feed)) }
        // A feed that has ended is advanced, too: its last frame may still fade in, or is a still that stays and is
        // reported each hour.
        advance(feed, context(of: feed), memory: shareOfMemory)
        if plays { transport.settleClock(of: feed, at: now) }
        return plays
    }

    /// Plans the next runs of a feed, or its preview while it has no seat. `afterStop`: true if the program did not run
    /// for a while.
    func plan(_ feed: Feed, afterStop: Bool) {
        let playback = context(of: feed)
        if feed.hasSeat {
            let keepsABLoop = feed.reel.keepsABLoop(in: shareOfMemory)
            feed.plan(playback, afterStop: afterStop, keepingABLoop: keepsABLoop)
        } else {
            if feed.tiles.contains(where: { tiles[$0].poster.image == nil }) { feed.supply.planPreview() }
            if !transport.isOnStage(feed, of: output), !feed.tiles.isEmpty { feed.reel.listen(playback) }
        }
    }

    /// `memory`: the feed's part of the layout's memory, in bytes.
    private func advance(_ feed: Feed, _ playback: PlaybackContext, memory: Int) {
        let isSeen = output.shows(anyOf: feed.tiles) || output.shows(anyOf: feed.watched.watchers)
        emit(feed.advance(playback, memory: memory, isSeen: isSeen, lag: transport.soundLag), of: feed)
    }

    /// Lets each tile of a group go on separately from the beginning of this iteration.
    func separate(_ group: GroupID) {
        for feed in feeds where feed.group == group && feed.phase == .playing {
            let playback = context(of: feed)
            advance(feed, playback, memory: shareOfMemory)
            feed.separate(playback)
        }
    }

    /// Emits the end of all items on the screen, when the program ends.
    func endItems() { for feed in feeds { emit(feed.screen.items.close(), of: feed) } }

    // MARK: seats

    /// Gives seats to `holders`, and takes the seats of all other feeds. `isShort`: true if other feeds want a seat.
    /// Returns true if a feed has got or lost its seat.
    func assignSeats(to holders: Set<FeedID>, isShort: Bool) -> Bool {
        var hasChanged = false
        for feed in feeds {
            let has = holders.contains(feed.id)
            if feed.hasSeat != has, feed.phase != .ended || has {
                hasChanged = true
                if !has { endFreeze(of: feed) }
                feed.seat(has, at: now)
                emit(of: feed) { .seat(tile: $0, has: has) }
            }
            let isWaiting = !has && isShort && transport.isOnStage(feed, of: output)
            feed.reel.liveness.awaitSeat(isWaiting, at: now)
        }
        return hasChanged
    }

    // MARK: clocks

    /// Starts the clocks whose feeds have their frames, or have waited for them long enough. `isEarly`: true while
    /// previews come before frames. Returns the wall time at which a clock that waits starts at the latest.
    func startClocks(unless isEarly: Bool) -> Time? {
        var next = Earliest()
        let lacking = transport.groupsThatLackFrames(at: now)
        for group in transport.clocks.ids {
            guard case .waiting(let until, _) = transport.clocks[group].phase else { continue }
            guard !lacking.contains(group) && !isEarly || now >= until else {
                next.add(until)
                if let ready = transport.beganAt.map({ $0 + Transport.previewHeadStart }), now < ready {
                    next.add(ready)
                }
                continue
            }
            transport.clocks[group].go(at: now, after: transport.startDelay)
            // Runs planned while the clock was stopped get their wall times only now.
            next.add(now)
        }
        return next.instant
    }

    // MARK: live items on top

    /// Time before an interruption in which the first frame on top can be decoded.
    private static var warmUp: Time { .milliseconds(300) }
    /// Shortest time before an interruption if the first frame on top is decoded already.
    private static var shortestWarmUp: Time { .milliseconds(60) }

    /// A run that a live source interrupts plays on until the first frame of that source is decoded. Without a pipeline
    /// for both, the run plays until the source is open. `pipelines`: pipelines that are woken then. Returns true if a
    /// run is interrupted earlier than before.
    func settleInterruptions(waking pipelines: Range<Int>) -> Bool {
        var hasChanged = false
        for feed in feeds {
            guard let coming = feed.awaitedTop, coming.wasOpened else { continue }
            let isThere = !coming.frames.isEmpty
            if !isThere, coming.isLeased { continue }
            let lead = isThere ? Self.shortestWarmUp : Self.warmUp
            guard feed.interruptEarlier(after: lead, context(of: feed)) else { continue }
            outbox.wakePipelines(pipelines)
            hasChanged = true
        }
        return hasChanged
    }

    // MARK: scenes

    /// Advances all feeds to this instant, and returns the frames that are due. `drawn`: frames that the scene draws, if
    /// it shows their feeds. `next`: wall time at which a feed shows another frame.
    func makeSceneFrames() -> (parts: [FeedID: Feed.ScenePart], drawn: [DrawnFrame], next: Time?) {
        transport.turnABIterations(at: now)
        var parts: [FeedID: Feed.ScenePart] = [:], drawn: [DrawnFrame] = [], next = Earliest()
        let memory = shareOfMemory
        for feed in feeds where !feed.tiles.isEmpty {
            let playback = context(of: feed)
            advance(feed, playback, memory: memory)
            let part = feed.makeScenePart(playback)
            parts[feed.id] = part
            drawn += part.drawn
            // A fade advances between two frames too.
            if part.isFading, playback.isRunning { next.add(now + output.refreshInterval) }
            next.add(part.change.flatMap { playback.wallTime(of: $0) })
        }
        return (parts, drawn, next.instant)
    }

    /// Notes which feeds a scene draws. Feeds behind a tile that fills the wall are not drawn.
    func noteDrawn(_ drawn: Set<TileID>) {
        for feed in feeds {
            feed.screen.noteDrawn(feed.viewers.contains(where: drawn.contains), restsSince: restsSince, at: now)
        }
    }

    // MARK: pairs: frames of compared or measured films that belong together

    /// Pairs frames of films with equal rates: each frame appears and changes with the reference frame that starts
    /// nearest to it. An offset need not be a whole number of frames. Returns true if a feed decodes again.
    func settlePairs() -> Bool {
        let references = comparedWith()
        var decodesAgain = false
        for feed in feeds {
            let phase = references[feed.id].map { transport.phase(of: feed, beside: feeds[$0], at: now) } ?? .zero
            guard phase != feed.watched.pairShift else { continue }
            feed.watched.pairShift = phase
            // The feed entered its run before the phase was known, at a frame that may be too late.
            let playback = context(of: feed)
            if !playback.isRunning, feed.enterEarlier(playback) { decodesAgain = true }
        }
        return decodesAgain
    }

    /// Returns the reference of each feed that is paired.
    private func comparedWith() -> [FeedID: FeedID] {
        var references: [FeedID: FeedID] = [:]
        func pair(_ other: TileID, with first: TileID) {
            let feed = tiles[other].feed, own = tiles[first].feed
            let reference = references[own] ?? own
            // A feed that others are paired with keeps its own frame times.
            guard feed != reference, references[feed] == nil, !references.values.contains(feed) else { return }
            references[feed] = reference
        }
        for tile in tiles.watching {
            guard let members = tiles[tile].watch?.members, let first = members.first else { continue }
            for member in members.dropFirst() { pair(member, with: first) }
        }
        if needs.keepsSamples {
            for tile in tiles.order where tiles[tile].watch == nil {
                if let first = tiles.reference(for: tile, feeds) { pair(tile, with: first) }
            }
        }
        return references
    }
}
