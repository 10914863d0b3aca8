// What a feed gives to pipelines, and what comes back from them.
extension Feed {
    /// The slot that a lease works for; nil: it is gone.
    func slot(of lease: Lease) -> Slot? {
        lease.purpose == .preview
            ? preview.slot.flatMap { $0.id == lease.slot ? $0 : nil } : index(of: lease).map { slots[$0] }
    }

    func index(of lease: Lease) -> Int? { lease.purpose == .play ? index(ofSlot: lease.slot) : nil }

    /// Some pipeline works for it.
    var isLeased: Bool { slots.contains(where: \.isLeased) }

    // MARK: a lease begins

    /// What the pipeline is to decode, for one purpose, and from which source; nil: there is nothing.
    mutating func lease(to pipeline: Int, for purpose: Lease.Purpose, at now: Time) -> (Lease, any WallSource)? {
        let slot: Slot
        switch purpose {
        case .play:
            guard let index = nextToDecode else { return nil }
            slot = slots[index]
            slots[index].lease(to: pipeline, at: now, isAnother: decoding.begin(on: pipeline))
        case .preview:
            guard let planned = preview.slot else { return nil }
            slot = planned
            preview.change { $0.lease(to: pipeline, at: now, isAnother: false) }
        }
        guard case .ready(let source) = slot.loading else { return nil }
        let lease = Lease(
            pipeline: pipeline, feed: id, slot: slot.id, run: slot.run, location: slot.location, purpose: purpose)
        return (lease, source)
    }

    /// What its pipeline does. Where the slot is gone by now, that is nothing.
    mutating func job(of lease: Lease, _ source: any WallSource) -> Job {
        guard let slot = slot(of: lease) else {
            return Job(
                lease: lease, handle: source, from: .zero, until: nil, turn: .none, flip: .none, deinterlacing: .off)
        }
        if let index = refilledIndex(of: lease) { slots[index].restartRefill() }
        let (segment, item) = (timeline.segment(of: slot.run), timeline.items[slot.run.item])
        let entered = (slot.refill?.from ?? max(slot.entry, slot.decodedTo)).played(at: timeline.rate(of: slot.run))
        if sources.facts(of: slot.location)?.live != nil {
            return Job(
                lease: lease, handle: source, from: slot.decodedTo, until: nil, turn: item.turn, flip: item.flip,
                deinterlacing: item.deinterlacing ?? .off)
        }
        return Job(
            lease: lease, handle: source, from: segment.start + entered, until: segment.end, turn: item.turn,
            flip: item.flip, deinterlacing: item.deinterlacing ?? .off)
    }

    // MARK: frames come

    /// What a lease's frame was good for.
    struct Delivery {
        /// It is the first of its run.
        var isFirst = false
        /// The frame that is due now was not there before.
        var isAwaited = false
        /// The screen may sleep until later than this frame.
        var wakesScreen = false
    }

    /// The frame that was admitted.
    mutating func deliver(_ lease: Lease, _ frame: any WallFrame, pts: Time, length: Time, _ context: PlaybackContext)
        -> Delivery
    {
        guard let index = index(of: lease) else { return Delivery() }
        let slot = slots[index]
        let offset = offset(of: pts, in: slot.run)
        if let end = slot.shortenedTo, offset >= end { return Delivery() }
        let end = offset + length.lasting(at: isLive(slot.run) ? .one : timeline.rate(of: slot.run))
        let decoded = Slot.Frame(
            offset: offset, length: end - offset, pts: pts, serial: newFrameSerial(), frame: frame)
        if slot.refill != nil {
            slots[index].appendRefill(decoded, to: end, keeping: Depth.keptBehind)
            return Delivery()
        }
        let wasCovered = covers(context.groupTime)
        let isFirst = slots[index].append(decoded, to: end, at: context.now)
        if isFirst, let leased = slot.times.leased { decoding.learn(warmUp: context.now - leased) }
        if let known = slot.length, offset >= known {
            // There is more in it than its container says.
            slots[index].setLength(end)
            timeline.learn(end, of: slot.run)
            chain(context.group)
        }
        let leftOut = leftOut(of: slot.run, length: length, at: context.now)
        if leftOut > 0 { slots[index].noteGap() }
        screen.dropUndecoded(leftOut)
        trouble.noteFrame(of: lease.location)
        return Delivery(
            isFirst: isFirst, isAwaited: !wasCovered && covers(context.groupTime),
            // It sleeps until the next frame that it knows of.
            wakesScreen: (index == 0 || isFirst) && slots[index].waiting <= 2)
    }

    /// From the run's beginning to a frame's, in group time.
    func offset(of pts: Time, in run: RunID) -> Time {
        max(.zero, isLive(run) ? pts : (pts - timeline.segment(of: run).start).lasting(at: timeline.rate(of: run)))
    }

    // MARK: a lease ends

    /// The run was read to its end, which is at `end` in media time; nil: it was cut off. Says whether the feed entered
    /// its sequence anew.
    mutating func finish(_ lease: Lease, end: Time?, _ context: PlaybackContext, _ effects: inout Effects) -> Bool {
        if lease.purpose == .preview {
            if preview.isFor(lease.slot) { preview.change { $0.end() } }
        } else if let index = refilledIndex(of: lease) {
            endRefill(slot: index, context, &effects)
        } else if let index = index(of: lease) {
            let length = end.map { played(to: $0, of: slots[index].run) }
            slots[index].end(length)
            if let length {
                timeline.learn(length, of: slots[index].run)
                return settleEntry(slot: index, context, &effects)
            }
        }
        return false
    }

    /// The lease was taken back in the middle of the run; another goes on from where it stands.
    mutating func takeBack(
        _ lease: Lease, _ source: any WallSource, _ context: PlaybackContext, _ effects: inout Effects
    ) {
        if let index = refilledIndex(of: lease) {
            sources.park(source, of: lease.slot, at: lease.location, &effects)
            endRefill(slot: index, context, &effects)
        } else if let index = index(of: lease) {
            slots[index].giveBack(source)
        } else if lease.purpose == .preview, preview.isFor(lease.slot) {
            preview.change { $0.giveBack(source) }
        } else {
            sources.park(source, of: lease.slot, at: lease.location, &effects)
        }
    }

    /// The source broke. What was decoded is played; a run without any frame has failed.
    mutating func fail(
        _ lease: Lease, _ trouble: SourceTrouble, _ context: PlaybackContext, _ effects: inout Effects
    ) -> [FeedScreen.ItemChange] {
        if lease.purpose == .preview {
            preview.change { $0.fail(trouble, lasting: nil) }
        } else if let index = index(of: lease) {
            if reconnectLive(slot: index, after: trouble, at: context.now, &effects) { return [] }
            if slots[index].refill?.wasWhole == true {
                endRefill(slot: index, context, &effects)
            } else if slots[index].frames.isEmpty {
                return fail(slot: index, trouble, at: context.groupTime)
            } else {
                breakOff(slot: index, trouble, context, &effects)
            }
        }
        return []
    }
}
