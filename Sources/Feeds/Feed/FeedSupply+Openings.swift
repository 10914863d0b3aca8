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
        feed.reel.slots.fill(index, with: frame, of: feed.timeline, at: now)
        if frame != nil { feed.trouble.noteFrame(of: feed.slots[index].location) }
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
            feed.reel.slots[index].moveEntry(to: last)
            return false
        }
        feed.dropSlots()
        if isOver {
            // The run was decoded to find its end.
            feed.reel.slots.enter(feed.reel.makeSlot(slot.run, start: slot.start, entry: last))
        } else {
            feed.reel.enter(context)
            // If the timeline took the length for longer than the slot does, the feed would enter this run for ever.
            if let front = feed.slots.first, front.run == slot.run, front.entry >= length {
                feed.reel.slots[0].moveEntry(to: last)
            }
        }
        return true
    }

    // MARK: failures

    /// Called when nothing of the slot can be played. Returns the events to emit.
    public func fail(slot index: Int, _ trouble: SourceTrouble, at groupTime: Time) -> [ShownItems.Change] {
        let run = feed.slots[index].run
        let length = feed.course.lengthOfFailure(run)
        feed.reel.course.timeline.learn(length, of: run)
        feed.reel.sources.noteFailure(of: feed.slots[index].location)
        // If the failure came too late, the next run starts at its first decoded frame, not at its planned time. If
        // this slot was skipped already, the next run keeps its start.
        let wasLeft = feed.slots[index].isSkipped && feed.slots[index].length != nil
        if !wasLeft,
            feed.slots.lastTakeOver(ofSlotsTo: index).map({ $0 + length + Reel.unseenLoss < groupTime }) ?? (index == 0)
        {
            feed.reel.slots.leaveLate(slot: index)
        }
        if index == 0, feed.slots[0].start == nil, !feed.anchor.awaitsFirstFrame {
            feed.reel.slots[0].timing.start = groupTime - feed.slots[0].entry
        }
        feed.reel.slots[index].fail(trouble, lasting: length)
        feed.reel.slots.setLengths(of: run, to: length, where: \.isUnopened)
        if feed.timeline.itemLength(at: run.place) == .zero { feed.reel.slots.dropRounds(after: index) }
        let failed = ItemRecord(
            run: run, source: feed.timeline.item(of: run)?.song ?? feed.slots[index].location,
            beginning: run.layer > 0 ? .break : .next)
        // Only a failed front slot ends the feed now: before a later slot, the earlier runs still play.
        if index == 0, feed.course.onError(in: run) == .stop { feed.phase = .ended }
        return [.ended(failed, .error)]
    }

    /// Called when the slot's source broke. Decoded frames are played. A server is reconnected while the run lasts.
    public func breakOff(slot index: Int, _ trouble: SourceTrouble, _ context: PlaybackContext) {
        let isRefilling = feed.slots[index].refill != nil
        if !isRefilling, feed.sources.canReconnect(feed.slots[index], trouble) {
            let wait = self.feed.trouble.noteLoss(of: feed.slots[index].location, at: context.now)
            return feed.reel.slots[index].reconnect(at: context.now + wait)
        }
        feed.reel.slots[index].breakOff()
        if isRefilling { dropWhereNothingIs(context) }
    }

    // MARK: files that are replaced

    /// Called when a file was replaced. Nothing more is read from the old file. Frames already decoded from it are
    /// still shown.
    public func forget(_ location: String, leases: [Lease], at now: Time) {
        feed.trouble.forget(location)
        feed.reel.sources.keep(where: { $0 != location })
        for index in feed.slots.indices where feed.slots[index].location == location {
            if case .ready(let source) = feed.slots[index].loading, feed.slots[index].frames.isEmpty, index > 0 {
                feed.outbox.close(source)
                feed.reel.slots[index].replan()
            } else {
                feed.reel.sources.outdate(feed.slots[index].id)
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
        guard index == feed.slots.count - 1, let live = feed.liveness.edge?.live,
            feed.course.followsItself(feed.slots[index].run)
        else { return false }
        // The sender is there, so no delay is needed.
        let wait =
            trouble == .streamChanged ? .zero : self.feed.trouble.noteLoss(of: feed.slots[index].location, at: now)
        let instant = now + wait
        let next = feed.reel.makeSlot(feed.slots[index].run, start: nil)
        next.enter()
        next.reconnect(at: instant)
        // The item's duration includes the time before the reconnection.
        if let length = feed.slots[index].length, feed.course.liveLength(of: next.run) != nil {
            next.timing.length =
                feed.slots[index].start == nil
                ? length : max(Timeline.shortestRun, length - feed.slots[index].decodedTo)
        }
        if feed.slots[index].frames.isEmpty {
            next.timing.takesOverAt = feed.slots[index].takesOverAt
            feed.reel.slots.replace(index, by: next)
        } else {
            feed.reel.slots[index].breakOff()
            next.timing.takesOverAt = feed.slots[index].end
            feed.reel.slots.append(next)
        }
        feed.reel.liveness.begin(live)
        return true
    }
}
