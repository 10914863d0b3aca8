import Base
import Feeds
import Layout
import Opened

/// The supply of decoded frames: sources being opened, pipelines, and how far decoding degrades.
///
/// The three parts change only by their own functions. Decoded frames are in the feeds, which callers pass in. A
/// function that returns true has made something due: the wall must be updated.
struct DecodeSupply {
    var pool: Pool
    var openRequests = OpenRequests()
    var degrading: Degrading

    /// `mayDegrade`: false if the clock waits for every frame.
    init(pipelines: Int, cores: Double?, mayDegrade: Bool) {
        pool = Pool(count: pipelines, cores: cores)
        degrading = Degrading(isAllowed: mayDegrade)
    }

    // MARK: pipelines

    /// Returns the next task of a pipeline. nil if there is none yet.
    mutating func takeTask(_ pipeline: Int, _ feeds: Table<FeedID, Feed>) -> PipelineTask? {
        if pool.mustClose(pipeline) { return .closeDecoder }
        guard let (lease, source) = pool.takeLease(pipeline) else { return nil }
        return .decode(feeds[lease.feed].supply.beginJob(of: lease, source))
    }

    /// Returns true if the wall has just begun, and tiles without a seat still wait for their previews.
    func isEarly(_ transport: Transport, at now: Time) -> Bool {
        guard transport.beganAt.map({ now < $0 + Transport.previewHeadStart }) ?? true, !transport.clocks.isGoing else {
            return false
        }
        return transport.feeds.contains { feed in
            switch feed.preview.loading {
            case .planned, .ready, .leased: true
            case .opening: openRequests.began(for: feed.id, after: now - Transport.previewHeadStart / 2)
            case .whole, .failed, nil: false
            }
        }
    }

    /// Returns true if a thread works for a feed.
    func works(for feed: FeedID) -> Bool { openRequests.concern(feed) || pool.works(for: feed) }

    // MARK: leases

    /// Returns whether to decode on.
    func decision(on lease: Lease, _ transport: Transport, at now: Time) -> LeaseDecision {
        if !transport.isWanted(lease) || pool.pipelines[lease.pipeline].mustYield { return .returnsSource }
        let mustRest = lease.purpose == .play && transport.mustYieldCores(transport.feeds[lease.feed], at: now)
        return mustRest ? .rests : .decodes
    }

    /// Returns whether to deliver a decoded frame, and in what size.
    func decide(_ lease: Lease, _ frame: DecodedFrame, _ playout: Playout) -> FrameDecision {
        let feed = playout.feeds[lease.feed]
        guard let slot = feed.slot(of: lease), slot.pipeline == lease.pipeline else { return .returnSource }
        if lease.purpose == .play, pool.pipelines[lease.pipeline].mustYield { return .returnSource }
        let budget = playout.budget(for: feed, item: slot.run.place, frame.natural)
        return feed.supply.decide(frame, of: lease, budget, playout.context(of: feed))
    }

    /// Returns the decision on a frame whose length is not known yet. nil if it depends on the length or the instant.
    func decideAhead(_ lease: Lease, _ frame: DecodedFrame, _ playout: Playout) -> FrameDecision? {
        let feed = playout.feeds[lease.feed]
        guard lease.purpose == .play, let item = feed.slot(of: lease)?.run.place else { return nil }
        let budget = playout.budget(for: feed, item: item, frame.natural)
        return feed.supply.decideAhead(frame, of: lease, budget, playout.context(of: feed))
    }

    /// Returns true if the frame after a delivered live one, which was as large as `natural`, will probably be delivered.
    func expectsDelivery(by lease: Lease, _ natural: Size, _ playout: Playout) -> Bool {
        let feed = playout.feeds[lease.feed]
        guard lease.purpose == .play, let item = feed.slot(of: lease)?.run.place else { return false }
        let budget = playout.budget(for: feed, item: item, natural)
        return feed.supply.expectsDelivery(by: lease, budget, playout.context(of: feed))
    }

    mutating func take(_ report: LeaseReport, of lease: Lease, _ playout: Playout) -> Bool {
        let feed = playout.feeds[lease.feed]
        switch report {
        case .ended(let end, let damages, let kept, let closed):
            return finish(lease, end, damages, keeping: kept, closing: closed, playout)
        case .givenBack(let source):
            pool.takeBack(lease, playout)
            feed.supply.takeBack(lease, source, playout.context(of: feed))
            return true
        case .failed(let trouble, let source): return fail(lease, trouble, closing: source, playout)
        case .cost(let cost): return learn(cost, of: lease, playout)
        case .soundLag(let lag): feed.reel.noteSound(lag: lag, of: lease, playout.context(of: feed))
        case .decoder(.closed): pool.note(lease.pipeline, hasDecoder: false)
        case .decoder(.opened): pool.note(lease.pipeline, hasDecoder: true)
        case .decoder(.continued): feed.slots.slot(of: lease)?.noteContinued()
        }
        return false
    }

    private mutating func finish(
        _ lease: Lease, _ end: Time?, _ damages: Set<FilmDamage>?, keeping source: OpenSourceID?,
        closing useless: OpenSourceID?, _ playout: Playout
    ) -> Bool {
        let feed = playout.feeds[lease.feed]
        if end != nil, feed.sources.live(lease.location) != nil, lease.purpose == .play, let source = source ?? useless
        {
            return fail(lease, FeedTrouble.streamEnded, closing: source, playout)
        }
        pool.takeBack(lease, playout)
        if let damages, let item = feed.slot(of: lease)?.run.place {
            for damage in FilmDamage.seenInReading {
                let isThere = damages.contains(damage)
                playout.report(damage, isThere: isThere, of: feed, lease.location, item: item)
            }
        }
        if let source { feed.reel.sources.park(source, of: lease.slot, at: lease.location) }
        if let useless { playout.outbox.close(useless) }
        if feed.supply.finish(lease, end: end, playout.context(of: feed)) { askForSources(feed, playout) }
        return true
    }

    /// Ends a lease whose source has failed. Frames that were decoded before are played. A run without any frame has
    /// failed.
    private mutating func fail(
        _ lease: Lease, _ trouble: SourceTrouble, closing source: OpenSourceID?, _ playout: Playout
    ) -> Bool {
        let feed = playout.feeds[lease.feed]
        pool.takeBack(lease, playout)
        if let source { playout.outbox.close(source) }
        // At shutdown reads are cancelled, which is not a failure of the source.
        if pool.isClosed { return false }
        if let slot = feed.slot(of: lease) {
            let pts = lease.purpose == .play ? slot.frames.last?.pts : nil
            playout.report(trouble, of: feed, lease.location, item: slot.run.place, pts: pts)
            playout.emit(feed.supply.fail(lease, trouble, playout.context(of: feed)), of: feed)
        }
        return true
    }

    private mutating func learn(_ cost: DecodeCost, of lease: Lease, _ playout: Playout) -> Bool {
        let feed = playout.feeds[lease.feed]
        guard cost.media > .zero, let run = feed.slot(of: lease)?.run else { return false }
        feed.reel.decoding.learn(cost, at: feed.timeline.rate(of: run))
        pool.learn(costs: playout.feeds.compactMap(\.decoding.cost))
        degrading.settle(playout)
        return !degrading.isAtRest
    }

    // MARK: sources

    /// Takes the answer to a request for an opening.
    mutating func take(_ answer: Result<OpenedSource, SourceTrouble>, for ticket: Int, _ playout: Playout) -> Bool {
        guard let opening = openRequests.end(ticket) else {
            if case .success(let opened) = answer { playout.outbox.close(opened.id) }
            return false
        }
        switch answer {
        case .success(let opened): take(opened, for: opening, playout)
        case .failure(let trouble): fail(opening, trouble, playout)
        }
        return true
    }

    // MARK: items on top

    /// Opens the source of an item before the item is put on top. `name`: name of the item's break.
    mutating func openAhead(_ item: Item, of feed: Feed, for name: String, _ playout: Playout) {
        var timeline = Timeline(items: [item], loop: .iterations(1))
        timeline.decoding = feed.timeline.decoding
        let opening = OpenRequest(
            of: RunID(iteration: 0), in: timeline, for: feed.id, .ahead(name), since: playout.now)
        let tileSize = playout.decodeSize(.unlimited, of: feed, item: opening.item)
        let order = openRequests.start(opening, limit: playout.limits.frame, tileSize: tileSize, at: playout.now)
        if let order { playout.outbox.open(order) }
    }

    /// Skips due items on top whose sources do not answer. Returns the wall time at which the next item is skipped.
    mutating func giveUpItemsOnTop(of feed: Feed, _ playout: Playout) -> Time? {
        guard feed.hasSeat, feed.timeline.layer != nil else { return nil }
        var next = Earliest()
        let (now, playback) = (playout.now, playout.context(of: feed))
        for index in feed.slots.indices {
            let slot = feed.slots[index]
            guard slot.run.layer > 0, slot.isUnopened else { continue }
            if feed.slots.followsSilence(slot: index) {
                giveUp(slot, index, of: feed, playout)
                next.add(now)
                continue
            }
            // The start is unknown after a skipped item. A live source that interrupts is due at once.
            let isAwaited = feed.awaitedTop?.id == slot.id
            let due =
                isAwaited || slot.start == nil ? slot.times.asked : slot.start.flatMap { playback.wallTime(of: $0) }
            guard let end = due.map({ $0 + OpenRequests.patienceOnTop }) else { continue }
            if now >= end { giveUp(slot, index, of: feed, playout) }
            // The run after an item that was given up may begin now.
            next.add(max(now, end))
        }
        return next.instant
    }

    private mutating func giveUp(_ slot: Slot, _ index: Int, of feed: Feed, _ playout: Playout) {
        openRequests.giveUp(.slot(slot.id), of: feed.id)
        playout.report(OpenRequests.noAnswerOnTop, of: feed, slot.location, item: slot.run.place)
        playout.fail(feed, slot: index, OpenRequests.noAnswerOnTop)
    }
}

/// Report of a pipeline on its lease.
public enum LeaseReport: Sendable {
    /// The run was read to its end. `at`: that end in media time, nil if the run was cut off. `damages`: damage seen in
    /// reading. nil if the run was not read from its beginning: a decoder that starts later may lack reference frames.
    /// `keeping`: source that is kept for another run. `closing`: source that is closed.
    case ended(at: Time?, damages: Set<FilmDamage>? = nil, keeping: OpenSourceID?, closing: OpenSourceID? = nil)
    /// The pipeline gives the source back in the middle of the run. Another pipeline continues from its position.
    case givenBack(OpenSourceID)
    /// The source failed.
    case failed(SourceTrouble, closing: OpenSourceID? = nil)
    /// Cost of some of the run's frames.
    case cost(DecodeCost)
    /// Delay of a live source's sound against its frames.
    case soundLag(Time)
    /// The pipeline opened or closed its decoder, or continued with the one it had.
    case decoder(DecoderChange)
}

// Degrading: decoders leave out details that small tiles can't show, and more where the wall can't keep up.
extension Degrading {
    private static var lookAgain: Time { .milliseconds(250) }

    /// A tile is short of frames if its decoded frames last less than this.
    private static var shortage: Time { .milliseconds(200) }

    /// Shares of the time that a decoder works: above `overloadedAbove` it is at its limit, below `spareBelow` it has
    /// time to spare.
    private static var overloadedAbove: Double { 0.8 }
    private static var spareBelow: Double { 0.7 }

    /// Checks the decoded frames of every feed, and takes the degrading a step up or down. Feeds whose clocks wait or
    /// are paused do not count. Returns the wall time of the next check; nil while the wall keeps up.
    @discardableResult mutating func settle(_ playout: Playout) -> Time? {
        guard playout.limits.quality != .exact, isAllowed else { return nil }
        let exact = Set(playout.feeds.filter { playout.quality(of: $0) == .exact }.map(\.id))
        var playing = playout.feeds.filter { isRunning($0, playout.transport) }
        // A shortage of exact feeds takes nothing from them, but from the others.
        if playing.allSatisfy({ exact.contains($0.id) }) { playing = [] }
        let focused = playout.tiles.focusedFeed
        let others: Others = playing.contains { $0.id != focused && !exact.contains($0.id) } ? .some : .none
        update(supply(of: playing, playout.transport, at: playout.now), others: others, at: playout.now)
        for feed in playout.feeds where !feed.tiles.isEmpty {
            let step =
                exact.contains(feed.id)
                ? .nothing : self.step(of: feed.id == focused ? .focused : .other, others: others)
            guard feed.reel.decoding.degrade(to: step) else { continue }
            playout.emit(of: feed) { .degrade(tile: $0, step: step) }
        }
        return isAtRest ? nil : playout.now + Self.lookAgain
    }

    private func supply(of playing: [Feed], _ transport: Transport, at now: Time) -> Supply {
        var isPlenty = true
        var least: Time?
        for feed in playing {
            let left = transport.urgency(feed, at: now), slots = feed.slots
            let busyShare = (feed.decoding.busyShare ?? 0) * transport.group(of: feed).clock.rate.value
            // A live feed buffers nothing.
            if feed.isLive, busyShare <= Self.spareBelow { continue }
            let isAtWork = slots.contains { $0.isLeased && !$0.frames.isEmpty }
            if isAtWork, left < Self.shortage, busyShare > Self.overloadedAbove { least = min(least ?? left, left) }
            if busyShare > Self.spareBelow || left < Self.shortage { isPlenty = false }
        }
        return least.map { .short(left: $0) } ?? (isPlenty ? .plenty : .enough)
    }

    private func isRunning(_ feed: Feed, _ transport: Transport) -> Bool {
        guard feed.hasSeat, feed.phase == .playing else { return false }
        let group = transport.group(of: feed)
        return group.phase == .going && group.clock.motion == .running
    }
}
