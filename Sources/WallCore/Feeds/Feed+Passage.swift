// A passage of a group's time: each feed plays what lies in it lap after lap. A run that goes on after the passage's end
// is cut off there, and the next lap enters the run that plays at its beginning.
extension Feed {
    /// Its slots are planned for the passage of its group. What plays when a passage is over plays on.
    mutating func settlePassage(_ group: Group, _ orders: inout Orders) {
        guard passage != group.passage else { return }
        passage = group.passage
        if passage != nil || slots.first.map({ $0.lap != 0 }) ?? true { return dropSlots(&orders) }
        dropSlots(from: slots.prefix { $0.lap == 0 }.count, &orders)
        slots[slots.count - 1].reopen()
        chain(group)
    }

    /// Those slots lie so many laps earlier: its group's clock does.
    mutating func windBack(by laps: Int) {
        guard let passage else { return }
        let change = passage.length * Int64(laps)
        for index in slots.indices { slots[index].windBack(by: laps, lasting: change) }
        past.shift(by: .zero - change)
        leaving?.shift(by: .zero - change)
    }

    /// All of it lies so much earlier: its group's clock does.
    mutating func windBack(by change: Time) {
        anchor.shift(by: .zero - change)
        for index in slots.indices { slots[index].shift(by: .zero - change) }
        past.shift(by: .zero - change)
        leaving?.shift(by: .zero - change)
    }

    /// The slot that follows one; nil: there is none, or it is not known yet.
    mutating func successor(of last: Slot, _ group: Group) -> Slot? {
        guard let passage else { return followingRun(last, group).map { makeSlot($0, after: last, group) } }
        let end = passage.end(ofLap: last.lap)
        if last.length != nil || last.isWhole, let known = last.end, known >= end { return lap(after: last, group) }
        guard let run = followingRun(last, group) else { return lap(after: last, group) }
        let isNewIteration = group.isTogether && run.iteration != last.run.iteration
        guard
            let begin = isNewIteration
                ? start(ofIteration: run.iteration, lap: last.lap, group)
                : last.end.map({ $0 - timeline.fade(before: run) })
        else { return nil }
        if begin >= end { return lap(after: last, group) }
        var next = makeSlot(run, after: last, group)
        next.begin(at: isNewIteration ? begin - anchor.offset : begin)
        next.setCut(cut(of: next, group))
        return next
    }

    /// Its group's passage is played again by it, since it has not ended before that begins.
    func hasLaps(_ group: Group) -> Bool {
        guard let passage else { return false }
        return group.isTogether
            || !entrance(at: passage.begin, anchor(at: passage.begin, group.iterations, isTogether: false)).isOver
    }

    /// The run that plays at the passage's beginning, in the lap that comes.
    private mutating func lap(after last: Slot, _ group: Group) -> Slot? {
        guard let passage, hasLaps(group) else { return nil }
        // One that is late goes on with the lap that plays.
        let lap = max(last.lap + 1, 0)
        let iterations = group.iterations(ofLap: 1)
        let entrance = entrance(
            at: passage.begin, anchor(at: passage.begin, iterations, isTogether: group.isTogether))
        var next = makeSlot(
            entrance.run, start: entrance.start + passage.length * Int64(lap), entry: entrance.entry)
        next.join(lap: lap)
        next.takeOver(at: passage.begin(ofLap: lap))
        next.setCut(cut(of: next, group))
        return next
    }

    /// Whether the next slot of a passage shows the very frames that one will hold when it is decoded.
    func willBeReplayed(by next: Slot, _ slot: Slot) -> Bool {
        timeline.repeats(slot.run, next.run) && slot.willHoldAll(of: next) && !sources.isOutdated(slot.id)
    }

    /// Whether it shows the very frames that one holds. If some were left out, they are decoded in the next lap.
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
        slot.join(lap: last.lap)
        return slot
    }
}
