import Base
import Decoded
import Layout

// Effects of opened sources, and of failures to open, on a feed.
extension FeedSupply {
    /// Distance from the end at which a run is entered to show its last frame. It is several ticks, so that rounding at
    /// slow rates can't move the entry to the end.
    private static var lastMoment: Time { Time(ticks: 8) }

    /// True if the slot that the request is for still exists.
    public func awaits(_ purpose: OpenRequest.Purpose) -> Bool {
        switch purpose {
        case .slot(let id), .reopenedStill(let id): feed.slots.index(ofSlot: id) != nil
        case .preview(let id): feed.preview.isFor(id)
        case .probe, .ahead: false
        }
    }

    /// `asked`: wall time since when the source is being opened.
    public func noteOpening(_ purpose: OpenRequest.Purpose, since asked: Time) {
        switch purpose {
        case .slot(let id):
            if let index = feed.slots.index(ofSlot: id) { feed.reel.slots[index].noteOpening(since: asked) }
        case .preview: feed.preview.slot?.noteOpening(since: asked)
        case .probe, .reopenedStill, .ahead: break
        }
    }

    /// Plans a preview of the first item, unless something is on screen.
    public func planPreview() {
        guard feed.screen.last == nil, feed.preview.frame == nil, feed.preview.slot == nil, feed.phase == .playing
        else { return }
        feed.preview.plan(feed.reel.makeSlot(RunID(iteration: feed.anchor.iteration), start: nil))
    }

    // MARK: results of openings

    /// Fills the slot with a still image or a sound, which need no pipeline.
    public func fill(slot index: Int, with frame: Frame?, at now: Time) {
        let slot = feed.slots[index]
        let still = frame.map {
            Slot.TimedFrame(offset: .zero, pts: .zero, serial: feed.reel.slots.makeSerial(), frame: $0)
        }
        slot.fill(with: still, feed.timeline.length(of: slot.run), at: now)
        if frame != nil { feed.trouble.noteFrame(of: slot.location) }
    }

    /// Ends the preview of a still image or a sound.
    public func endPreview(with frame: Frame?) {
        feed.preview.slot?.end()
        if let frame { feed.preview.show(frame, serial: feed.reel.slots.makeSerial()) }
    }

    /// Corrects the entry of the front slot if it turns out to lie beyond the slot's end. Returns true if the slots
    /// were dropped and entered again.
    public func settleEntry(slot index: Int, _ context: PlaybackContext) -> Bool {
        let slot = feed.slots[index]
        guard index == 0, slot.entry > .zero, slot.frames.isEmpty, !slot.isStill, let length = slot.length,
            length > .zero, slot.entry >= length
        else { return false }
        let isOver = feed.course.following(slot.run) == nil
        let last = length - min(length, Self.lastMoment)
        if isOver, !slot.isWhole {
            // The entry lies beyond the end of the sequence, so the last frame is shown.
            slot.moveEntry(to: last)
            return false
        }
        feed.dropSlots()
        if isOver {
            // The run was decoded to find its end.
            feed.reel.slots.enter(feed.reel.makeSlot(slot.run, start: slot.start, entry: last))
        } else {
            feed.reel.enter(context)
            // If the timeline took the length for longer than the slot does, the feed would enter this run for ever.
            if let front = feed.slots.first, front.run == slot.run, front.entry >= length { front.moveEntry(to: last) }
        }
        return true
    }

    // MARK: failures

    /// Called when nothing of the slot can be played. Returns the events to emit.
    public func fail(slot index: Int, _ trouble: SourceTrouble, at groupTime: Time) -> [ShownItems.Change] {
        let slot = feed.slots[index], run = slot.run
        let length = feed.course.lengthOfFailure(run)
        feed.reel.course.timeline.learn(length, of: run)
        feed.reel.sources.failed.insert(slot.location)
        // If the failure came too late, the next run starts at its first decoded frame, not at its planned time. If
        // this slot was skipped already, the next run keeps its start.
        let wasLeft = slot.isSkipped && slot.length != nil
        if !wasLeft,
            feed.slots.lastTakeOver(ofSlotsTo: index).map({ $0 + length + Reel.unseenLoss < groupTime }) ?? (index == 0)
        {
            feed.reel.slots.leaveLate(slot: index)
        }
        if index == 0, slot.start == nil, !feed.anchor.awaitsFirstFrame { slot.timing.start = groupTime - slot.entry }
        slot.fail(trouble, lasting: length)
        feed.reel.slots.setLengths(of: run, to: length, where: \.isUnopened)
        if feed.timeline.itemLength(at: run.place) == .zero { feed.reel.slots.dropRounds(after: index) }
        let failed = ItemRecord(
            run: run, source: feed.timeline.item(of: run)?.song ?? slot.location,
            beginning: run.layer > 0 ? .break : .next)
        // Only a failed front slot ends the feed now: before a later slot, the earlier runs still play.
        if index == 0, feed.course.onError(in: run) == .stop { feed.phase = .ended }
        return [.ended(failed, .error)]
    }

    /// Called when the slot's source broke. Decoded frames are played. A server is reconnected while the run lasts.
    public func breakOff(_ slot: Slot, _ trouble: SourceTrouble, _ context: PlaybackContext) {
        let isRefilling = slot.refill != nil
        if !isRefilling, feed.sources.canReconnect(slot, trouble) {
            let wait = feed.trouble.noteLoss(of: slot.location, at: context.now)
            return slot.reconnect(at: context.now + wait)
        }
        slot.breakOff()
        if isRefilling { dropWhereNothingIs(context) }
    }

    // MARK: files that are replaced

    /// Called when a file was replaced. Nothing more is read from the old file. Frames already decoded from it are
    /// still shown.
    public func forget(_ location: String, leases: [Lease], at now: Time) {
        feed.trouble.forget(location)
        feed.reel.sources.keep(where: { $0 != location })
        for (index, slot) in feed.slots.enumerated() where slot.location == location {
            if case .ready(let source) = slot.loading, slot.frames.isEmpty, index > 0 {
                feed.outbox.close(source)
                slot.replan()
            } else {
                feed.reel.sources.outdate(slot.id)
            }
        }
        for lease in leases where lease.location == location { feed.reel.sources.outdate(lease.slot) }
        switch feed.phase {
        case .barren, .hopeless: feed.phase = .barren(until: now)
        case .playing, .ended: break
        }
    }

    // MARK: lost connections

    /// Called when the connection to a live source was lost or has ended. The decoded frames are played, and the source
    /// is reconnected unless another item follows. Returns true if the source is reconnected.
    public func reconnectLive(slot index: Int, after trouble: SourceTrouble, at now: Time) -> Bool {
        let slot = feed.slots[index]
        guard index == feed.slots.count - 1, let live = feed.liveness.edge?.live, feed.course.followsItself(slot.run)
        else { return false }
        // The sender is there, so no delay is needed.
        let wait = trouble == .streamChanged ? .zero : feed.trouble.noteLoss(of: slot.location, at: now)
        let next = feed.reel.makeSlot(slot.run, start: nil)
        next.enter()
        next.reconnect(at: now + wait)
        // The item's duration includes the time before the reconnection.
        if let length = slot.length, feed.course.liveLength(of: next.run) != nil {
            next.timing.length = slot.start == nil ? length : max(Timeline.shortestRun, length - slot.decodedTo)
        }
        if slot.frames.isEmpty {
            next.timing.takesOverAt = slot.takesOverAt
            feed.reel.slots.replace(index, by: next)
        } else {
            slot.breakOff()
            next.timing.takesOverAt = slot.end
            feed.reel.slots.append(next)
        }
        feed.reel.liveness.edge = LiveEdge(live)
        return true
    }
}
