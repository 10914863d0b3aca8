import Base
import Feeds
import Layout
import Scene

/// The supply of decoded frames: sources being opened, pipelines, and how far decoding degrades.
///
/// The four parts change only by their own functions. Decoded frames are in the feeds, which callers pass in. A
/// function that returns true has made something due: the wall must be updated.
struct DecodeSupply {
    private(set) var pool: Pool
    private(set) var openRequests = OpenRequests()
    private(set) var degrading: Degrading
    private var posterLoads = PosterLoads()

    /// `mayDegrade`: false if the clock waits for every frame.
    init(pipelines: Int, cores: Double?, mayDegrade: Bool) {
        pool = Pool(count: pipelines, cores: cores)
        degrading = Degrading(isAllowed: mayDegrade)
    }

    // MARK: pipelines

    mutating func setLimit(_ count: Int, cores: Double?) { pool.setLimit(count, cores: cores) }

    /// A pipeline that finishes its task gets no other.
    mutating func close() { pool.close() }

    /// The next preview goes before the frames of a feed that has just got a seat.
    mutating func putPreviewFirst() { pool.putPreviewFirst() }

    /// Returns the next task of a pipeline. nil if there is none yet.
    mutating func takeTask(_ pipeline: Int, _ feeds: inout Table<FeedID, Feed>) -> PipelineTask? {
        if pool.mustClose(pipeline) { return .closeDecoder }
        guard let (lease, source) = pool.takeLease(pipeline) else { return nil }
        return .decode(feeds[lease.feed].beginJob(of: lease, source))
    }

    /// Notes that a pipeline has closed its unused decoder.
    mutating func noteClosed(_ pipeline: Int) { pool.note(pipeline, hasDecoder: false) }

    /// Returns true if the wall has just begun, and tiles without a seat still wait for their previews.
    func isEarly(_ playbacks: Playbacks, at now: Time) -> Bool {
        guard playbacks.beganAt.map({ now < $0 + Playbacks.previewHeadStart }) ?? true, !playbacks.clocks.isGoing else {
            return false
        }
        return playbacks.feeds.contains { feed in
            switch feed.preview.loading {
            case .planned, .ready, .leased: true
            case .opening: openRequests.began(for: feed.id, after: now - Playbacks.previewHeadStart / 2)
            case .whole, .failed, nil: false
            }
        }
    }

    /// Leases idle pipelines to the feeds that need them. Returns the wall time at which a pipeline may be asked back.
    mutating func assign(_ playbacks: inout Playbacks, _ context: WallContext) -> Time? {
        let isEarly = isEarly(playbacks, at: context.now)
        return pool.assign(&playbacks, isEarly: isEarly, context)
    }

    /// Returns true if a thread works for a feed.
    func works(for feed: FeedID) -> Bool { openRequests.concern(feed) || pool.works(for: feed) }

    /// Returns the wall time at which the next pipeline is interrupted.
    mutating func interruptAbandoned(_ playbacks: inout Playbacks, at now: Time) -> Time? {
        pool.interruptAbandoned(&playbacks, at: now)
    }

    // MARK: leases

    /// Returns whether to decode on.
    func decision(on lease: Lease, _ playbacks: Playbacks, at now: Time) -> LeaseDecision {
        if !playbacks.isWanted(lease) || pool.pipelines[lease.pipeline].mustYield { return .returnsSource }
        return lease.purpose == .play && playbacks.mustYieldCores(lease.feed, at: now) ? .rests : .decodes
    }

    /// Returns whether to deliver a decoded frame, and in what size.
    func decide(
        _ lease: Lease, _ frame: DecodedFrame, _ playbacks: inout Playbacks, _ context: WallContext
    ) -> FrameDecision {
        guard playbacks.isWanted(lease), let run = playbacks.feeds[lease.feed].slot(of: lease)?.run else {
            return .returnSource
        }
        if lease.purpose == .play, pool.pipelines[lease.pipeline].mustYield { return .returnSource }
        let budget = playbacks.budget(for: lease, item: run.place, frame.natural, context)
        let playback = playbacks.context(of: lease.feed, at: context.now)
        return playbacks.feeds[lease.feed].decide(frame, of: lease, budget, playback)
    }

    /// Returns the decision on a frame whose length is not known yet. nil if it depends on the length or the instant.
    func decideAhead(
        _ lease: Lease, _ frame: DecodedFrame, _ playbacks: inout Playbacks, _ context: WallContext
    ) -> FrameDecision? {
        guard lease.purpose == .play, let item = playbacks.feeds[lease.feed].slot(of: lease)?.run.place else {
            return nil
        }
        let budget = playbacks.budget(for: lease, item: item, frame.natural, context)
        let playback = playbacks.context(of: lease.feed, at: context.now)
        return playbacks.feeds[lease.feed].decideAhead(frame, of: lease, budget, playback)
    }

    mutating func take(
        _ report: LeaseReport, of lease: Lease, _ playbacks: inout Playbacks, _ context: WallContext
    ) -> Bool {
        let feed = lease.feed
        switch report {
        case .ended(let end, let damages, let kept, let closed):
            return finish(lease, end, damages, keeping: kept, closing: closed, &playbacks, context)
        case .givenBack(let source):
            pool.takeBack(lease, &playbacks, context)
            let playback = playbacks.context(of: feed, at: context.now)
            playbacks.feeds[feed].takeBack(lease, source, playback, &playbacks.effects)
            return true
        case .failed(let trouble, let source): return fail(lease, trouble, closing: source, &playbacks, context)
        case .cost(let cost): return learn(cost, of: lease, &playbacks, context)
        case .soundLag(let lag):
            let playback = playbacks.context(of: feed, at: context.now)
            playbacks.feeds[feed].reel.noteSound(lag: lag, of: lease, playback)
        case .decoder(.closed): pool.note(lease.pipeline, hasDecoder: false)
        case .decoder(.opened): pool.note(lease.pipeline, hasDecoder: true)
        case .decoder(.continued): playbacks.feeds[feed].reel.noteContinued(lease)
        }
        return false
    }

    private mutating func finish(
        _ lease: Lease, _ end: Time?, _ damages: Set<FilmDamage>?, keeping source: OpenSourceID?,
        closing useless: OpenSourceID?, _ playbacks: inout Playbacks, _ context: WallContext
    ) -> Bool {
        let feed = lease.feed
        if end != nil, playbacks.feeds[feed].sources.live(lease.location) != nil, lease.purpose == .play,
            let source = source ?? useless
        {
            return fail(lease, FeedTrouble.streamEnded, closing: source, &playbacks, context)
        }
        pool.takeBack(lease, &playbacks, context)
        if let damages, let item = playbacks.feeds[feed].slot(of: lease)?.run.place {
            for damage in FilmDamage.seenInReading {
                let isThere = damages.contains(damage)
                playbacks.report(damage, isThere: isThere, of: feed, lease.location, item: item, context)
            }
        }
        if let source {
            playbacks.feeds[feed].sources.park(source, of: lease.slot, at: lease.location, &playbacks.effects)
        }
        if let useless { playbacks.effects.close(useless) }
        let playback = playbacks.context(of: feed, at: context.now)
        if playbacks.feeds[feed].finish(lease, end: end, playback, &playbacks.effects) {
            openRequests.ask(for: feed, &pool, &playbacks, context)
        }
        return true
    }

    /// Ends a lease whose source has failed. Frames that were decoded before are played. A run without any frame has
    /// failed.
    private mutating func fail(
        _ lease: Lease, _ trouble: SourceTrouble, closing source: OpenSourceID?, _ playbacks: inout Playbacks,
        _ context: WallContext
    ) -> Bool {
        let feed = lease.feed
        pool.takeBack(lease, &playbacks, context)
        if let source { playbacks.effects.close(source) }
        // At shutdown reads are cancelled, which is not a failure of the source.
        if pool.isClosed { return false }
        if let slot = playbacks.feeds[feed].slot(of: lease) {
            let pts = lease.purpose == .play ? slot.frames.last?.pts : nil
            playbacks.report(trouble, of: feed, lease.location, item: slot.run.place, pts: pts, context)
            let playback = playbacks.context(of: feed, at: context.now)
            let changes = playbacks.feeds[feed].fail(lease, trouble, playback, &playbacks.effects)
            playbacks.emit(changes, of: feed, context)
        }
        return true
    }

    private mutating func learn(
        _ cost: DecodeCost, of lease: Lease, _ playbacks: inout Playbacks, _ context: WallContext
    ) -> Bool {
        let feed = lease.feed
        guard cost.media > .zero, let run = playbacks.feeds[feed].slot(of: lease)?.run else { return false }
        playbacks.feeds[feed].reel.learn(cost, of: run)
        pool.learn(costs: playbacks.feeds.compactMap(\.decoding.cost))
        degrading.settle(&playbacks, context)
        return !degrading.isAtRest
    }

    /// Returns the wall time of the next check; nil while the wall keeps up.
    mutating func settleDegrading(_ playbacks: inout Playbacks, _ context: WallContext) -> Time? {
        degrading.settle(&playbacks, context)
    }

    // MARK: sources

    /// Requests a source for each slot that has none, and for the preview. Returns the wall time at which to ask again.
    mutating func askForSources(_ feed: FeedID, _ playbacks: inout Playbacks, _ context: WallContext) -> Time? {
        openRequests.ask(for: feed, &pool, &playbacks, context)
    }

    /// Requests the length of a source if it must be known. Returns the wall time at which to ask again.
    mutating func askForLength(_ feed: FeedID, _ playbacks: inout Playbacks, _ context: WallContext) -> Time? {
        openRequests.askForLength(feed, &playbacks, context)
    }

    /// Opens the image on screen again if it must be larger. Returns the wall time at which to try again.
    mutating func sharpenStill(_ feed: FeedID, _ playbacks: inout Playbacks, _ context: WallContext) -> Time? {
        openRequests.sharpenStill(feed, &playbacks, context)
    }

    /// Takes the answer to a request for an opening.
    mutating func take(
        _ answer: OpenAnswer, for ticket: Int, _ playbacks: inout Playbacks, _ context: WallContext
    ) -> Bool {
        switch answer {
        case .opened(let source, let facts, let frame, let stillness):
            openRequests.take(OpenedSource(id: source, facts, frame, stillness), ticket, &pool, &playbacks, context)
        case .failed(let trouble): openRequests.fail(ticket, trouble, &playbacks, context)
        }
    }

    /// Fails the openings that got no answer in time. Returns the wall time at which the next one fails.
    mutating func cancelOpenRequests(_ playbacks: inout Playbacks, _ context: WallContext) -> Time? {
        openRequests.cancel(&playbacks, context)
    }

    // MARK: items on top

    /// Opens the source of an item before the item is put on top. `name`: name of the item's break.
    mutating func openAhead(
        _ item: Item, of feed: FeedID, for name: String, _ playbacks: inout Playbacks, _ context: WallContext
    ) {
        let item = item.inTile(playbacks.feeds[feed].timeline.decoding)
        let opening = OpenRequest(ahead: item, of: name, for: feed, since: context.now)
        let tileSize = DecodeSizes(playbacks, context).decodeSize(.unlimited, of: feed, item: opening.item)
        let start = openRequests.start(opening, limit: context.limits.frame, tileSize: tileSize, at: context.now)
        if case .ordered(let order) = start { playbacks.effects.open(order) }
    }

    /// Stops waiting for an item that was opened ahead: its source counts as hanging until its thread returns.
    mutating func giveUpAhead(_ name: String, of feed: FeedID) { openRequests.giveUp(.ahead(name), of: feed) }

    /// Skips due items on top whose sources do not answer. Returns the wall time at which the next item is skipped.
    mutating func giveUpItemsOnTop(of feed: FeedID, _ playbacks: inout Playbacks, _ context: WallContext) -> Time? {
        guard playbacks.feeds[feed].hasSeat, playbacks.feeds[feed].timeline.top != nil else { return nil }
        var next = Earliest()
        let (now, playback) = (context.now, playbacks.context(of: feed, at: context.now))
        for index in playbacks.feeds[feed].slots.indices {
            let slot = playbacks.feeds[feed].slots[index]
            guard slot.run.part == .top, slot.isUnopened else { continue }
            if playbacks.feeds[feed].slots.followsSilence(slot: index) {
                giveUp(slot, index, of: feed, &playbacks, context)
                next.add(now)
                continue
            }
            // The start is unknown after a skipped item. A live source that interrupts is due at once.
            let isAwaited = playbacks.feeds[feed].awaitedTop?.id == slot.id
            let due =
                isAwaited || slot.start == nil ? slot.times.asked : slot.start.flatMap { playback.wallTime(of: $0) }
            guard let end = due.map({ $0 + OpenRequests.patienceOnTop }) else { continue }
            if now >= end { giveUp(slot, index, of: feed, &playbacks, context) }
            // The run after an item that was given up may begin now.
            next.add(max(now, end))
        }
        return next.instant
    }

    private mutating func giveUp(
        _ slot: Slot, _ index: Int, of feed: FeedID, _ playbacks: inout Playbacks, _ context: WallContext
    ) {
        openRequests.giveUp(.slot(slot.id), of: feed)
        playbacks.report(OpenRequests.noAnswerOnTop, of: feed, slot.location, item: slot.run.place, context)
        playbacks.fail(feed, slot: index, OpenRequests.noAnswerOnTop, context)
    }

    // MARK: posters

    mutating func loadPoster(of tile: TileID, _ tiles: inout Tiles) { posterLoads.load(of: tile, &tiles) }

    /// Returns the wall time at which a poster has failed, or another one may be loaded.
    mutating func orderPosters(
        _ tiles: inout Tiles, _ effects: inout Effects, limit: FrameLimit, at now: Time
    ) -> Time? {
        posterLoads.order(&tiles, &effects, limit: limit, at: now)
    }

    mutating func take(
        _ answer: PosterAnswer, for order: PosterOrder, _ tiles: inout Tiles, _ effects: inout Effects, at now: Time
    ) {
        posterLoads.take(answer, for: order, &tiles, &effects, at: now)
    }
}
