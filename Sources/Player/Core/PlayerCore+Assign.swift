import Base
import Layout
import Scene

// Leases of pipelines to feeds, and when pipelines are asked back.
extension PlayerCore {
    /// Least time that the most urgent feed must be able to play on, so that a preview may come first.
    private static var previewTime: Time { .milliseconds(300) }

    /// Leases idle pipelines to the feeds that need them, the most urgent first.
    /// Returns the wall time at which a pipeline may be asked back for a preview.
    mutating func assign(at now: Time) -> Time? {
        guard !pool.isClosed else { return nil }
        while pool.hasIdle, let (feed, purpose) = nextLease(at: now) { lease(feed, for: purpose, at: now) }
        askBackSpares(at: now)
        return askBackForPreviews(at: now)
    }

    private mutating func nextLease(at now: Time) -> (FeedID, Lease.Purpose)? {
        let preview = feeds.ids.first { if case .ready = playbacks.feeds[$0].preview.loading { true } else { false } }
        let idle = pool.idleCount
        if isEarly(at: now) {
            if let preview { return (preview, .preview) }
            // Half of the pipelines are kept for the previews that are still being opened.
            if idle <= (pool.limit + 1) / 2 { return nil }
        }
        if let preview, pool.spendPreviewCredit() { return (preview, .preview) }
        let wanting = feeds.ids.filter { playbacks.feeds[$0].hasSeat && playbacks.feeds[$0].slots.nextToDecode != nil }
        let starving = wanting.filter { playbacks.feeds[$0].slots.starves }
        let urgent = starving.min { urgency($0, at: now) < urgency($1, at: now) }
        if let preview, urgent.map({ urgency($0, at: now) > Self.previewTime }) ?? true { return (preview, .preview) }
        if let urgent { return (urgent, .play) }
        // A pipeline beyond those that seated feeds may want prepares a back slot early.
        let entitled = feeds.count { $0.hasSeat && $0.phase == .playing && !$0.slots.isLeased }
        guard idle > entitled, clocks.isGoing else { return nil }
        let spare = wanting.filter {
            playbacks.feeds[$0].slots.count { $0.isLeased } == 1 && playbacks.feeds[$0].slots.opensAnother
        }
        return spare.min { urgency($0, at: now) < urgency($1, at: now) }.map { ($0, .play) }
    }

    /// Wall time that is left until the feed has nothing to show.
    private func urgency(_ feed: FeedID, at now: Time) -> Time {
        let clock = group(of: feed).clock
        return playbacks.feeds[feed].slots.buffered(after: clock.position(at: now)).lasting(at: clock.rate)
    }

    private mutating func lease(_ feed: FeedID, for purpose: Lease.Purpose, at now: Time) {
        guard let pipeline = pool.idle(for: feed),
            let (lease, source) = playbacks.feeds[feed].lease(to: pipeline, for: purpose, at: now)
        else { return }
        pool.give(lease, source)
        playbacks.effects.wakePipeline(pipeline)
        if let tile = playbacks.feeds[feed].tiles.first {
            let (name, item, open) = (tiles[tile].name, lease.run.item, pool.leased)
            emit(.lease(tile: name, item: item, pipeline: pipeline, open: open), at: now)
        }
    }

    mutating func handBack(_ lease: Lease, at now: Time) {
        pool.takeBack(lease.pipeline)
        if let tile = playbacks.feeds[lease.feed].tiles.first {
            let (name, item, open) = (tiles[tile].name, lease.run.item, pool.leased)
            emit(.release(tile: name, item: item, pipeline: lease.pipeline, open: open), at: now)
        }
    }

    /// Interrupts pipelines that are blocked in a read for a slot that is gone, as when a server does not answer.
    /// Returns the wall time at which the next pipeline is interrupted.
    mutating func interruptAbandoned(at now: Time) -> Time? {
        var upcoming = Earliest()
        for pipeline in pool.pipelines.indices {
            guard let lease = pool.lease(of: pipeline), !isWanted(lease) else { continue }
            // A live source can't be used by another slot, which needs its port to be free.
            let patience =
                playbacks.feeds[lease.feed].sources.isKnownLive(lease.location)
                ? Self.liveSeekWait : Playbacks.longestSeekWait
            let (isDue, next) = pool.interrupts(pipeline, at: now, patience: patience)
            if isDue { playbacks.effects.interruptPipeline(pipeline) }
            upcoming.add(next)
        }
        return upcoming.instant
    }

    /// If a seated feed has no pipeline, asks one back from a feed that has two.
    private mutating func askBackSpares(at now: Time) {
        guard !pool.hasIdle, feeds.contains(where: { $0.hasSeat && $0.slots.starves }) else { return }
        for feed in feeds where feed.slots.count(where: { $0.isLeased }) > (feed.slots.starves ? 0 : 1) {
            guard let pipeline = feed.slots.last(where: { $0.isLeased })?.pipeline else { continue }
            return askBack(pipeline)
        }
    }

    /// In the first seconds, a feed with enough decoded frames yields its pipeline to a preview.
    private mutating func askBackForPreviews(at now: Time) -> Time? {
        guard !pool.hasIdle, clocks.isGoing, let beganAt, now < beganAt + .seconds(3), !pool.isYielding,
            feeds.contains(where: { if case .ready = $0.preview.loading { true } else { false } })
        else { return nil }
        let lenders = feeds.ids.filter { playbacks.feeds[$0].slots.isLeased && urgency($0, at: now) > Self.previewTime }
        guard let lender = lenders.max(by: { urgency($0, at: now) < urgency($1, at: now) }),
            let pipeline = playbacks.feeds[lender].slots.last(where: { $0.isLeased })?.pipeline
        else { return now + .milliseconds(50) }
        askBack(pipeline)
        return nil
    }

    private mutating func askBack(_ pipeline: Int) {
        pool.askBack(pipeline)
        playbacks.effects.wakePipeline(pipeline)
    }
}
