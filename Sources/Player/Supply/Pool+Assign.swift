import Base
import Feeds

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
    mutating func assign(_ playout: Playout, isEarly: Bool) -> Time? {
        guard !isClosed else { return nil }
        while hasIdle, let (feed, purpose) = chooseLease(playout.transport, isEarly: isEarly, at: playout.now) {
            lease(feed, for: purpose, playout)
        }
        askBackSpares(playout.transport)
        return askBackForPreviews(playout.transport, at: playout.now)
    }

    private mutating func chooseLease(_ transport: Transport, isEarly: Bool, at now: Time) -> (Feed, Lease.Purpose)? {
        let feeds = transport.feeds
        let preview = feeds.first(where: \.hasPreviewToDecode)
        let idle = idleCount
        if isEarly {
            if let preview { return (preview, .preview) }
            // Half of the pipelines are kept for the previews that are still being opened.
            if idle <= (limit + 1) / 2 { return nil }
        }
        if let preview, spendPreviewCredit() { return (preview, .preview) }
        let wanting = feeds.filter { $0.hasSeat && $0.slots.nextToDecode != nil }
        let starving = wanting.filter { $0.slots.starves }
        let urgent = starving.min { transport.urgency($0, at: now) < transport.urgency($1, at: now) }
        if let preview, urgent.map({ transport.urgency($0, at: now) > Self.previewTime }) ?? true {
            return (preview, .preview)
        }
        if let urgent { return (urgent, .play) }
        // If more pipelines are idle than seated feeds may want, one of them prepares a back slot early.
        let entitled = feeds.count { $0.hasSeat && $0.phase == .playing && !$0.slots.isLeased }
        guard idle > entitled, transport.clocks.isGoing else { return nil }
        let spare = wanting.filter { $0.slots.count { $0.isLeased } == 1 && $0.slots.opensAnother }
        return spare.min { transport.urgency($0, at: now) < transport.urgency($1, at: now) }.map { ($0, .play) }
    }

    private mutating func lease(_ feed: Feed, for purpose: Lease.Purpose, _ playout: Playout) {
        guard let pipeline = idle(for: feed.id),
            let (lease, source) = feed.supply.lease(to: pipeline, for: purpose, at: playout.now)
        else { return }
        let tile = feed.tiles.first.map { playout.tiles[$0].name }
        give(lease, source, for: tile)
        playout.outbox.wakePipeline(pipeline)
        if let tile { playout.emit(.lease(tile: tile, item: lease.run.item, pipeline: pipeline, open: leased)) }
    }

    /// Takes a lease back. The event names the tile for which the lease was reported, even if that tile has left the
    /// feed or the wall.
    mutating func takeBack(_ lease: Lease, _ playout: Playout) {
        let (pipeline, item) = (lease.pipeline, lease.run.item)
        takeBack(pipeline)
        if let tile = pipelines[pipeline].tile {
            playout.emit(.release(tile: tile, item: item, pipeline: pipeline, open: leased))
        }
    }

    // MARK: pipelines that are asked back

    /// If a seated feed has no pipeline, asks one back from a feed that has two.
    private mutating func askBackSpares(_ transport: Transport) {
        guard !hasIdle else { return }
        guard transport.feeds.contains(where: { $0.hasSeat && $0.slots.starves }) else { return }
        for feed in transport.feeds {
            let slots = feed.slots
            guard slots.count(where: { $0.isLeased }) > (slots.starves ? 0 : 1),
                let pipeline = slots.last(where: { $0.isLeased })?.pipeline
            else { continue }
            return askBack(pipeline, transport.outbox)
        }
    }

    /// In the first seconds, a feed with enough decoded frames yields its pipeline to a preview.
    private mutating func askBackForPreviews(_ transport: Transport, at now: Time) -> Time? {
        guard !hasIdle, transport.clocks.isGoing, let began = transport.beganAt, now < began + .seconds(3),
            !isYielding, transport.feeds.contains(where: \.hasPreviewToDecode)
        else { return nil }
        let lenders = transport.feeds.filter { $0.slots.isLeased && transport.urgency($0, at: now) > Self.previewTime }
        guard let lender = lenders.max(by: { transport.urgency($0, at: now) < transport.urgency($1, at: now) }),
            let pipeline = lender.slots.last(where: { $0.isLeased })?.pipeline
        else { return now + .milliseconds(50) }
        askBack(pipeline, transport.outbox)
        return nil
    }

    private mutating func askBack(_ pipeline: Int, _ outbox: Outbox) {
        askBack(pipeline)
        outbox.wakePipeline(pipeline)
    }

    // MARK: slots that are gone

    /// Interrupts pipelines that are blocked in a read for a slot that is gone, as when a server does not answer.
    /// Returns the wall time at which the next pipeline is interrupted.
    mutating func interruptAbandoned(_ transport: Transport, at now: Time) -> Time? {
        var upcoming = Earliest()
        for pipeline in pipelines.indices {
            guard let lease = lease(of: pipeline), !transport.isWanted(lease) else { continue }
            // Another slot can't use this live source, and may need its port to be free.
            let patience =
                transport.feeds[lease.feed].sources.isKnownLive(lease.location)
                ? Self.liveSeekWait : Transport.longestSeekWait
            let (isDue, next) = scheduleInterrupt(of: pipeline, at: now, patience: patience)
            if isDue { transport.outbox.interruptPipeline(pipeline) }
            upcoming.add(next)
        }
        return upcoming.instant
    }

    /// Waits for a pipeline that has this source for a dropped slot of the feed. The pipeline leaves the source at its
    /// next frame, and the decoder continues from there. If the source is live, the wait is also for pipelines of other
    /// feeds. The wait is limited, since a read may block. Returns the wall time of its end; nil if no pipeline has the
    /// source.
    mutating func awaitReturn(of location: String, to feed: Feed, _ transport: Transport, at now: Time) -> Time? {
        let isLive = feed.sources.isKnownLive(location)
        for pipeline in pipelines.indices {
            guard let lease = lease(of: pipeline), lease.location == location, lease.feed == feed.id || isLive,
                transport.feeds[lease.feed].slot(of: lease) == nil
            else { continue }
            let patience = isLive ? Self.longestLiveWait : Transport.longestSeekWait
            let until = noteAbandoned(pipeline, at: now) + patience
            if now < until { return until }
        }
        return nil
    }
}

extension Feed {
    /// True if its preview waits for a pipeline.
    fileprivate var hasPreviewToDecode: Bool { if case .ready = preview.loading { true } else { false } }
}
