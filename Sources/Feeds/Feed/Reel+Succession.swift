import Base
import Decoded
import Layout

// The slot that follows another one: the next run, the rest of an interrupted run with its frames, or the next
// iteration of an A-B loop. The cut of a run that a layer interrupts.
extension Reel {
    /// Returns the slot that follows `last`; nil if there is none or it is not known yet.
    func makeSuccessor(of last: Slot, _ group: Group) -> Slot? {
        guard let abLoop = course.abLoop else {
            return course.followingRun(last, group).map { makeSlot($0, after: last, group) }
        }
        let end = abLoop.end(ofABIteration: last.abIteration)
        if last.length != nil || last.isWhole, let known = last.end, known >= end {
            return makeABIteration(after: last, group)
        }
        guard let run = course.followingRun(last, group) else { return makeABIteration(after: last, group) }
        let isNewIteration = group.isTogether && run.iteration != last.run.iteration
        guard
            let begin = isNewIteration
                ? course.start(ofIteration: run.iteration, abIteration: last.abIteration, group)
                : last.end.map({ $0 - timeline.fade(before: run) })
        else { return nil }
        if begin >= end { return makeABIteration(after: last, group) }
        let next = makeSlot(run, after: last, group)
        next.timing.start = isNewIteration ? begin - anchor.offset : begin
        next.timing.cutTime = course.cutTime(of: next, group)
        return next
    }

    private func makeSlot(_ run: RunID, after last: Slot, _ group: Group) -> Slot {
        if run.isRest, let rest = interrupted.resume(run, from: timeline.entry(of: run), id: slots.makeID()) {
            return rest
        }
        let entry = group.isTogether && run.beginsIteration ? max(.zero, anchor.offset) : .zero
        let slot = makeSlot(run, start: nil, entry: entry)
        slot.timing.abIteration = last.abIteration
        return slot
    }

    // MARK: the place at which a feed enters its sequence

    /// Plans a first slot for the run that plays now.
    func enter(_ context: PlaybackContext) {
        if anchor.awaitsFirstFrame { return slots.enter(makeSlot(RunID(iteration: anchor.iteration), start: nil)) }
        // With `.stop` a failed item is not skipped: nothing plays after it.
        if course.onError == .stop { course.timeline.forgetFailures() }
        let groupTime = context.dueTime
        course.move(to: groupTime, context.group)
        var entrance = course.entrance(at: groupTime, anchor)
        if !entrance.isOver { entrance.entry = max(.zero, entrance.entry - context.group.dueTolerance) }
        slots.enter(makeSlot(entrance.run, start: entrance.start, entry: entrance.entry))
        // Before its beginning a tile shows its first frame.
        if entrance.start > groupTime { slots[0].timing.takesOverAt = -.distantFuture }
        enterFade(entrance)
    }

    /// If a feed enters a fade, both runs are needed from there on. An A-B loop that begins in a fade has only the
    /// later run, in each of its iterations.
    private func enterFade(_ entrance: Course.Entrance) {
        let fade = timeline.fade(before: entrance.run)
        if let abLoop = course.abLoop, entrance.start < abLoop.begin { return }
        guard fade > entrance.entry - timeline.entry(of: entrance.run), !isLive,
            let run = timeline.run(before: entrance.run), let length = timeline.length(of: run)
        else { return }
        let start = entrance.start + timeline.entry(of: entrance.run) + fade - (timeline.cutOffset(of: run) ?? length)
        slots[0].timing.fade = fade
        slots.enter(before: makeSlot(run, start: start, entry: entrance.start + entrance.entry - start))
    }

    // MARK: A-B loops

    /// Returns a slot for the run at the A-B loop's beginning, in the next iteration of the loop.
    func makeABIteration(after last: Slot, _ group: Group) -> Slot? {
        guard let abLoop = course.abLoop, course.hasABIterations(group) else { return nil }
        // If the feed is late, it goes on with the iteration of the loop that plays.
        let abIteration = max(last.abIteration + 1, 0)
        let iterations = group.iterations(ofABIteration: 1)
        let entrance = course.entrance(
            at: abLoop.begin, course.anchor(at: abLoop.begin, iterations, isTogether: group.isTogether))
        let next = makeSlot(
            entrance.run, start: entrance.start + abLoop.length * Int64(abIteration), entry: entrance.entry)
        next.timing.abIteration = abIteration
        next.timing.takesOverAt = abLoop.begin(ofABIteration: abIteration)
        next.timing.cutTime = course.cutTime(of: next, group)
        return next
    }

    /// True if the next slot of an A-B loop shows the same frames that `slot` will hold when it is decoded.
    func willBeReplayed(by next: Slot, _ slot: Slot) -> Bool {
        timeline.repeats(slot.run, next.run) && slot.willHoldAll(of: next) && !sources.isOutdated(slot.id)
    }

    /// True if the next slot shows the same frames that `slot` holds.
    func isReplayed(by next: Slot, _ slot: Slot) -> Bool {
        timeline.repeats(slot.run, next.run) && slot.holdsAll(of: next) && !sources.isOutdated(slot.id)
            && hasItsFrames(slot)
    }

    /// True if no frame of a decoded slot was left out, but for those that the feed leaves out now. A run that lacks
    /// others is decoded again, not replayed.
    func hasItsFrames(_ slot: Slot) -> Bool { !slot.gaps.isAny || decoding.step >= .unreferencedFrames }

    /// True if the A-B loop is decoded once and replayed, because it is short or takes at most half of the feed's
    /// memory. All its frames are then needed, also those decoded too late.
    public func keepsABLoop(in memory: @autoclosure () -> Int) -> Bool {
        guard let abLoop = course.abLoop else { return false }
        if abLoop.length <= Depth.usual { return true }
        guard let front = slots.first, let bytes = slots.lazy.compactMap({ $0.frames.last?.frame.bytes }).last,
            let length = sources.facts(of: front.location)?.frameLength, length > .zero
        else { return false }
        let frames = abLoop.length.played(at: timeline.rate(of: front.run)).ticks / length.ticks + 2
        return frames <= memory() / 2 / max(1, bytes)
    }

    // MARK: runs that a layer interrupts

    /// Cuts the front at `offset`, where a layer follows. The frames decoded after `offset` are kept for its rest. A
    /// front that is cut already can be cut earlier, until it is decoded to the cut.
    func shortenFront(to offset: Time) {
        guard let front = slots.first, front.cutOffset.map({ offset < $0 && !isDecodedToCut }) ?? true else { return }
        if !isLive(front.run) {
            let length = front.cutOffset == nil ? front.length : timeline.length(of: front.run)
            let rest = front.rest(from: offset, as: front.run.whole, id: front.id)
            rest.timing.length = length
            interrupted.forget(from: front.run.layer)
            interrupted.add(rest)
        }
        let isDecoded = front.decodedTo >= offset
        slots[0].shorten(to: offset)
        guard isDecoded, !front.isLeased, !front.isWhole, front.refill == nil else { return }
        sources.retire(front)
        slots[0].end(offset)
    }

    /// True if the front is decoded to the place at which it is interrupted.
    var isDecodedToCut: Bool {
        slots.first.map { front in front.isWhole || front.cutOffset.map { front.decodedTo >= $0 } ?? false } ?? false
    }

    /// Cancels the interruption of the front.
    func lengthenFront() {
        // The pipeline may have skipped frames that were not wanted.
        if slots[0].isLeased { sources.retire(slots[0]) }
        slots[0].lengthen(to: timeline.length(of: slots[0].run), id: slots.makeID())
    }

    /// Drops all slots from this one on. The rests of interrupted runs wait on, with their frames.
    func setAside(from index: Int) {
        for slot in slots.remove(from: index) {
            sources.retire(slot)
            guard slot.run.isRest, !isLive(slot.run), !slot.hasFailed, !slot.frames.isEmpty else { continue }
            interrupted.add(slot.rest(from: slot.entry, as: slot.run.whole, id: slot.id))
        }
    }
}
