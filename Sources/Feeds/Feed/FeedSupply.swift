import Base
import Decoded
import Layout
import Opened

/// The supply of a feed with frames: the leases that it gives to pipelines and their results.
public struct FeedSupply {
    let feed: Feed

    // MARK: a lease begins

    /// Returns a lease on the next slot to decode, and its source; nil if there is nothing to decode.
    public func lease(to pipeline: Int, for purpose: Lease.Purpose, at now: Time) -> (Lease, OpenSourceID)? {
        let planned = purpose == .play ? feed.slots.nextToDecode.map { feed.slots[$0] } : feed.preview.slot
        guard let slot = planned, case .ready(let source) = slot.loading else { return nil }
        slot.lease(to: pipeline, at: now, isAnother: purpose == .play && feed.reel.decoding.begin(on: pipeline))
        let lease = Lease(
            pipeline: pipeline, feed: feed.id, slot: slot.id, run: slot.run, location: slot.location, purpose: purpose)
        return (lease, source)
    }

    /// Returns the pipeline's job. The job is empty if the slot is gone.
    public func beginJob(of lease: Lease, _ source: OpenSourceID) -> Job {
        guard let slot = feed.slot(of: lease) else {
            return Job(lease: lease, source: source, from: .zero, until: nil, decoding: DecodeSettings())
        }
        if slot.refill != nil { slot.decoded.restartRefill() }
        let segment = feed.timeline.segment(of: slot.run)
        let decoding = feed.timeline.item(of: slot.run)?.look.decoding ?? DecodeSettings()
        let entered = (slot.refill?.from ?? max(slot.entry, slot.decodedTo)).played(
            at: feed.timeline.rate(of: slot.run))
        if feed.sources.facts(of: slot.location)?.live != nil {
            return Job(lease: lease, source: source, from: slot.decodedTo, until: nil, decoding: decoding)
        }
        return Job(lease: lease, source: source, from: segment.start + entered, until: segment.end, decoding: decoding)
    }

    // MARK: frames come

    /// Adds an admitted frame to its slot, or shows it as the preview. `isFirst`: true if the frame is the first of its
    /// run. `isAwaited`: true if the frame that is due now was missing before.
    public func deliver(
        _ lease: Lease, _ frame: Frame, pts: Time, length: Time, _ context: PlaybackContext
    ) -> (isFirst: Bool, isAwaited: Bool) {
        if lease.purpose == .preview, feed.preview.isFor(lease.slot) {
            feed.preview.note(frame, pts: pts, serial: feed.reel.slots.makeSerial())
        }
        guard let slot = feed.slots.slot(of: lease) else { return (false, false) }
        let offset = feed.reel.offset(of: pts, in: slot.run)
        let end = offset + length.lasting(at: feed.reel.isLive(slot.run) ? .one : feed.timeline.rate(of: slot.run))
        let decoded = Slot.TimedFrame(
            offset: offset, length: end - offset, pts: pts, serial: feed.reel.slots.makeSerial(), frame: frame)
        if let cut = slot.cutOffset, offset >= cut {
            if slot.refill == nil {
                _ = feed.reel.interrupted.slot(of: slot.run)?.append(decoded, to: end, at: context.now)
            }
            return (false, false)
        }
        if slot.refill != nil {
            slot.decoded.appendRefill(decoded, to: end, keeping: Depth.keptBefore)
            return (false, false)
        }
        let wasHeld = feed.holdsFrame(at: context.dueTime)
        let isFirst = slot.append(decoded, to: end, at: context.now)
        if isFirst, let leased = slot.times.leased { feed.reel.decoding.learn(warmUp: context.now - leased) }
        if let known = slot.length, offset >= known, !feed.reel.isLive(slot.run) {
            // The run is longer than its container states.
            slot.timing.length = end
            feed.reel.course.timeline.learn(end, of: slot.run)
            feed.reel.chain(context.group)
        }
        // Frames before the first one were due already: only frames that are over are left out there.
        if slot.frames.count == 1, let first = slot.frames.first, context.isRunning {
            feed.screen.drop(MissedFrames(Missed(undecoded: first.leftOut), of: slot.run))
        }
        feed.trouble.noteFrame(of: lease.location)
        return (isFirst, !wasHeld && feed.holdsFrame(at: context.dueTime))
    }

    // MARK: a lease ends

    /// Called when the run was decoded to its end. `end`: its end in media time; nil if it was cut off. Returns true if
    /// the feed entered its sequence anew.
    public func finish(_ lease: Lease, end: Time?, _ context: PlaybackContext) -> Bool {
        if lease.purpose == .preview {
            if feed.preview.isFor(lease.slot) { feed.preview.slot?.end() }
        } else if let index = feed.slots.index(of: lease) {
            let slot = feed.slots[index], frame = feed.sources.facts(of: slot.location)?.frameLength
            if slot.refill != nil {
                endRefill(of: slot, context)
                return false
            }
            let length = end.map { feed.course.played(to: $0, of: slot.run, frame: frame) }
            if let length { feed.reel.course.timeline.learn(length, of: slot.run) }
            if slot.cutOffset != nil {
                // A layer cuts the run off. Its rest was decoded to the end.
                slot.end()
                if let length { feed.reel.interrupted.slot(of: slot.run)?.end(length) }
                return false
            }
            // The last frames of the run may have been skipped.
            if let length { feed.reel.endSkip(to: length, of: lease) }
            slot.end(length)
            return length != nil && settleEntry(slot: index, context)
        }
        return false
    }

    /// Called when the pipeline gave the source back in the middle of the run. Another lease will continue from there.
    public func takeBack(_ lease: Lease, _ source: OpenSourceID, _ context: PlaybackContext) {
        let slot = feed.slot(of: lease)
        if let slot, slot.refill == nil { return slot.takeBack(source) }
        feed.reel.sources.park(source, of: lease.slot, at: lease.location)
        if let slot { endRefill(of: slot, context) }
    }

    /// Called when the source broke. Its decoded frames are played. A run without any frame has failed.
    public func fail(_ lease: Lease, _ trouble: SourceTrouble, _ context: PlaybackContext) -> [ShownItems.Change] {
        if lease.purpose == .preview {
            feed.preview.fail(trouble)
        } else if let index = feed.slots.index(of: lease) {
            if reconnectLive(slot: index, after: trouble, at: context.now) { return [] }
            let slot = feed.slots[index]
            if slot.refill?.wasWhole == true {
                endRefill(of: slot, context)
            } else if slot.frames.isEmpty {
                return fail(slot: index, trouble, at: context.dueTime)
            } else {
                breakOff(slot, trouble, context)
            }
        }
        return []
    }

    // MARK: refills

    /// Called when all missing frames are there. The run goes on as before.
    private func endRefill(of slot: Slot, _ context: PlaybackContext) {
        slot.endRefill()
        dropWhereNothingIs(context)
    }

    /// Drops the slots if a clock that went back finds no frame.
    func dropWhereNothingIs(_ context: PlaybackContext) {
        if !feed.slots.covers(context.dueTime, of: feed.course) { feed.dropSlots() }
    }
}
