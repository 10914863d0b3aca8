// A A-B loop of a group's time: each feed plays what lies in it over and over. A run that goes on after the A-B loop's end
// is cut off there, and the next iteration enters the run that plays at its beginning.
extension Feed {
    /// Its slots are planned for the A-B loop of its group. What plays when an A-B loop is over plays on.
    mutating func settleABLoop(_ group: Group, _ effects: inout Effects) {
        guard abLoop != group.abLoop else { return }
        abLoop = group.abLoop
        if abLoop != nil || slots.first.map({ $0.abIteration != 0 }) ?? true { return dropSlots(&effects) }
        dropSlots(from: slots.prefix { $0.abIteration == 0 }.count, &effects)
        slots[slots.count - 1].reopen()
        chain(group)
    }

    /// Those slots lie so many iterations earlier: its group's clock does.
    mutating func windBack(by abIterations: Int) {
        guard let abLoop else { return }
        let change = abLoop.length * Int64(abIterations)
        for index in slots.indices { slots[index].windBack(by: abIterations, lasting: change) }
        history.shift(by: .zero - change)
        fadeOut?.shift(by: .zero - change)
    }

    /// All of it lies so much earlier: its group's clock does.
    mutating func windBack(by change: Time) {
        anchor.shift(by: .zero - change)
        for index in slots.indices { slots[index].shift(by: .zero - change) }
        history.shift(by: .zero - change)
        fadeOut?.shift(by: .zero - change)
    }

    /// The slot that follows one; nil: there is none, or it is not known yet.
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
        next.begin(at: isNewIteration ? begin - anchor.offset : begin)
        next.setCut(cut(of: next, group))
        return next
    }

    /// Its group's A-B loop is played again by it, since it has not ended before that begins.
    func hasABIterations(_ group: Group) -> Bool {
        guard let abLoop else { return false }
        return group.isTogether
            || !entrance(at: abLoop.begin, anchor(at: abLoop.begin, group.iterations, isTogether: false)).isOver
    }

    /// The run that plays at the A-B loop's beginning, in the iteration that comes.
    private mutating func abIteration(after last: Slot, _ group: Group) -> Slot? {
        guard let abLoop, hasABIterations(group) else { return nil }
        // One that is late goes on with the iteration that plays.
        let abIteration = max(last.abIteration + 1, 0)
        let iterations = group.iterations(ofABIteration: 1)
        let entrance = entrance(
            at: abLoop.begin, anchor(at: abLoop.begin, iterations, isTogether: group.isTogether))
        var next = makeSlot(
            entrance.run, start: entrance.start + abLoop.length * Int64(abIteration), entry: entrance.entry)
        next.join(abIteration: abIteration)
        next.takeOver(at: abLoop.begin(ofABIteration: abIteration))
        next.setCut(cut(of: next, group))
        return next
    }

    /// Whether the next slot of an A-B loop shows the very frames that one will hold when it is decoded.
    func willBeReplayed(by next: Slot, _ slot: Slot) -> Bool {
        timeline.repeats(slot.run, next.run) && slot.willHoldAll(of: next) && !sources.isOutdated(slot.id)
    }

    /// Whether it shows the very frames that one holds. If some were left out, they are decoded in the next iteration.
    func isReplayed(by next: Slot, _ slot: Slot) -> Bool {
        timeline.repeats(slot.run, next.run) && slot.holdsAll(of: next) && !sources.isOutdated(slot.id)
            && (!slot.hasGaps || decoding.step >= .unreferencedFrames)
    }

    /// Where in its item an instant lies.
    func placeInItem(_ time: Time, _ group: Group) -> Time? {
        let entrance = entrance(at: time, anchor(at: time, group.iterations, isTogether: group.isTogether))
        return entrance.isOver
            ? nil : timeline.length(ofSegmentsBefore: entrance.run) + max(.zero, time - entrance.start)
    }

    private mutating func makeSlot(_ run: RunID, after last: Slot, _ group: Group) -> Slot {
        let entry = group.isTogether && run == RunID(iteration: run.iteration) ? max(.zero, anchor.offset) : .zero
        var slot = makeSlot(run, start: nil, entry: entry)
        slot.join(abIteration: last.abIteration)
        return slot
    }
}
