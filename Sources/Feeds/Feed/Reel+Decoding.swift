import Base
import Decoded
import Layout
import Measurement
import Opened

// The order in which a reel is opened and decoded, and how far ahead.
extension Reel {
    /// Wall time that is decoded ahead: usually half a second, more if the next run is slow to begin.
    var depth: Time {
        let isEnteredInside = slots.dropFirst().contains {
            $0.entry > .zero || timeline.segment(of: $0.run).start > .zero
        }
        let needed =
            decoding.warmUp == .zero && isEnteredInside ? Depth.beforeInPoint : decoding.warmUp * 2 + .milliseconds(100)
        let readAhead = slots.first.map { course.readAhead(of: $0.run) } ?? .zero
        return max(readAhead, min(max(Depth.usual, needed), Depth.most)) + course.fadeAhead(of: slots)
    }

    /// Returns the offset of a frame from the start of its run, in group time; never negative. For a live run, this is
    /// the timestamp itself.
    func offset(of pts: Time, in run: RunID) -> Time {
        max(.zero, isLive(run) ? pts : (pts - timeline.segment(of: run).start).lasting(at: timeline.rate(of: run)))
    }

    /// Returns the number of frames to keep before the due one. While the clock runs, they take an eighth of the feed's
    /// memory at most.
    func kept(memory: @autoclosure () -> Int, _ context: PlaybackContext) -> Int {
        guard let bytes = slots.first?.frames.last?.frame.bytes else { return 0 }
        if keepsABLoop(in: memory()) { return .max }
        return context.isRunning ? min(Depth.keptPlaying, memory() / 8 / max(1, bytes)) : Depth.keptBefore
    }

    /// Ends a skip at the frame at `offset`. Frames may be missing before that frame: the decoder may have resumed only
    /// at a later key frame.
    func endSkip(to offset: Time, of lease: Lease) {
        guard let slot = slots.slot(of: lease), let end = slot.decoded.gaps.takeSkip(),
            let usual = sources.facts(of: lease.location)?.frameLength, usual > .zero
        else { return }
        let length = usual.lasting(at: timeline.rate(of: slot.run))
        slot.decoded.gaps.behind += max(0, Int((offset - end + length / 2).ticks / max(1, length.ticks)))
    }

    /// Returns the number of frames that the decoder has left out within a frame that lasts `length` in its source.
    func leftOut(within length: Time, _ slot: Slot, at now: Time) -> Int {
        guard slot.gaps.decoderLeavesOut || decoding.hasSkipped(at: now),
            let usual = sources.facts(of: slot.location)?.frameLength
        else { return 0 }
        return max(0, Int((length + usual / 2).ticks / max(1, usual.ticks)) - 1)
    }

    /// Returns the grid of the frames' start times at `groupTime`. nil if the current source is live or not a video, or
    /// while its start or its frame length is unknown.
    public func frameGrid(at groupTime: Time) -> FrameGrid? {
        guard let slot = slots.current(at: groupTime) ?? slots.first, let start = slot.start,
            let facts = sources.facts(of: slot.location), facts.kind == .video, facts.live == nil,
            let frame = facts.frameLength, frame > .zero
        else { return nil }
        let rate = timeline.rate(of: slot.run)
        return FrameGrid(origin: start - timeline.segment(of: slot.run).start.lasting(at: rate), frame: frame, at: rate)
    }

    // MARK: openings

    /// Takes the source that was kept open for another run. Returns false if there is none.
    public func takeParked(slot index: Int, _ context: PlaybackContext) -> Bool {
        guard let source = sources.unpark(slots[index].location) else { return false }
        take(source, slot: index, context)
        return true
    }

    /// Gives a slot its open source.
    public func take(_ source: OpenSourceID, slot index: Int, _ context: PlaybackContext) {
        slots[index].take(source, at: context.now)
        awaitFirstFrameIfLate(index, context, after: Self.unseenLoss)
    }

    /// Replaces a still image by `frame`, its new decode, in every slot that shows the same source with the same
    /// decoding settings.
    public func replaceStill(ofSlot id: Int, item: ItemPlace, with frame: Frame) {
        guard let replaced = slots.first(where: { $0.id == id }), let made = timeline.item(at: item) else { return }
        for slot in slots where slot.isStill && slot.location == replaced.location {
            guard let shown = timeline.item(of: slot.run), shown.look.decoding == made.look.decoding else { continue }
            slot.decoded.showStill(frame, serial: slots.makeSerial())
        }
    }

    /// Returns true if the slot, which has no source, is to be opened now. A slot of a run that is over is given up,
    /// not reconnected.
    public func settleOpening(slot index: Int, _ context: PlaybackContext) -> Bool {
        guard !slots.inherits(index) else { return false }
        guard let instant = slots[index].reconnectsAt else { return isToBeFetched(slot: index, context) }
        if slots[index].isOver(at: context.dueTime) {
            // No frame of the run was decoded.
            if slots[index].times.firstDecoded == nil { slots.leaveLate(slot: index) }
            slots[index].giveUpRest()
            return false
        }
        return context.now >= instant
    }

    // A server's still image is fetched anew for each showing, when the showing is due. The image before stays on the
    // screen until the new one is decoded.

    /// Returns true if the slot's image is due to be fetched, so that it is there when the slot begins. Other sources
    /// are opened at once.
    func isToBeFetched(slot index: Int, _ context: PlaybackContext) -> Bool {
        guard index > 0, sources.isPolled(slots[index].location), !delaysNext(slots[index - 1]) else { return true }
        // The slot has no start yet: fetch as soon as the slot before it is skipped.
        guard let due = sources.fetchTime(of: slots[index], at: context.rate) else { return slots[index - 1].isSkipped }
        return due <= context.dueTime
    }

    /// Wall time at which a source is connected again, or an image is fetched.
    func nextOpening(_ context: PlaybackContext) -> Time? {
        slots.indices.compactMap { index -> Time? in
            guard case .planned = slots[index].loading, !slots.inherits(index) else { return nil }
            if let instant = slots[index].reconnectsAt { return instant > context.now ? instant : nil }
            guard !isToBeFetched(slot: index, context), let due = sources.fetchTime(of: slots[index], at: context.rate)
            else { return nil }
            return context.wallTime(of: due)
        }.min()
    }

    // MARK: refills

    // Steps and drags go back little by little. While the frames of a slot are shown, the frames before them are
    // decoded.

    /// A clock that goes back causes a refill if at most this many frames are held before its position.
    private static var fewBefore: Int { Depth.keptBefore / 2 }

    /// Starts to decode the frames before those of the slot that shows `groupTime`. The slot's lease ends. The next
    /// lease decodes the missing frames, then the run goes on where it was.
    func refill(at groupTime: Time) {
        guard let index = slots.currentIndex(at: groupTime) else { return }
        let slot = slots[index]
        guard !slot.isStill, slot.refill == nil, let start = slot.start, let first = slot.frames.first,
            first.offset > .zero, start + first.offset > course.abLoop?.begin ?? -.distantFuture,
            slot.frames.count(where: { start + $0.offset <= groupTime }) <= Self.fewBefore
        else { return }
        switch slot.loading {
        case .planned, .opening, .failed: return
        case .ready, .leased, .whole: sources.retire(slot)
        }
        // The later slots wait for the same pipeline.
        drop(from: index + 1)
        slots[index].beginRefill(id: slots.makeID(), from: max(.zero, first.offset - Depth.behind), to: first.offset)
    }
}
