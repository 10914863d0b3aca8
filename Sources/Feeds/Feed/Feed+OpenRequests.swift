import Base
import Layout
import Scene

// Effects of opened sources, and of failures to open, on a feed.
extension Feed {
    public static var shortestRun: Time { Timeline.shortestRun }
    /// Distance from the end at which a run is entered to show its last frame. It is several ticks, so that rounding at
    /// slow rates can't move the entry to the end.
    private static var lastMoment: Time { Time(ticks: 8) }

    /// True if the slot that the request is for still exists.
    public func awaits(_ purpose: OpenRequest.Purpose) -> Bool {
        switch purpose {
        case .slot(let id), .reopenedStill(let id): slots.index(ofSlot: id) != nil
        case .preview(let id): preview.isFor(id)
        case .probe, .ahead: false
        }
    }

    /// `asked`: wall time since when the source is being opened.
    public mutating func noteOpening(_ purpose: OpenRequest.Purpose, since asked: Time) {
        switch purpose {
        case .slot(let id): if let index = slots.index(ofSlot: id) { reel.slots[index].noteOpening(since: asked) }
        case .preview: preview.change { $0.noteOpening(since: asked) }
        case .probe, .reopenedStill, .ahead: break
        }
    }

    /// True if the feed has no seat, and nothing to plan until it gets one: its preview is decoded, has failed or is
    /// requested.
    @inlinable public var restsWithoutSeat: Bool { !hasSeat && needsOnlySeat }

    @usableFromInline
    var needsOnlySeat: Bool {
        guard phase == .playing, slots.isEmpty, !isLive else { return false }
        switch preview.loading {
        case .planned, .opening, .ready, .leased, .whole, .failed: return true
        case nil: return preview.frame != nil || screen.last != nil
        }
    }

    /// Plans a preview of the first item, unless something is on screen.
    public mutating func planPreview() {
        guard screen.last == nil, preview.frame == nil, preview.slot == nil, phase == .playing else { return }
        preview.plan(reel.makeSlot(RunID(iteration: anchor.iteration), start: nil))
    }

    // MARK: results of openings

    /// Fills the slot with a still image or a sound, which need no pipeline.
    public mutating func fill(slot index: Int, with frame: Frame?, at now: Time) {
        reel.fill(slot: index, with: frame, at: now)
        if frame != nil { trouble.noteFrame(of: slots[index].location) }
    }

    /// Ends the preview of a still image or a sound.
    public mutating func endPreview(with frame: Frame?) {
        preview.change { $0.end() }
        if let frame { preview.show(frame, serial: reel.slots.makeSerial()) }
    }

    /// Corrects the entry of the front slot if it turns out to lie beyond the slot's end. Returns true if the slots
    /// were dropped and entered again.
    public mutating func settleEntry(slot index: Int, _ context: PlaybackContext, _ effects: inout Effects) -> Bool {
        let slot = slots[index]
        guard index == 0, slot.entry > .zero, slot.frames.isEmpty, !slot.isStill, let length = slot.length,
            length > .zero, slot.entry >= length
        else { return false }
        let isOver = course.following(slot.run) == nil
        let last = length - min(length, Self.lastMoment)
        if isOver, !slot.isWhole {
            // The entry lies beyond the end of the sequence, so the last frame is shown.
            reel.slots[index].moveEntry(to: last)
            return false
        }
        dropSlots(&effects)
        if isOver {
            // The run was decoded to find its end.
            reel.slots.enter(reel.makeSlot(slot.run, start: slot.start, entry: last))
        } else {
            reel.enter(context)
            // If the timeline took the length for longer than the slot does, the feed would enter this run for ever.
            if let front = slots.first, front.run == slot.run, front.entry >= length {
                reel.slots[0].moveEntry(to: last)
            }
        }
        return true
    }

    // MARK: failures

    /// Called when nothing of the slot can be played. Returns the events to emit.
    public mutating func fail(slot index: Int, _ trouble: SourceTrouble, at groupTime: Time) -> [ShownItems.Change] {
        let run = slots[index].run
        let length = course.lengthOfFailure(run)
        reel.course.learn(length, of: run)
        reel.sources.noteFailure(of: slots[index].location)
        // If the failure came too late, the next run starts at its first decoded frame, not at its planned time. If
        // this slot was skipped already, the next run keeps its start.
        let wasLeft = slots[index].isSkipped && slots[index].length != nil
        if !wasLeft,
            slots.lastTakeOver(ofSlotsTo: index).map({ $0 + length + Reel.unseenLoss < groupTime }) ?? (index == 0)
        {
            reel.slots.leaveLate(slot: index)
        }
        if index == 0, slots[0].start == nil, !anchor.awaitsFirstFrame {
            reel.slots[0].timing.begin(at: groupTime - slots[0].entry)
        }
        reel.slots[index].fail(trouble, lasting: length)
        reel.slots.setLengths(of: run, to: length, where: \.isUnopened)
        if timeline.itemLength(at: run.place) == .zero { reel.slots.dropRounds(after: index) }
        let failed = PlayedItem(
            run: run, source: timeline.item(of: run)?.song ?? slots[index].location,
            beginning: run.part == .top ? .break : .next)
        // Only a failed front slot ends the feed now: before a later slot, the earlier runs still play.
        if index == 0, course.onError(in: run) == .stop { phase = .ended }
        return [.ended(failed, .error)]
    }

    /// Called when the slot's source broke. Decoded frames are played. A server is reconnected while the run lasts.
    public mutating func breakOff(
        slot index: Int, _ trouble: SourceTrouble, _ context: PlaybackContext, _ effects: inout Effects
    ) {
        let isRefilling = slots[index].refill != nil
        if !isRefilling, sources.canReconnect(slots[index], trouble) {
            let wait = self.trouble.noteLoss(of: slots[index].location, at: context.now)
            return reel.slots[index].reconnect(at: context.now + wait)
        }
        reel.slots[index].breakOff()
        if isRefilling { dropWhereNothingIs(context, &effects) }
    }

    // MARK: files that are replaced

    /// Called when a file was replaced. Nothing more is read from the old file. Frames already decoded from it are
    /// still shown.
    public mutating func forget(_ location: String, leases: [Lease], at now: Time, _ effects: inout Effects) {
        trouble.forget(location)
        reel.sources.keep(where: { $0 != location }, &effects)
        for index in slots.indices where slots[index].location == location {
            if case .ready(let source) = slots[index].loading, slots[index].frames.isEmpty, index > 0 {
                effects.close(source)
                reel.slots[index].replan()
            } else {
                reel.sources.outdate(slots[index].id)
            }
        }
        for lease in leases where lease.location == location { reel.sources.outdate(lease.slot) }
        switch phase {
        case .barren, .hopeless: phase = .barren(until: now)
        case .playing, .ended: break
        }
    }
}
