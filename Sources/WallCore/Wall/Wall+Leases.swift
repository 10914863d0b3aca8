// What pipelines ask, and what comes back from them: frames, ends, failures, and what it cost.
extension Wall {
    // MARK: what they ask

    /// What this pipeline is to do now; nil: nothing yet.
    public mutating func takeTask(_ pipeline: Int) -> PipelineTask? {
        if pool.mustClose(pipeline) { return .closeDecoder }
        guard let (lease, source) = pool.takeLease(pipeline) else { return nil }
        return .decode(feeds[lease.feed].job(of: lease, source))
    }

    /// When the slot needs a frame that it has not: pipelines are let to the cores in this order. The focused tile
    /// comes a little before the others, so that it is the last to lack something. nil: in no order, since users of a
    /// clock that stands wait for all tiles at once.
    public func due(_ lease: Lease, at now: Time) -> Time? {
        guard lease.purpose == .play, let slot = feeds[lease.feed].slot(of: lease), let start = slot.start else {
            return now
        }
        let context = context(of: lease.feed, at: now)
        if context.group.hasStarted, !context.isRunning { return nil }
        let left = (start + slot.decodedTo - context.groupTime).lasting(at: context.rate)
        // At the start all are to have their first frames soon.
        let comesFirst = context.group.hasStarted && focusedFeed == lease.feed
        return now + left - (comesFirst ? Depth.focusFirst : .zero)
    }

    /// Asked while the first frame is looked for: a jump elsewhere takes the slot away.
    public func isWanted(_ lease: Lease) -> Bool { feeds[lease.feed].slot(of: lease)?.pipeline == lease.pipeline }

    /// Asked before each frame that follows one that was delivered.
    public func leaseDecision(_ lease: Lease, at now: Time) -> LeaseDecision {
        if !isWanted(lease) || pool.pipelines[lease.pipeline].mustYield { return .drops }
        return lease.purpose == .play && hasTarget(lease.feed, at: now) ? .rests : .decodes
    }

    /// Asked for every decoded frame, before it is scaled. `natural` is its whole upright size, not turned.
    public mutating func decide(
        _ lease: Lease, pts: Time, length: Time, natural: Size, at now: Time
    ) -> FrameDecision {
        guard isWanted(lease), let run = feeds[lease.feed].slot(of: lease)?.run else { return .drop }
        if lease.purpose == .play, pool.pipelines[lease.pipeline].mustYield { return .drop }
        let budget = FrameBudget(
            size: decodeSize(natural, of: lease.feed, item: run.item), memory: memoryShare,
            quality: feeds[lease.feed].watchers.isEmpty ? layout.quality : .exact,
            keeping: keeping(lease.feed), hasTarget: hasTarget(lease.feed, at: now))
        let frame = DecodedFrame(pts: pts, length: length, natural: natural)
        return feeds[lease.feed].decide(frame, of: lease, budget, context(of: lease.feed, at: now))
    }

    /// What frames of a feed are to keep of their frames.
    func keeping(_ feed: FeedID) -> FrameKeeping {
        figures.isOn ? .all : feeds[feed].watchers.isEmpty ? .none : .deep
    }

    /// What the largest view of the feed needs of an item. Each tile has its own crop of it.
    func decodeSize(_ natural: Size, of feed: FeedID, item: Int) -> Size {
        let turn = feeds[feed].timeline.items[item].turn
        // What stands is compared in its own size.
        if !feeds[feed].watchers.isEmpty, clocks[feeds[feed].group].motionToCome == .standing {
            return natural.turned(turn)
        }
        if recordsFrames(of: feed) { return natural.turned(turn) }
        let views = feeds[feed].tiles.map { tile in
            let look = tiles[tile].look(ofItem: item)
            // Only its size counts, and it is as much of the width as of the height, whatever the turn.
            let crop = shownPart(of: tile).of(look.crop)
            return (rect: output.rectToDecode(of: tile), fit: tiles[tile].layout.fit, crop: crop)
        }
        // It fills the reference's place, whatever its own shape is.
        let compared = feeds[feed].watchers.map {
            (rect: output.rectToDecode(of: $0), fit: Fit.cover, crop: shownPart(of: $0))
        }
        return TileGeometry.decodeSize(natural: natural, turn: turn, views: views + compared)
    }

    // MARK: what comes back

    /// The frame that was admitted.
    public mutating func deliver(
        _ lease: Lease, _ frame: any WallFrame, pts: Time, length: Time, stillness: Stillness = .unknown,
        at now: Time
    ) {
        if lease.purpose == .preview {
            guard feeds[lease.feed].preview.isFor(lease.slot) else { return }
            feeds[lease.feed].preview.note(frame, pts: pts)
            return showPreview(frame, of: lease.feed)
        }
        let context = context(of: lease.feed, at: now)
        let delivery = feeds[lease.feed].deliver(lease, frame, pts: pts, length: length, context)
        if stillness != .unknown { note(stillness, of: lease, at: now) }
        if takes.session != nil { noteForTake(frame, pts: pts, of: lease, at: now) }
        if delivery.wakesScreen { effects.wakeScreen() }
        // The frame that the clock waits for decides when it goes on, not a timer.
        let isWaitedFor =
            context.group.isWaiting
            ? delivery.isFirst || delivery.isAwaited
            : delivery.isFirst && feeds[lease.feed].awaitsFirstFrame
                || delivery.isAwaited && context.group.alignsTo == lease.feed
        guard isWaitedFor else { return }
        effects.wakeScreen()
        update(at: now)
    }

    /// The run was read to its end, which is at `end` in media time (nil: it was cut off). Its source is kept for
    /// another run, or is of no more use. `damages`: what was seen in reading it; nil: it was not read from its
    /// beginning, where decoders may lack what frames build on.
    public mutating func finish(
        _ lease: Lease, end: Time?, damages: Set<FilmDamage>? = nil, keeping source: (any WallSource)?,
        closing useless: (any WallSource)? = nil, at now: Time
    ) {
        if end != nil, feeds[lease.feed].isLive(lease), lease.purpose == .play, let source = source ?? useless {
            return fail(lease, SourceTrouble(.unreachable, "nothing more comes"), closing: source, at: now)
        }
        handBack(lease, at: now)
        if let damages, let item = feeds[lease.feed].slot(of: lease)?.run.item {
            for damage in FilmDamage.seenInReading {
                report(damage, isThere: damages.contains(damage), of: lease.feed, lease.location, item: item, at: now)
            }
        }
        if let source { feeds[lease.feed].sources.park(source, of: lease.slot, at: lease.location, &effects) }
        if let useless { effects.close(useless) }
        if feeds[lease.feed].finish(lease, end: end, context(of: lease.feed, at: now), &effects) {
            askForSources(lease.feed, at: now)
        }
        update(at: now)
    }

    /// The lease was taken back in the middle of the run; somebody goes on from where it stands.
    public mutating func returnLease(_ lease: Lease, source: any WallSource, at now: Time) {
        handBack(lease, at: now)
        feeds[lease.feed].takeBack(lease, source, context(of: lease.feed, at: now), &effects)
        update(at: now)
    }

    /// The source broke. What was decoded is played; a run without any frame has failed.
    public mutating func fail(
        _ lease: Lease, _ trouble: SourceTrouble, closing source: (any WallSource)? = nil, at now: Time
    ) {
        handBack(lease, at: now)
        if let source { effects.close(source) }
        // Called back at the end: that is no fault of the source.
        if pool.isClosed { return }
        if let slot = feeds[lease.feed].slot(of: lease) {
            let pts = lease.purpose == .play ? slot.frames.last?.pts : nil
            report(trouble, of: lease.feed, lease.location, item: slot.run.item, pts: pts, at: now)
            let changes = feeds[lease.feed].fail(lease, trouble, context(of: lease.feed, at: now), &effects)
            emit(changes, of: lease.feed, at: now)
            effects.wakeScreen()
        }
        update(at: now)
    }

    /// What a pipeline's thread did for some of a run's frames.
    public mutating func noteCost(_ lease: Lease, _ decodeCost: DecodeCost, at now: Time) {
        guard decodeCost.media > .zero, let run = feeds[lease.feed].slot(of: lease)?.run else { return }
        feeds[lease.feed].decoding.learn(decodeCost, at: feeds[lease.feed].timeline.rate(of: run))
        pool.learn(costs: feeds.compactMap(\.decoding.cost))
        settleDegrading(at: now)
    }

    /// The sound of a live source has come so much later than its frames.
    public mutating func noteSound(lag: Time, _ lease: Lease, at now: Time) {
        feeds[lease.feed].noteSound(lag: lag, of: lease, context(of: lease.feed, at: now))
    }

    /// The pipeline opened or closed its decoder, or went on with the one it had.
    public mutating func noteDecoder(_ lease: Lease, _ manner: DecoderChange) {
        switch manner {
        case .closed: pool.note(lease.pipeline, hasDecoder: false)
        case .opened: pool.note(lease.pipeline, hasDecoder: true)
        case .continued:
            if let index = feeds[lease.feed].index(of: lease) { feeds[lease.feed].slots[index].noteContinued() }
        }
    }

    /// It has closed the decoder that nobody uses.
    public mutating func decoderClosed(_ pipeline: Int) { pool.note(pipeline, hasDecoder: false) }
}
