/// What a pipeline is to decode.
public struct Job {
    public let lease: Lease
    public let handle: any WallSource
    /// Media time: the first picture is the one on screen at `from`; pictures that begin at `until` are not wanted.
    public let from: Time
    public let until: Time?
    public let turn: Turn
    public let flip: Flip
}

public enum PipelineTask {
    case decode(Job)
    case closeDecoder
}

/// What to do with a picture that was just decoded.
public enum Admission: Equatable, Sendable {
    /// Scale the whole picture to this size and deliver it; leave this out of those that follow.
    case scale(Size, DecodeSkips)
    /// It is not shown: decode on. `over`: what ends before, in media time, is over already.
    case skip(over: Time?)
    /// The slot is full: ask again when woken, or at this wall time.
    case wait(until: Time?)
    /// The run is cut off here: finish.
    case end
    /// The lease is over: give the source back.
    case drop
}

/// What a lease does next.
public enum GoingOn: Sendable {
    case decodes
    /// Others are to have the cores: ask again when woken.
    case rests
    /// The lease is over: give the source back.
    case drops
}

// The pipelines' side: who decodes what, and how far ahead.
extension Wall {
    // MARK: giving

    /// Gives idle pipelines to those who need them, the most urgent first.
    mutating func assign(at wall: Time) {
        guard !pool.isClosed else { return }
        while pool.hasIdle, let (feed, purpose) = nextLease(at: wall) { lease(feed, for: purpose, at: wall) }
        askBackSpares(at: wall)
        askBackForPosters(at: wall)
    }

    private mutating func nextLease(at wall: Time) -> (FeedID, Lease.Purpose)? {
        let poster = feeds.ids.first { if case .ready = feeds[$0].poster?.loading { true } else { false } }
        let idle = pool.idleCount
        if isEarly(at: wall) {
            if let poster { return (poster, .poster) }
            // Half of the pipelines are kept for the posters that are still being opened.
            if idle <= (pool.limit + 1) / 2 { return nil }
        }
        if let poster, pool.spendPosterCredit() { return (poster, .poster) }
        let wanting = feeds.ids.filter { feeds[$0].hasSeat && feeds[$0].nextToDecode != nil }
        let starving = wanting.filter { feeds[$0].starves }
        let urgent = starving.min { urgency($0, at: wall) < urgency($1, at: wall) }
        if let poster, urgent.map({ urgency($0, at: wall) > Self.posterTime }) ?? true { return (poster, .poster) }
        if let urgent { return (urgent, .play) }
        // A pipeline beyond those that the seated feeds may want warms a back slot early.
        let entitled = feeds.count { $0.hasSeat && $0.phase == .playing && !$0.slots.contains { $0.isLeased } }
        guard idle > entitled, clocks.isGoing else { return nil }
        let spare = wanting.filter { feeds[$0].slots.count { $0.isLeased } == 1 && opensAnother($0) }
        return spare.min { urgency($0, at: wall) < urgency($1, at: wall) }.map { ($0, .play) }
    }

    /// How long a feed must be able to play on so that a poster may come first.
    private static var posterTime: Time { .milliseconds(300) }

    /// The slot to be decoded next needs another decoder than the one before: the same source would just go on.
    private func opensAnother(_ feed: FeedID) -> Bool {
        guard let index = feeds[feed].nextToDecode, index > 0 else { return false }
        let timeline = feeds[feed].timeline
        let (a, b) = (feeds[feed].slots[index - 1].run, feeds[feed].slots[index].run)
        return timeline.piece(of: a).source != timeline.piece(of: b).source
    }

    /// How much wall time is left until the feed has nothing to show.
    private func urgency(_ feed: FeedID, at wall: Time) -> Time {
        let now = now(of: feeds[feed], at: wall)
        return feeds[feed].buffered(after: now).lasting(at: clocks[feeds[feed].group].clock.rate)
    }

    private mutating func lease(_ feed: FeedID, for purpose: Lease.Purpose, at wall: Time) {
        guard let pipeline = pool.idle(for: feed) else { return }
        let id: Int
        let run: RunID
        let source: any WallSource
        switch purpose {
        case .play:
            guard let index = feeds[feed].nextToDecode else { return }
            guard case .ready(let ready) = feeds[feed].slots[index].loading else { return }
            if let before = feeds[feed].lastPipeline, before != pipeline { feeds[feed].slots[index].how = .swapped }
            feeds[feed].lastPipeline = pipeline
            feeds[feed].slots[index].loading = .leased(pipeline: pipeline)
            if feeds[feed].slots[index].leasedAt == nil { feeds[feed].slots[index].leasedAt = wall }
            (id, run, source) = (feeds[feed].slots[index].id, feeds[feed].slots[index].run, ready)
        case .poster:
            guard let poster = feeds[feed].poster, case .ready(let ready) = poster.loading else { return }
            feeds[feed].poster?.loading = .leased(pipeline: pipeline)
            (id, run, source) = (poster.id, poster.run, ready)
        }
        let location = feeds[feed].timeline.piece(of: run).source
        pool.give(
            Lease(pipeline: pipeline, feed: feed, slot: id, run: run, location: location, purpose: purpose), source)
        orders.wakePipeline(pipeline)
        for tile in feeds[feed].views.prefix(1) {
            tell(.lease(tile: tiles[tile].name, item: run.item, pipeline: pipeline, open: pool.leased), at: wall)
        }
    }

    /// A seated feed without a pipeline takes a second one back from whoever has two.
    private mutating func askBackSpares(at wall: Time) {
        guard !pool.hasIdle else { return }
        guard feeds.contains(where: { $0.hasSeat && $0.starves }) else { return }
        for feed in feeds where feed.slots.count(where: { $0.isLeased }) > (feed.starves ? 0 : 1) {
            guard let pipeline = feed.slots.last(where: { $0.isLeased })?.pipeline else { continue }
            pool.askBack(pipeline)
            orders.wakePipeline(pipeline)
            return
        }
    }

    /// In the first seconds, a feed that has enough to go on with lends its pipeline for a poster.
    private mutating func askBackForPosters(at wall: Time) {
        guard !pool.hasIdle, clocks.isGoing, let beganAt, wall < beganAt + .seconds(3),
            !pool.isYielding,
            feeds.contains(where: { if case .ready = $0.poster?.loading { true } else { false } })
        else { return }
        let lenders = feeds.ids.filter { feed in
            feeds[feed].slots.contains { $0.isLeased } && urgency(feed, at: wall) > Self.posterTime
        }
        guard let lender = lenders.max(by: { urgency($0, at: wall) < urgency($1, at: wall) }),
            let pipeline = feeds[lender].slots.last(where: { $0.isLeased })?.pipeline
        else { return orders.scheduleUpdate(at: wall + .milliseconds(50)) }
        pool.askBack(pipeline)
        orders.wakePipeline(pipeline)
    }

    // MARK: a pipeline asks

    /// What this pipeline is to do now; nil: nothing yet.
    public mutating func takeTask(_ pipeline: Int) -> PipelineTask? {
        if pool.mustClose(pipeline) { return .closeDecoder }
        return takeJob(pipeline).map { .decode($0) }
    }

    /// It has closed the decoder that nobody uses.
    public mutating func decoderClosed(_ pipeline: Int) { pool.note(pipeline, hasDecoder: false) }

    private mutating func takeJob(_ pipeline: Int) -> Job? {
        guard let (lease, source) = pool.takeLease(pipeline) else { return nil }
        guard let slot = slot(of: lease) else {
            // The feed gave the slot up before the pipeline had begun.
            return Job(lease: lease, handle: source, from: .zero, until: nil, turn: .none, flip: .none)
        }
        let timeline = feeds[lease.feed].timeline
        let (piece, item) = (timeline.piece(of: slot.run), timeline.items[slot.run.item])
        if let (index, refill) = refilling(lease) {
            feeds[lease.feed].slots[index].refill = .init(from: refill.from, to: refill.to, wasWhole: refill.wasWhole)
        }
        let entered = (slot.refill?.from ?? max(slot.entry, slot.decodedTo)).played(at: timeline.rate(of: slot.run))
        return Job(
            lease: lease, handle: source, from: piece.start + entered, until: piece.end, turn: item.turn,
            flip: item.flip)
    }

    func slot(of lease: Lease) -> Slot? {
        lease.purpose == .poster
            ? feeds[lease.feed].poster.flatMap { $0.id == lease.slot ? $0 : nil }
            : feeds[lease.feed].slots.first { $0.id == lease.slot }
    }

    func slotIndex(of lease: Lease) -> Int? {
        lease.purpose == .play ? feeds[lease.feed].slots.firstIndex { $0.id == lease.slot } : nil
    }

    /// When the slot needs a picture that it has not: pipelines are let to the cores in this order. The focused tile
    /// comes a little before the others, so that it is the last to lack something. nil: in no order, since hands on a
    /// clock that stands wait for all tiles at once.
    public func due(_ lease: Lease, at wall: Time) -> Time? {
        guard lease.purpose == .play, let slot = slot(of: lease), let start = slot.start else { return wall }
        let feed = feeds[lease.feed]
        let group = clocks[feed.group]
        if group.hasStarted, group.clock.motion == .standing { return nil }
        let left = (start + slot.decodedTo - now(of: feed, at: wall)).lasting(at: group.clock.rate)
        // At the start all are to have their first pictures soon.
        let comesFirst = group.hasStarted && focusedFeed == lease.feed
        return wall + left - (comesFirst ? Depth.focusFirst : .zero)
    }

    /// Asked while the first picture is looked for: a jump elsewhere takes the slot away.
    public func isWanted(_ lease: Lease) -> Bool { slot(of: lease)?.pipeline == lease.pipeline }

    /// Asked before each picture that follows one that was delivered.
    public func goingOn(_ lease: Lease, at wall: Time) -> GoingOn {
        if !isWanted(lease) || pool.pipelines[lease.pipeline].mustYield { return .drops }
        return lease.purpose == .play && hasTarget(lease.feed, at: wall) ? .rests : .decodes
    }

    /// Asked for every decoded picture, before it is scaled. `natural` is its whole upright size, not turned.
    public mutating func admit(
        _ lease: Lease, pts: Time, length: Time, natural: Size, at wall: Time
    ) -> Admission {
        guard let slot = slot(of: lease), slot.pipeline == lease.pipeline else { return .drop }
        let feed = feeds[lease.feed]
        let turn = feed.timeline.items[slot.run.item].turn
        if lease.purpose == .poster {
            return slot.pictures.isEmpty
                ? .scale(decodeSize(natural, of: lease.feed, item: slot.run.item), .none) : .end
        }
        if pool.pipelines[lease.pipeline].mustYield { return .drop }
        let rate = feed.timeline.rate(of: slot.run)
        let offset = max(.zero, (pts - feed.timeline.piece(of: slot.run).start).lasting(at: rate))
        if let cut = slot.cut, let start = slot.start, start + offset >= cut { return .end }
        let now = now(of: feed, at: wall)
        let isRunning = clocks[feed.group].clock.motion == .running
        let end = offset + length.lasting(at: rate)
        if let refill = slot.refill {
            if isRunning { return .drop }
            if offset >= refill.to { return .end }
            if hasTarget(lease.feed, at: wall) { return .wait(until: nil) }
            let size = decodeSize(natural, of: lease.feed, item: slot.run.item)
            return .scale(size, skips(of: feed, natural.turned(turn), to: size))
        }
        let isLast = slot.length.map { end >= $0 } ?? false
        noteLeap(to: offset, lease)
        if isRunning, let start = slot.start, start + end <= now, !isLast,
            wall - feed.lastScaled < .milliseconds(250)
        {
            feeds[lease.feed].skippedAt = wall
            noteSkip(to: end, lease)
            feeds[lease.feed].health.missed += 1 + leftOut(feed, slot.run, length: length, at: wall)
            // Those of the next moment would come too late as well.
            let over = now + Depth.catchUp.played(at: clocks[feed.group].clock.rate)
            return .skip(over: feed.timeline.piece(of: slot.run).start + (over - start).played(at: rate))
        }
        let size = decodeSize(natural, of: lease.feed, item: slot.run.item)
        if hasTarget(lease.feed, at: wall) { return .wait(until: nil) }
        if let wait = room(lease, size: size, now: now) {
            guard isRunning else { return .wait(until: nil) }
            return .wait(until: wall + wait.lasting(at: clocks[feed.group].clock.rate))
        }
        if isRunning, !isLast, isSecond(of: lease.feed) {
            feeds[lease.feed].health.missed += 1 + leftOut(feed, slot.run, length: length, at: wall)
            return .skip(over: nil)
        }
        feeds[lease.feed].lastScaled = wall
        return .scale(size, skips(of: feed, natural.turned(turn), to: size))
    }

    /// How long to wait, in group time, until the slot takes another picture; nil: it takes it now.
    ///
    /// The front is filled up to the depth and drains by a burst before it is filled again, so pictures are
    /// decoded in bursts; a back slot is warmed at once by a few pictures and filled as the front drains.
    private mutating func room(_ lease: Lease, size: Size, now: Time) -> Time? {
        guard let index = slotIndex(of: lease) else { return nil }
        let slot = feeds[lease.feed].slots[index]
        let depth = feeds[lease.feed].depth.played(at: clocks[feeds[lease.feed].group].clock.rate)
        let most = mostPictures(size, of: lease.feed)
        let behind = feeds[lease.feed].isReplayable(0) ? 0 : min(feeds[lease.feed].slots[0].first, Depth.keptPlaying)
        let held = feeds[lease.feed].slots.reduce(behind) { $0 + $1.waiting }
        let promised = index == 0 ? Depth.fewestPictures : held < most ? Depth.warmPictures : 1
        if slot.waiting < promised {
            feeds[lease.feed].slots[index].isFilling = true
            return nil
        }
        let ahead = slot.ahead(of: now)
        // Near the run's end nothing is put off: the earlier it is decoded, the earlier the next run is warmed.
        let isEnding = slot.length.map { $0 - slot.decodedTo <= Depth.burst } ?? false
        let low = isEnding ? depth : depth - Depth.burst.played(at: clocks[feeds[lease.feed].group].clock.rate)
        if ahead >= depth || held >= most {
            feeds[lease.feed].slots[index].isFilling = false
            let surplus = max(.milliseconds(1), ahead - low)
            return held >= most ? max(.milliseconds(10), min(surplus, ahead / 3)) : surplus
        }
        if slot.isFilling || ahead <= low {
            feeds[lease.feed].slots[index].isFilling = true
            return nil
        }
        return max(.milliseconds(1), ahead - low)
    }

    /// A feed's share of the layout's memory, in pictures like its last one, or of this size.
    private func mostPictures(_ size: Size, of feed: FeedID) -> Int {
        let last = feeds[feed].slots.lazy.compactMap { $0.pictures.last?.picture.bytes }.last
        return max(Depth.fewestPictures, memoryShare / max(1, last ?? size.width * size.height * 3 / 2))
    }

    /// How many pictures stay that a running clock has left behind: they take an eighth of the feed's memory at most.
    func keptPlaying(_ feed: FeedID) -> Int {
        guard let bytes = feeds[feed].slots.first?.pictures.last?.picture.bytes else { return 0 }
        return min(Depth.keptPlaying, memoryShare / 8 / max(1, bytes))
    }

    private var memoryShare: Int { layout.memoryMiB << 20 / max(1, feeds.count { $0.hasSeat }) }

    /// What the largest view of the feed needs of an item. Each tile has its own crop of it.
    func decodeSize(_ natural: Size, of feed: FeedID, item: Int) -> Size {
        TileGeometry.decodeSize(
            natural: natural, turn: feeds[feed].timeline.items[item].turn,
            views: feeds[feed].views.map { tile in
                let crop = tiles[tile].look(ofItem: item).crop
                return (frame: output.frameToDecode(of: tile), fit: tiles[tile].layout.fit, crop: crop)
            })
    }

    /// For still images: what the whole window would need, since they are decoded once.
    public func stillSize(_ natural: Size, turn: Turn) -> Size {
        TileGeometry.decodeSize(
            natural: natural, turn: turn, views: [(frame: Rect(output.size), fit: .cover, crop: .all)])
    }
}
