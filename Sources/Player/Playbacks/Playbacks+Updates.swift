import Base
import Feeds
import Layout
import Scene

// The work of an update, and of a scene, for each feed.
extension Playbacks {
    /// Advances a feed to this instant: drops runs that are over, and retries sources that have failed. Returns false
    /// if the feed plays nothing.
    mutating func advanceAndRetry(_ feed: FeedID, _ wallContext: WallContext) -> Bool {
        let now = wallContext.now
        settleClock(of: feed, at: now)
        feeds[feed].settleABLoop(group(of: feed), &effects)
        if feeds[feed].timeline.fades { limitFades(of: feed, wallContext) }
        let plays = feeds[feed].retry(context(of: feed, at: now))
        if plays { feeds[feed].reel.begin(context(of: feed, at: now)) }
        // A feed that has ended is advanced, too: its last frame may still fade in, or is a still that stays and is
        // reported each hour.
        advance(feed, context(of: feed, at: now), memory: share(ofMemory: wallContext.limits.memory), wallContext)
        if plays { settleClock(of: feed, at: now) }
        return plays
    }

    /// Tries at once what has failed on a feed.
    mutating func tryAgain(_ feed: FeedID, at now: Time) {
        feeds[feed].tryAgain(context(of: feed, at: now), silentFor: Self.silence, &effects)
    }

    /// Time without a frame after which a live source is connected again if the user asks for it.
    private static let silence = Time.seconds(2)

    /// Plans the next runs of a feed, or its preview while it has no seat. `afterStop`: true if the program did not run
    /// for a while.
    mutating func plan(_ feed: FeedID, afterStop: Bool, _ wallContext: WallContext) {
        let playback = context(of: feed, at: wallContext.now)
        if feeds[feed].hasSeat {
            let keepsABLoop = feeds[feed].reel.keepsABLoop(in: share(ofMemory: wallContext.limits.memory))
            feeds[feed].plan(playback, afterStop: afterStop, keepingABLoop: keepsABLoop, &effects)
        } else {
            if feeds[feed].tiles.contains(where: { wallContext.tiles[$0].poster.image == nil }) {
                feeds[feed].planPreview()
            }
            if !isOnStage(feed, of: wallContext.output), !feeds[feed].tiles.isEmpty {
                feeds[feed].reel.listen(playback)
            }
        }
    }

    /// `memory`: the feed's part of the layout's memory, in bytes.
    private mutating func advance(_ feed: FeedID, _ playback: PlaybackContext, memory: Int, _ wallContext: WallContext)
    {
        let isSeen =
            wallContext.output.shows(anyOf: feeds[feed].tiles)
            || wallContext.output.shows(anyOf: feeds[feed].compared.watchers)
        let changes = feeds[feed].advance(playback, memory: memory, isSeen: isSeen, lag: soundLag, &effects)
        emit(changes, of: feed, wallContext)
    }

    private mutating func limitFades(of feed: FeedID, _ wallContext: WallContext) {
        let basis = FadeBasis(
            memory: share(ofMemory: wallContext.limits.memory),
            rects: feeds[feed].viewers.map { wallContext.output.rectToDecode(of: $0) })
        // Changes a copy of the feed, because the closure reads the feed itself.
        var known = feeds[feed]
        known.limitFades(basis) { DecodeSizes(self, wallContext).decodeSize($0, of: feed, item: $1) }
        feeds[feed] = known
    }

    /// Lets each tile of a group go on separately from the beginning of this iteration.
    mutating func separate(_ group: GroupID, _ wallContext: WallContext) {
        for feed in feeds.ids where feeds[feed].group == group && feeds[feed].phase == .playing {
            let playback = context(of: feed, at: wallContext.now)
            advance(feed, playback, memory: share(ofMemory: wallContext.limits.memory), wallContext)
            feeds[feed].separate(playback, &effects)
        }
    }

    /// Removes a feed that no tile views, and for which no thread works.
    mutating func remove(_ feed: FeedID) {
        feeds[feed].release(&effects)
        feeds.remove(feed)
    }

    /// Emits the end of all items on the screen, when the program ends.
    mutating func endItems(_ wallContext: WallContext) {
        for feed in feeds.ids { emit(feeds[feed].screen.items.close(), of: feed, wallContext) }
    }

    // MARK: seats

    /// Gives seats to `holders`, and takes the seats of all other feeds. `isShort`: true if other feeds want a seat.
    /// Returns true if a feed has got or lost its seat.
    mutating func assignSeats(to holders: Set<FeedID>, isShort: Bool, _ wallContext: WallContext) -> Bool {
        var hasChanged = false
        for feed in feeds.ids {
            let has = holders.contains(feed)
            if feeds[feed].hasSeat != has, feeds[feed].phase != .ended || has {
                hasChanged = true
                if !has { endFreeze(of: feed, wallContext) }
                feeds[feed].seat(has, at: wallContext.now, &effects)
                emit(of: feed, wallContext) { .seat(tile: $0, has: has) }
            }
            let isWaiting = !has && isShort && isOnStage(feed, of: wallContext.output)
            feeds[feed].liveness.awaitSeat(isWaiting, at: wallContext.now)
        }
        return hasChanged
    }

    // MARK: clocks

    /// Starts the clocks whose feeds have their frames, or have waited for them long enough. `isEarly`: true while
    /// previews come before frames. Returns the wall time at which a clock that waits starts at the latest.
    mutating func startClocks(unless isEarly: Bool, at now: Time) -> Time? {
        var next = Earliest()
        let lacking = groupsThatLackFrames(at: now)
        for group in clocks.ids {
            guard case .waiting(let until, _) = clocks[group].phase else { continue }
            guard !lacking.contains(group) && !isEarly || now >= until else {
                next.add(until)
                if let ready = beganAt.map({ $0 + Self.previewHeadStart }), now < ready { next.add(ready) }
                continue
            }
            clocks[group].go(at: now, after: startDelay)
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
    mutating func settleInterruptions(waking pipelines: Range<Int>, at now: Time) -> Bool {
        var hasChanged = false
        for feed in feeds.ids {
            guard let cut = feeds[feed].timeline.top?.place.cutAt, let coming = feeds[feed].awaitedTop,
                coming.wasOpened
            else { continue }
            let isThere = !coming.frames.isEmpty
            if !isThere, coming.isLeased { continue }
            let lead = isThere ? Self.shortestWarmUp : Self.warmUp
            feeds[feed].interruptEarlier(after: lead, context(of: feed, at: now), &effects)
            guard feeds[feed].timeline.top?.place.cutAt != cut else { continue }
            effects.wakePipelines(pipelines)
            hasChanged = true
        }
        return hasChanged
    }

    // MARK: scenes

    /// Frames of all feeds for one scene.
    struct SceneFrames {
        var parts: [FeedID: Feed.ScenePart] = [:]
        /// Frames that the scene draws, if it shows their feeds.
        var drawn: [DrawnFrame] = []
        /// Wall time at which a feed shows another frame; nil if only an event changes that.
        var next: Time?
    }

    /// Advances all feeds to this instant, and returns the frames that are due.
    mutating func makeSceneFrames(_ wallContext: WallContext) -> SceneFrames {
        turnABIterations(at: wallContext.now)
        var scene = SceneFrames()
        let memory = share(ofMemory: wallContext.limits.memory)
        for feed in feeds.ids where !feeds[feed].tiles.isEmpty {
            let playback = context(of: feed, at: wallContext.now)
            advance(feed, playback, memory: memory, wallContext)
            let part = feeds[feed].makeScenePart(playback)
            scene.parts[feed] = part
            scene.drawn += part.drawn
            // A fade advances between two frames too.
            if part.isFading, playback.isRunning {
                scene.next = min(scene.next ?? .distantFuture, wallContext.now + wallContext.output.refreshInterval)
            }
            if let change = part.change, let instant = playback.wallTime(of: change) {
                scene.next = scene.next.map { min($0, instant) } ?? instant
            }
        }
        return scene
    }

    /// Notes which feeds a scene draws. Feeds behind a tile that fills the wall are not drawn.
    mutating func noteDrawn(_ drawn: Set<TileID>, at now: Time) {
        for feed in feeds.ids {
            feeds[feed].screen.noteDrawn(
                feeds[feed].viewers.contains(where: drawn.contains), restsSince: restsSince, at: now)
        }
    }
}
