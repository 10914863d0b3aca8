import Base
import Layout
import Scene

// Jobs that a feed gives to pipelines, and the results.
extension Feed {
    /// Returns the slot that a lease works for; nil if the slot is gone.
    @inlinable public func slot(of lease: Lease) -> Slot? {
        lease.purpose == .preview
            ? preview.slot.flatMap { $0.id == lease.slot ? $0 : nil } : slots.index(of: lease).map { slots[$0] }
    }

    // MARK: a lease begins

    /// Returns a lease on the next slot to decode, and its source; nil if there is nothing to decode.
    public mutating func lease(to pipeline: Int, for purpose: Lease.Purpose, at now: Time) -> (Lease, OpenSourceID)? {
        let slot: Slot
        switch purpose {
        case .play:
            guard let index = slots.nextToDecode else { return nil }
            slot = slots[index]
            reel.slots[index].lease(to: pipeline, at: now, isAnother: reel.decoding.begin(on: pipeline))
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

    /// Returns the pipeline's job. The job is empty if the slot is gone.
    public mutating func beginJob(of lease: Lease, _ source: OpenSourceID) -> Job {
        guard let slot = slot(of: lease) else {
            return Job(lease: lease, source: source, from: .zero, until: nil, decoding: DecodeSettings())
        }
        if let index = slots.refilledIndex(of: lease) { reel.slots[index].restartRefill() }
        let segment = timeline.segment(of: slot.run)
        let decoding = timeline.item(of: slot.run)?.look.decoding ?? DecodeSettings()
        let entered = (slot.refill?.from ?? max(slot.entry, slot.decodedTo)).played(at: timeline.rate(of: slot.run))
        if sources.facts(of: slot.location)?.live != nil {
            return Job(
                lease: lease, source: source, from: slot.decodedTo, until: nil, decoding: decoding)
        }
        return Job(
            lease: lease, source: source, from: segment.start + entered, until: segment.end, decoding: decoding)
    }

    // MARK: frames come

    /// Effect of a delivered frame.
    public struct Delivery {
        /// True if the frame is the first of its run.
        public internal(set) var isFirst = false
        /// True if the frame that is due now was missing before.
        public internal(set) var isAwaited = false
    }

    /// Adds an admitted frame to its slot, or shows it as the preview.
    public mutating func deliver(_ lease: Lease, _ frame: Frame, pts: Time, length: Time, _ context: PlaybackContext)
        -> Delivery
    {
        if lease.purpose == .preview, preview.isFor(lease.slot) {
            preview.note(frame, pts: pts, serial: reel.slots.makeSerial())
        }
        guard let index = slots.index(of: lease) else { return Delivery() }
        let slot = slots[index]
        let offset = reel.offset(of: pts, in: slot.run)
        let end = offset + length.lasting(at: reel.isLive(slot.run) ? .one : timeline.rate(of: slot.run))
        let decoded = Slot.TimedFrame(
            offset: offset, length: end - offset, pts: pts, serial: reel.slots.makeSerial(), frame: frame)
        if let cut = slot.shortenedTo, offset >= cut {
            if reel.interrupted.holds(slot.run), slot.refill == nil {
                reel.interrupted.append(decoded, to: end, at: context.now)
            }
            return Delivery()
        }
        if slot.refill != nil {
            reel.slots[index].appendRefill(decoded, to: end, keeping: Depth.keptBehind)
            return Delivery()
        }
        let wasHeld = holdsFrame(at: context.dueTime)
        let isFirst = reel.slots[index].append(decoded, to: end, at: context.now)
        if isFirst, let leased = slot.times.leased { reel.decoding.learn(warmUp: context.now - leased) }
        if let known = slot.length, offset >= known, !reel.isLive(slot.run) {
            // The run is longer than its container states.
            reel.slots[index].setLength(end)
            reel.course.learn(end, of: slot.run)
            reel.chain(context.group)
        }
        // Frames before the first one were due already: only frames that are over are left out there.
        if slots[index].frames.count == 1, let first = slots[index].frames.first, context.isRunning {
            screen.drop(MissedFrames(undecoded: first.leftOut, of: slot.run))
        }
        trouble.noteFrame(of: lease.location)
        return Delivery(isFirst: isFirst, isAwaited: !wasHeld && holdsFrame(at: context.dueTime))
    }

    // MARK: a lease ends

    /// Called when the run was decoded to its end. `end`: its end in media time; nil if it was cut off. Returns true if
    /// the feed entered its sequence anew.
    public mutating func finish(_ lease: Lease, end: Time?, _ context: PlaybackContext, _ effects: inout Effects)
        -> Bool
    {
        if lease.purpose == .preview {
            if preview.isFor(lease.slot) { preview.change { $0.end() } }
        } else if let index = slots.refilledIndex(of: lease) {
            endRefill(slot: index, context, &effects)
        } else if let index = slots.index(of: lease) {
            let length = end.map { end in
                let frame = sources.facts(of: slots[index].location)?.frameLength
                return course.played(to: end, of: slots[index].run, frame: frame)
            }
            if let length { reel.course.learn(length, of: slots[index].run) }
            if slots[index].shortenedTo != nil {
                // An item on top cuts the run off. Its rest was decoded to the end.
                reel.slots[index].end()
                if let length { reel.interrupted.end(slots[index].run, at: length) }
                return false
            }
            // The last frames of the run may have been skipped.
            if let length { reel.endSkip(to: length, of: lease) }
            reel.slots[index].end(length)
            if length != nil { return settleEntry(slot: index, context, &effects) }
        }
        return false
    }

    /// Called when the pipeline gave the source back in the middle of the run. Another lease will continue from there.
    public mutating func takeBack(
        _ lease: Lease, _ source: OpenSourceID, _ context: PlaybackContext, _ effects: inout Effects
    ) {
        if let index = slots.refilledIndex(of: lease) {
            reel.sources.park(source, of: lease.slot, at: lease.location, &effects)
            endRefill(slot: index, context, &effects)
        } else if let index = slots.index(of: lease) {
            reel.slots[index].takeBack(source)
        } else if lease.purpose == .preview, preview.isFor(lease.slot) {
            preview.change { $0.takeBack(source) }
        } else {
            reel.sources.park(source, of: lease.slot, at: lease.location, &effects)
        }
    }

    /// Called when the source broke. Its decoded frames are played. A run without any frame has failed.
    public mutating func fail(
        _ lease: Lease, _ trouble: SourceTrouble, _ context: PlaybackContext, _ effects: inout Effects
    ) -> [ShownItems.Change] {
        if lease.purpose == .preview {
            preview.fail(trouble)
        } else if let index = slots.index(of: lease) {
            if reconnectLive(slot: index, after: trouble, at: context.now, &effects) { return [] }
            if slots[index].refill?.wasWhole == true {
                endRefill(slot: index, context, &effects)
            } else if slots[index].frames.isEmpty {
                return fail(slot: index, trouble, at: context.dueTime)
            } else {
                breakOff(slot: index, trouble, context, &effects)
            }
        }
        return []
    }

    // MARK: refills

    /// Called when all missing frames are there. The run goes on as before.
    mutating func endRefill(slot index: Int, _ context: PlaybackContext, _ effects: inout Effects) {
        reel.slots[index].endRefill()
        dropWhereNothingIs(context, &effects)
    }

    /// Drops the slots if a clock that went back finds no frame.
    mutating func dropWhereNothingIs(_ context: PlaybackContext, _ effects: inout Effects) {
        if !slots.covers(context.dueTime, of: course) { dropSlots(&effects) }
    }
}
