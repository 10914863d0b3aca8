import Base
import Layout
import Scene

// Requests of pipelines, and their results: frames, ends, failures and costs.
extension PlayerCore {
    // MARK: requests

    /// Returns the next task of a pipeline. nil if there is none yet.
    public mutating func takeTask(_ pipeline: Int) -> PipelineTask? {
        if pool.mustClose(pipeline) { return .closeDecoder }
        guard let (lease, source) = pool.takeLease(pipeline) else { return nil }
        return .decode(playbacks.feeds[lease.feed].beginJob(of: lease, source))
    }

    /// Returns the wall time at which a slot runs out of decoded frames. Pipelines get the cores in this order. The
    /// focused tile counts as due a little earlier, so that it is the last to lack a frame. nil while the clock is
    /// paused: the user waits for all tiles alike.
    public func due(_ lease: Lease, at now: Time) -> Time? {
        guard lease.purpose == .play, let slot = playbacks.feeds[lease.feed].slot(of: lease), let start = slot.start
        else {
            return now
        }
        let context = context(of: lease.feed, at: now)
        if context.group.hasStarted, !context.isRunning { return nil }
        let left = (start + slot.decodedTo - context.dueTime).lasting(at: context.rate)
        // At the start all tiles need their first frames soon.
        let comesFirst = context.group.hasStarted && focusedFeed == lease.feed
        return now + left - (comesFirst ? Depth.focusFirst : .zero)
    }

    /// Returns true while the slot of a lease exists. Called during the search for the first frame: a jump elsewhere
    /// drops the slot.
    public func isWanted(_ lease: Lease) -> Bool {
        playbacks.feeds[lease.feed].slot(of: lease)?.pipeline == lease.pipeline
    }

    /// Returns whether to decode on. Called before each frame that follows a delivered one.
    public func leaseDecision(_ lease: Lease, at now: Time) -> LeaseDecision {
        if !isWanted(lease) || pool.pipelines[lease.pipeline].mustYield { return .drops }
        return lease.purpose == .play && playbacks.hasTarget(lease.feed, at: now) ? .rests : .decodes
    }

    /// Returns whether to deliver a decoded frame, and in what size. Called before it is scaled. `natural`: its whole
    /// upright size, not turned.
    public mutating func decide(
        _ lease: Lease, pts: Time, length: Time, natural: Size, at now: Time
    ) -> FrameDecision {
        guard isWanted(lease), let run = playbacks.feeds[lease.feed].slot(of: lease)?.run else { return .drop }
        if lease.purpose == .play, pool.pipelines[lease.pipeline].mustYield { return .drop }
        let budget = budget(for: lease, ofItem: run.place, natural, at: now)
        let frame = DecodedFrame(pts: pts, length: length, natural: natural)
        return playbacks.feeds[lease.feed].decide(frame, of: lease, budget, context(of: lease.feed, at: now))
    }

    private func budget(for lease: Lease, ofItem item: ItemPlace, _ natural: Size, at now: Time) -> FrameBudget {
        let sizes = sizes
        return FrameBudget(
            size: sizes.decodeSize(natural, of: lease.feed, item: item), memory: memoryShare,
            quality: feeds[lease.feed].compared.watchers.isEmpty ? layout.quality : .exact,
            keeping: sizes.keeping(lease.feed), hasTarget: playbacks.hasTarget(lease.feed, at: now))
    }

    /// Adds a delivered frame to the recording, if it belongs there.
    private mutating func noteForTake(_ frame: Frame, pts: Time, of lease: Lease, at now: Time) {
        guard sizes.recordsFrames(of: lease.feed), group(of: lease.feed).clock.isMoving(at: now),
            let place = playbacks.feeds[lease.feed].reel.takePlace(of: lease, pts: pts)
        else { return }
        needs.record(TakeFrame(frame, at: place))
    }

    // MARK: results

    /// Takes a frame that was admitted.
    public mutating func deliver(
        _ lease: Lease, _ frame: Frame, pts: Time, length: Time, stillness: Stillness = .unknown,
        at now: Time
    ) {
        if lease.purpose == .preview {
            guard playbacks.feeds[lease.feed].preview.isFor(lease.slot) else { return }
            playbacks.feeds[lease.feed].preview.note(frame, pts: pts)
            return showPreview(frame, of: lease.feed)
        }
        let context = context(of: lease.feed, at: now)
        let delivery = playbacks.feeds[lease.feed].deliver(lease, frame, pts: pts, length: length, context)
        if stillness != .unknown { note(stillness, of: lease, at: now) }
        if needs.recordedTile != nil { noteForTake(frame, pts: pts, of: lease, at: now) }
        // The frame that the clock waits for decides when it goes on, not a timer.
        let isWaitedFor =
            context.group.isWaiting
            ? delivery.isFirst || delivery.isAwaited
            : delivery.isFirst && playbacks.feeds[lease.feed].reel.awaitsFirstFrame
                || delivery.isAwaited && context.group.alignsTo == lease.feed
        guard isWaitedFor else { return }
        update(at: now)
    }

    /// Ends a lease whose run was read to its end. `end`: the end in media time, nil if the run was cut off. `source`
    /// is kept for another run, `useless` is closed. `damages`: damage seen in reading. nil if the run was not read
    /// from its beginning, where decoders may lack reference frames.
    public mutating func finish(
        _ lease: Lease, end: Time?, damages: Set<FilmDamage>? = nil, keeping source: OpenSourceID?,
        closing useless: OpenSourceID? = nil, at now: Time
    ) {
        if end != nil, playbacks.feeds[lease.feed].sources.live(lease.location) != nil, lease.purpose == .play,
            let source = source ?? useless
        {
            return fail(lease, SourceTrouble(.unreachable, "nothing more comes"), closing: source, at: now)
        }
        handBack(lease, at: now)
        if let damages, let item = playbacks.feeds[lease.feed].slot(of: lease)?.run.place {
            for damage in FilmDamage.seenInReading {
                report(damage, isThere: damages.contains(damage), of: lease.feed, lease.location, item: item, at: now)
            }
        }
        if let source {
            playbacks.feeds[lease.feed].reel.sources.park(
                source, of: lease.slot, at: lease.location, &playbacks.effects)
        }
        if let useless { playbacks.effects.close(useless) }
        if playbacks.feeds[lease.feed].finish(lease, end: end, context(of: lease.feed, at: now), &playbacks.effects) {
            askForSources(lease.feed, at: now)
        }
        update(at: now)
    }

    /// Ends a lease that was taken back in the middle of its run. Another pipeline continues from the source's
    /// position.
    public mutating func returnLease(_ lease: Lease, source: OpenSourceID, at now: Time) {
        handBack(lease, at: now)
        playbacks.feeds[lease.feed].takeBack(lease, source, context(of: lease.feed, at: now), &playbacks.effects)
        update(at: now)
    }

    /// Ends a lease whose source failed. Decoded frames are played. A run without any frame has failed.
    public mutating func fail(
        _ lease: Lease, _ trouble: SourceTrouble, closing source: OpenSourceID? = nil, at now: Time
    ) {
        handBack(lease, at: now)
        if let source { playbacks.effects.close(source) }
        // At shutdown reads are cancelled, which is not a failure of the source.
        if pool.isClosed { return }
        if let slot = playbacks.feeds[lease.feed].slot(of: lease) {
            let pts = lease.purpose == .play ? slot.frames.last?.pts : nil
            report(trouble, of: lease.feed, lease.location, item: slot.run.place, pts: pts, at: now)
            let changes = playbacks.feeds[lease.feed].fail(
                lease, trouble, context(of: lease.feed, at: now), &playbacks.effects)
            emit(changes, of: lease.feed, at: now)
        }
        update(at: now)
    }

    /// Notes the cost of some of a run's frames.
    public mutating func noteCost(_ lease: Lease, _ decodeCost: DecodeCost, at now: Time) {
        guard decodeCost.media > .zero, let run = playbacks.feeds[lease.feed].slot(of: lease)?.run else { return }
        playbacks.feeds[lease.feed].reel.decoding.learn(
            decodeCost, at: playbacks.feeds[lease.feed].timeline.rate(of: run))
        pool.learn(costs: feeds.compactMap(\.decoding.cost))
        settleDegrading(at: now)
        if !degrading.isAtRest { update(at: now) }
    }

    /// Notes the delay of a live source's sound against its frames.
    public mutating func noteSound(lag: Time, _ lease: Lease, at now: Time) {
        playbacks.feeds[lease.feed].reel.noteSound(lag: lag, of: lease, context(of: lease.feed, at: now))
    }

    /// Notes that a pipeline opened or closed its decoder, or continued with the one it had.
    public mutating func noteDecoder(_ lease: Lease, _ manner: DecoderChange) {
        switch manner {
        case .closed: pool.note(lease.pipeline, hasDecoder: false)
        case .opened: pool.note(lease.pipeline, hasDecoder: true)
        case .continued:
            if let index = playbacks.feeds[lease.feed].slots.index(of: lease) {
                playbacks.feeds[lease.feed].reel.slots[index].noteContinued()
            }
        }
    }

    /// Notes that a pipeline has closed its unused decoder.
    public mutating func decoderClosed(_ pipeline: Int) { pool.note(pipeline, hasDecoder: false) }
}
