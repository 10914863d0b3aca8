import Base
import Feeds
import Layout
import Scene

// Leases of pipelines to feeds, and when pipelines are asked back.
extension Pool {
    /// Least time that the most urgent feed must be able to play on, so that a preview may come first.
    private static var previewTime: Time { .milliseconds(300) }
    /// The read of a live source that no slot wants any more is interrupted after this time.
    private static var liveSeekWait: Time { .milliseconds(50) }
    /// Longest wait for a pipeline to leave a live source before the source is opened again: a second receiver on the
    /// same port is refused.
    private static var longestLiveWait: Time { .seconds(2) }

    /// Leases idle pipelines to the feeds that need them, the most urgent first. `isEarly`: true while previews come
    /// before frames.
    /// Returns the wall time at which a pipeline may be asked back for a preview.
    mutating func assign(_ playbacks: inout Playbacks, isEarly: Bool, _ context: WallContext) -> Time? {
        guard !isClosed else { return nil }
        while hasIdle, let (feed, purpose) = chooseLease(playbacks, isEarly: isEarly, at: context.now) {
            lease(feed, for: purpose, &playbacks, context)
        }
        askBackSpares(&playbacks)
        return askBackForPreviews(&playbacks, beganAt: context.beganAt, at: context.now)
    }

    private mutating func chooseLease(
        _ playbacks: Playbacks, isEarly: Bool, at now: Time
    ) -> (FeedID, Lease.Purpose)? {
        let feeds = playbacks.feeds
        let preview = feeds.ids.first { if case .ready = feeds[$0].preview.loading { true } else { false } }
        let idle = idleCount
        if isEarly {
            if let preview { return (preview, .preview) }
            // Half of the pipelines are kept for the previews that are still being opened.
            if idle <= (limit + 1) / 2 { return nil }
        }
        if let preview, spendPreviewCredit() { return (preview, .preview) }
        let wanting = feeds.ids.filter { feeds[$0].hasSeat && feeds[$0].slots.nextToDecode != nil }
        let starving = wanting.filter { feeds[$0].slots.starves }
        let urgent = starving.min { playbacks.urgency($0, at: now) < playbacks.urgency($1, at: now) }
        if let preview, urgent.map({ playbacks.urgency($0, at: now) > Self.previewTime }) ?? true {
            return (preview, .preview)
        }
        if let urgent { return (urgent, .play) }
        // If more pipelines are idle than seated feeds may want, one of them prepares a back slot early.
        let entitled = feeds.ids.count {
            feeds[$0].hasSeat && feeds[$0].phase == .playing && !feeds[$0].slots.isLeased
        }
        guard idle > entitled, playbacks.clocks.isGoing else { return nil }
        let spare = wanting.filter { feeds[$0].slots.count { $0.isLeased } == 1 && feeds[$0].slots.opensAnother }
        return spare.min { playbacks.urgency($0, at: now) < playbacks.urgency($1, at: now) }.map { ($0, .play) }
    }

    private mutating func lease(
        _ feed: FeedID, for purpose: Lease.Purpose, _ playbacks: inout Playbacks, _ context: WallContext
    ) {
        guard let pipeline = idle(for: feed),
            let (lease, source) = playbacks.feeds[feed].lease(to: pipeline, for: purpose, at: context.now)
        else { return }
        let tile = playbacks.feeds[feed].tiles.first.map { context.tiles[$0].name }
        give(lease, source, for: tile)
        playbacks.effects.wakePipeline(pipeline)
        if let tile {
            playbacks.emit(.lease(tile: tile, item: lease.run.item, pipeline: pipeline, open: leased), context)
        }
    }

    /// Takes a lease back. The event names the tile for which the lease was reported, even if that tile has left the
    /// feed or the wall.
    mutating func takeBack(_ lease: Lease, _ playbacks: inout Playbacks, _ context: WallContext) {
        let (pipeline, item) = (lease.pipeline, lease.run.item)
        takeBack(pipeline)
        if let tile = pipelines[pipeline].tile {
            playbacks.emit(.release(tile: tile, item: item, pipeline: pipeline, open: leased), context)
        }
    }

    // MARK: pipelines that are asked back

    /// If a seated feed has no pipeline, asks one back from a feed that has two.
    private mutating func askBackSpares(_ playbacks: inout Playbacks) {
        guard !hasIdle else { return }
        let feeds = playbacks.feeds
        guard feeds.ids.contains(where: { feeds[$0].hasSeat && feeds[$0].slots.starves }) else { return }
        for feed in feeds.ids {
            let slots = feeds[feed].slots
            guard slots.count(where: { $0.isLeased }) > (slots.starves ? 0 : 1),
                let pipeline = slots.last(where: { $0.isLeased })?.pipeline
            else { continue }
            return askBack(pipeline, &playbacks.effects)
        }
    }

    /// In the first seconds, a feed with enough decoded frames yields its pipeline to a preview.
    private mutating func askBackForPreviews(_ playbacks: inout Playbacks, beganAt: Time?, at now: Time) -> Time? {
        guard !hasIdle, playbacks.clocks.isGoing, let beganAt, now < beganAt + .seconds(3), !isYielding,
            playbacks.feeds.contains(where: { if case .ready = $0.preview.loading { true } else { false } })
        else { return nil }
        let lenders = playbacks.feeds.ids.filter {
            playbacks.feeds[$0].slots.isLeased && playbacks.urgency($0, at: now) > Self.previewTime
        }
        guard let lender = lenders.max(by: { playbacks.urgency($0, at: now) < playbacks.urgency($1, at: now) }),
            let pipeline = playbacks.feeds[lender].slots.last(where: { $0.isLeased })?.pipeline
        else { return now + .milliseconds(50) }
        askBack(pipeline, &playbacks.effects)
        return nil
    }

    private mutating func askBack(_ pipeline: Int, _ effects: inout Effects) {
        askBack(pipeline)
        effects.wakePipeline(pipeline)
    }

    // MARK: slots that are gone

    /// Interrupts pipelines that are blocked in a read for a slot that is gone, as when a server does not answer.
    /// Returns the wall time at which the next pipeline is interrupted.
    mutating func interruptAbandoned(_ playbacks: inout Playbacks, at now: Time) -> Time? {
        var upcoming = Earliest()
        for pipeline in pipelines.indices {
            guard let lease = lease(of: pipeline), !playbacks.isWanted(lease) else { continue }
            // Another slot can't use this live source, and may need its port to be free.
            let patience =
                playbacks.feeds[lease.feed].sources.isKnownLive(lease.location)
                ? Self.liveSeekWait : Playbacks.longestSeekWait
            let (isDue, next) = scheduleInterrupt(of: pipeline, at: now, patience: patience)
            if isDue { playbacks.effects.interruptPipeline(pipeline) }
            upcoming.add(next)
        }
        return upcoming.instant
    }

    /// Waits for a pipeline that has this source for a dropped slot of the feed. The pipeline leaves the source at its
    /// next frame, and the decoder continues from there. If the source is live, the wait is also for pipelines of other
    /// feeds. The wait is limited, since a read may block. Returns the wall time of its end; nil if no pipeline has the
    /// source.
    mutating func awaitReturn(of location: String, to feed: FeedID, _ playbacks: Playbacks, at now: Time) -> Time? {
        let isLive = playbacks.feeds[feed].sources.isKnownLive(location)
        for pipeline in pipelines.indices {
            guard let lease = lease(of: pipeline), lease.location == location, lease.feed == feed || isLive,
                playbacks.feeds[lease.feed].slot(of: lease) == nil
            else { continue }
            let patience = isLive ? Self.longestLiveWait : Playbacks.longestSeekWait
            let until = noteAbandoned(pipeline, at: now) + patience
            if now < until { return until }
        }
        return nil
    }
}
