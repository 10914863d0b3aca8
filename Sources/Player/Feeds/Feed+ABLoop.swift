import Base
import Layout
import Scene

// An A-B loop of a group's time, which each feed plays over and over. A run that lasts beyond the A-B loop's end is cut
// off there. The next iteration enters the run that plays at the loop's beginning.
extension Feed {
    /// Plans the slots for the A-B loop of the group. The run that plays when the A-B loop ends goes on playing.
    mutating func settleABLoop(_ group: Group, _ effects: inout Effects) {
        guard abLoop != group.abLoop else { return }
        abLoop = group.abLoop
        if abLoop != nil || slots.first.map({ $0.abIteration != 0 }) ?? true { return dropSlots(&effects) }
        dropSlots(from: slots.prefix { $0.abIteration == 0 }.count, &effects)
        slots[slots.count - 1].reopen()
        chain(group)
    }

    /// Shifts the slots back by that many iterations of the A-B loop, as the group's clock was.
    mutating func windBack(by abIterations: Int) {
        guard let abLoop else { return }
        let change = abLoop.length * Int64(abIterations)
        for index in slots.indices { slots[index].timing.windBack(by: abIterations, lasting: change) }
        seam.history.shift(by: .zero - change)
        seam.fadeOut?.shift(by: .zero - change)
    }

    /// Shifts the feed back by `change`, as the group's clock was.
    mutating func windBack(by change: Time) {
        anchor.shift(by: .zero - change)
        for index in slots.indices { slots[index].timing.shift(by: .zero - change) }
        seam.history.shift(by: .zero - change)
        seam.fadeOut?.shift(by: .zero - change)
    }

    /// Returns the slot that follows `last`; nil if there is none or it is not known yet.
    mutating func successor(of last: Slot, _ group: Group) -> Slot? {
        guard let abLoop else { return followingRun(last, group).map { makeSlot($0, after: last, group) } }
        let end = abLoop.end(ofABIteration: last.abIteration)
        if last.length != nil || last.isWhole, let known = last.end, known >= end {
            return abIteration(after: last, group)
        }
        guard let run = followingRun(last, group) else { return abIteration(after: last, group) }
        let isNewIteration = group.isTogether && run.iteration != last.run.iteration
        guard
            let begin = isNewIteration
                ? start(ofIteration: run.iteration, abIteration: last.abIteration, group)
                : last.end.map({ $0 - timeline.fade(before: run) })
        else { return nil }
        if begin >= end { return abIteration(after: last, group) }
        var next = makeSlot(run, after: last, group)
        next.timing.begin(at: isNewIteration ? begin - anchor.offset : begin)
        next.timing.setCut(cut(of: next, group))
        return next
    }

    /// True if the feed plays in the group's A-B loop, which begins before the feed has ended.
    func hasABIterations(_ group: Group) -> Bool {
        guard let abLoop else { return false }
        return group.isTogether
            || !entrance(at: abLoop.begin, anchor(at: abLoop.begin, group.iterations, isTogether: false)).isOver
    }

    /// Returns a slot for the run at the A-B loop's beginning, in the next iteration of the loop.
    private mutating func abIteration(after last: Slot, _ group: Group) -> Slot? {
        guard let abLoop, hasABIterations(group) else { return nil }
        // If the feed is late, it goes on with the iteration of the loop that plays.
        let abIteration = max(last.abIteration + 1, 0)
        let iterations = group.iterations(ofABIteration: 1)
        let entrance = entrance(
            at: abLoop.begin, anchor(at: abLoop.begin, iterations, isTogether: group.isTogether))
        var next = makeSlot(
            entrance.run, start: entrance.start + abLoop.length * Int64(abIteration), entry: entrance.entry)
        next.timing.join(abIteration: abIteration)
        next.timing.takeOver(at: abLoop.begin(ofABIteration: abIteration))
        next.timing.setCut(cut(of: next, group))
        return next
    }

    /// True if the next slot of an A-B loop shows the same frames that `slot` will hold when it is decoded.
    func willBeReplayed(by next: Slot, _ slot: Slot) -> Bool {
        timeline.repeats(slot.run, next.run) && slot.willHoldAll(of: next) && !sources.isOutdated(slot.id)
    }

    /// True if the next slot shows the same frames that `slot` holds. If some were left out, the run is decoded again.
    func isReplayed(by next: Slot, _ slot: Slot) -> Bool {
        timeline.repeats(slot.run, next.run) && slot.holdsAll(of: next) && !sources.isOutdated(slot.id)
            && (!slot.hasGaps || decoding.step >= .unreferencedFrames)
    }

    /// Returns the place in its item of the run that plays at `time`; nil if the feed is over then.
    func placeInItem(_ time: Time, _ group: Group) -> Time? {
        let entrance = entrance(at: time, anchor(at: time, group.iterations, isTogether: group.isTogether))
        return entrance.isOver
            ? nil : timeline.length(ofSegmentsBefore: entrance.run) + max(.zero, time - entrance.start)
    }

    private mutating func makeSlot(_ run: RunID, after last: Slot, _ group: Group) -> Slot {
        if run.part == .rest, let rest = resume(run, from: timeline.entry(of: run)) { return rest }
        let entry = group.isTogether && run == RunID(iteration: run.iteration) ? max(.zero, anchor.offset) : .zero
        var slot = makeSlot(run, start: nil, entry: entry)
        slot.timing.join(abIteration: last.abIteration)
        return slot
    }
}
