import Base
import Layout
import Scene

// Effects of opened sources, and of failures to open, on a feed.
extension Feed {
    static var shortestRun: Time { Timeline.shortestRun }
    /// Distance before its end at which a run is entered for its last frame. At any rate this is before the end in
    /// media time.
    private static var lastMoment: Time { Time(ticks: 8) }

    /// True if the slot that the request is for still exists.
    func awaits(_ purpose: OpenRequest.Purpose) -> Bool {
        switch purpose {
        case .slot(let id), .sharper(let id): index(ofSlot: id) != nil
        case .preview(let id): preview.isFor(id)
        case .probe, .ahead: false
        }
    }

    /// `asked`: wall time since when the source is being opened.
    mutating func noteOpening(_ purpose: OpenRequest.Purpose, since asked: Time) {
        switch purpose {
        case .slot(let id): if let index = index(ofSlot: id) { slots[index].noteOpening(since: asked) }
        case .preview: preview.change { $0.noteOpening(since: asked) }
        case .probe, .sharper, .ahead: break
        }
    }

    /// True if the feed has no seat, and nothing to plan until it gets one: its preview is decoded, has failed or is
    /// requested.
    var restsWithoutSeat: Bool {
        guard !hasSeat, phase == .playing, slots.isEmpty, !isLive else { return false }
        switch preview.loading {
        case .planned, .opening, .ready, .leased, .whole, .failed: return true
        case nil: return preview.frame != nil || screen.last != nil
        }
    }

    /// Plans a preview of the first item, unless something is on screen.
    mutating func planPreview() {
        guard screen.last == nil, preview.frame == nil, preview.slot == nil, phase == .playing else { return }
        preview.plan(makeSlot(RunID(iteration: anchor.iteration), start: nil))
    }

    /// Returns the next run to probe for its length. Iterations that begin together need all lengths before the first
    /// iteration is over. A scrub on an item of several segments needs the lengths of the item.
    func unknownLength(_ group: Group) -> RunID? {
        guard let front = slots.first?.run, !mayBeLive else { return nil }
        let runs = group.isTogether ? timeline.allRuns : timeline.runs(ofItemAt: front.place)
        let isUnknown = { (run: RunID) in
            timeline.length(of: run) == nil && !sources.wasProbed(run)
                && !SourceName.isPushed(timeline.segment(of: run).source)
        }
        guard group.isTogether || runs.count > 1, let unknown = runs.first(where: isUnknown)
        else { return nil }
        let isComing = slots.contains { slot in
            slot.run.place == unknown.place && slot.run.segment == unknown.segment && !slot.isWhole
        }
        return isComing ? nil : unknown
    }

    // MARK: what an opening says

    /// Applies the facts of an opened source to all its segments.
    mutating func learn(_ facts: OpenedFacts, of location: String) {
        sources.learn(facts, of: location)
        for index in slots.indices where slots[index].location == location {
            slots[index].timing.setDueTolerance(dueTolerance(of: slots[index]))
        }
        for run in timeline.runs(of: location) { learnLength(facts, of: run) }
    }

    /// Applies the known facts of sources to a new sequence.
    mutating func relearnLengths() {
        for run in timeline.allRuns where timeline.length(of: run) == nil {
            if let facts = sources.facts(of: timeline.segment(of: run).source) { learnLength(facts, of: run) }
        }
    }

    /// Sets the length of a run, from its in-point and at its item's rate. An out-point past the end counts as the end.
    private mutating func learnLength(_ facts: OpenedFacts, of run: RunID) {
        let segment = timeline.segment(of: run)
        if facts.live != nil {
            timeline.learn(liveLength(of: run), of: run)
            // The length of a slot that has begun follows from its first frame.
            return setLengths(of: run) { $0.start == nil && !$0.isReconnecting }
        }
        switch facts.kind {
        case .still:
            timeline.learn(timeline.stillLength(of: run) ?? Timeline.usualStill, of: run)
        case .video, .sound:
            if let length = facts.length {
                timeline.learn(played(to: min(segment.end ?? length, length), of: run), of: run)
            } else if facts.kind == .sound {
                timeline.learn(segment.end.map { played(to: $0, of: run) }, of: run)
            }
        }
        setLengths(of: run) { _ in true }
    }

    private mutating func setLengths(of run: RunID, where isMeant: (Slot) -> Bool) {
        for index in slots.indices where !slots[index].isWhole && isMeant(slots[index]) {
            let other = slots[index].run
            // What is on top cuts this one off.
            if slots[index].shortenedTo != nil { continue }
            if other.place == run.place, other.segment == run.segment {
                slots[index].setLength(timeline.length(of: run))
            }
        }
    }

    /// Returns the length of a run that ends at `end` in media time.
    func played(to end: Time, of run: RunID) -> Time {
        let segment = timeline.segment(of: run)
        return Timeline.length(
            from: segment.start, to: end, at: timeline.rate(of: run),
            frame: sources.facts(of: segment.source)?.frameLength)
    }

    /// Fills the slot with a still image or a sound, which need no pipeline.
    mutating func fill(slot index: Int, with frame: Frame?, at now: Time) {
        let still = frame.map { Slot.TimedFrame(offset: .zero, pts: .zero, serial: newFrameSerial(), frame: $0) }
        slots[index].fill(with: still, timeline.length(of: slots[index].run), at: now)
    }

    /// Replaces an image that was decoded again for an item, in all slots that show it in the same way.
    mutating func replaceStill(ofSlot id: Int, item: ItemPlace, with frame: Frame) {
        guard let index = index(ofSlot: id), let made = timeline.item(at: item) else { return }
        let location = slots[index].location
        for index in slots.indices where slots[index].isStill && slots[index].location == location {
            guard let shown = timeline.item(of: slots[index].run), (shown.turn, shown.flip) == (made.turn, made.flip)
            else { continue }
            slots[index].replaceStill(with: frame, serial: newFrameSerial())
        }
    }

    /// Enters anew if the slot was entered beyond its end, before its length was known. Returns true if the feed
    /// entered anew.
    mutating func settleEntry(slot index: Int, _ context: PlaybackContext, _ effects: inout Effects) -> Bool {
        let slot = slots[index]
        guard index == 0, slot.entry > .zero, slot.frames.isEmpty, !slot.isStill, let length = slot.length,
            length > .zero, slot.entry >= length
        else { return false }
        let isOver = following(slot.run) == nil
        let last = length - min(length, Self.lastMoment)
        if isOver, !slot.isWhole {
            // The entry lies beyond the end of the sequence, so the last frame is shown.
            slots[index].moveEntry(to: last)
            return false
        }
        dropSlots(&effects)
        if isOver {
            // The run was decoded to find its end.
            slots = [makeSlot(slot.run, start: slot.start, entry: last)]
            slots[0].enter()
        } else {
            enter(context)
        }
        return true
    }

    // MARK: failures

    /// Returns the length of an item that can't be played: zero, unless the layout specifies to hold its place.
    private func lengthOfFailure(_ run: RunID) -> Time {
        guard onError(in: run) == .hold else { return .zero }
        let segment = timeline.segment(of: run)
        return timeline.stillLength(of: run)
            ?? segment.end.map { max(($0 - segment.start).lasting(at: timeline.rate(of: run)), Timeline.shortestStill) }
            ?? timeline.length(of: run).flatMap { $0 > .zero ? $0 : nil }
            ?? Timeline.usualStill
    }

    /// Called when a source was opened only for its length and failed.
    mutating func noteUnknown(_ location: String) {
        for run in timeline.runs(of: location) { timeline.learn(lengthOfFailure(run), of: run) }
    }

    /// Largest delay of a run's start that counts as in time. The run drops a frame at most and stays in step with its
    /// group.
    private static var unseenLoss: Time { .milliseconds(40) }

    /// Called when nothing of the slot can be played. Returns the events to emit.
    mutating func fail(slot index: Int, _ trouble: SourceTrouble, at groupTime: Time) -> [FeedScreen.ItemChange] {
        let run = slots[index].run
        let length = lengthOfFailure(run)
        timeline.learn(length, of: run)
        // The next run begins late, so that it loses no time to the failure. If it did not wait for this slot, it keeps
        // its time.
        let wasLeft = slots[index].isSkipped && slots[index].length != nil
        if !wasLeft, instant(ofSlotsTo: index).map({ $0 + length + Self.unseenLoss < groupTime }) ?? (index == 0) {
            leaveLate(slot: index)
        }
        if index == 0, slots[0].start == nil, !anchor.awaitsFirstFrame {
            slots[0].timing.begin(at: groupTime - slots[0].entry)
        }
        slots[index].fail(trouble, lasting: length)
        setLengths(of: run, where: \.isUnopened)
        if length == .zero { dropRounds(after: index) }
        let failed = PlayedItem(
            run: run, source: timeline.item(of: run)?.song ?? slots[index].location,
            beginning: run.part == .top ? .break : .next)
        if index == 0 {
            // The last frame of the sequence before stays only until the first frame of this one.
            screen.dropFrameOfNoItem()
            // The runs before a later slot are played to their end. Then the feed is over.
            if onError(in: run) == .stop { phase = .ended }
        }
        return [.ended(failed, .error)]
    }

    /// Drops the other rounds of a failed item, which would fail too.
    private mutating func dropRounds(after index: Int) {
        let run = slots[index].run
        let isRound = { (slot: Slot) in
            slot.run.isOfItem(of: run) && slot.run.segment == run.segment && slot.isUnopened
        }
        guard timeline.item(of: run)?.segments.count == 1 else { return }
        while index + 1 < slots.count, isRound(slots[index + 1]) { slots.remove(at: index + 1) }
    }

    /// Returns the time at which a slot was to take over from those before it, but not before the first of them was
    /// entered; nil if that is not known.
    private func instant(ofSlotsTo index: Int) -> Time? {
        slots[index].start == nil ? nil : slots[...index].compactMap(\.instant).max()
    }

    /// Makes the next slot begin with its first frame.
    mutating func leaveLate(slot index: Int) {
        slots[index].holdNext()
        if index + 1 < slots.count { slots[index + 1].timing.awaitFirstFrame() }
    }

    /// Makes a run begin with its first frame if its source was opened after it was due, unless its group began an
    /// iteration there.
    mutating func beginLateRun(slot index: Int, _ context: PlaybackContext) {
        beginLate(index, context, after: Self.unseenLoss)
    }

    /// Makes a run begin with its first frame, too, if its source is open but the server answers more than a second
    /// late. After a shorter wait frames are dropped, so that the tile stays in step with its group.
    mutating func beginLateRun(of lease: Lease, _ context: PlaybackContext) {
        guard lease.purpose == .play, let index = index(of: lease), slots[index].times.ready == nil,
            !isLive(lease), SourceName.path(of: lease.location) == nil
        else { return }
        beginLate(index, context, after: OpenRequests.slowAfter)
    }

    private mutating func beginLate(_ index: Int, _ context: PlaybackContext, after tolerance: Time) {
        let slot = slots[index]
        guard index > 0, slot.frames.isEmpty, anchor.delayed?.run != slot.run,
            slot.abIteration == slots[index - 1].abIteration,
            !context.group.isTogether || slots[index - 1].run.iteration == slot.run.iteration,
            let due = instant(ofSlotsTo: index), due + tolerance < context.dueTime
        else { return }
        leaveLate(slot: index - 1)
    }

    /// Returns the failure of the slot before, if that tried the same source. A source is not tried twice in a row.
    func failureBefore(slot index: Int) -> SourceTrouble? {
        guard index > 0, case .failed(let trouble) = slots[index - 1].loading, slots[index - 1].length == .zero,
            slots[index - 1].location == slots[index].location
        else { return nil }
        return trouble
    }

    /// True if the item before is on top, too, and of the same server, which did not answer.
    func followsSilence(slot index: Int) -> Bool {
        guard index > 0, case .failed(OpenRequests.noAnswer) = slots[index - 1].loading,
            slots[index - 1].run.part == .top,
            slots[index - 1].run.iteration == slots[index].run.iteration,
            let server = SourceName.server(of: slots[index].location)
        else { return false }
        return server == SourceName.server(of: slots[index - 1].location)
    }

    /// Called when the slot's source broke. Decoded frames are played. A server is reconnected while the run lasts.
    mutating func breakOff(
        slot index: Int, _ trouble: SourceTrouble, _ context: PlaybackContext, _ effects: inout Effects
    ) {
        let isRefilling = slots[index].refill != nil
        if !isRefilling, canReconnect(slots[index], trouble) {
            let wait = self.trouble.waitBeforeReconnecting(to: slots[index].location, at: context.now)
            return slots[index].reconnect(at: context.now + wait)
        }
        slots[index].breakOff()
        if isRefilling { dropWhereNothingIs(context, &effects) }
    }

    /// True for a film of known length on a server that went away. A source without a length is opened anew instead, at
    /// its present place.
    private func canReconnect(_ slot: Slot, _ trouble: SourceTrouble) -> Bool {
        guard trouble.kind == .timeout || trouble.kind == .unreachable, SourceName.path(of: slot.location) == nil else {
            return false
        }
        return slot.length != nil && sources.facts(of: slot.location)?.length != nil
    }

    /// Returns true if the slot, which has no source, is to be opened now. A slot of a run that is over is not
    /// reconnected.
    mutating func isToBeOpened(slot index: Int, _ context: PlaybackContext) -> Bool {
        guard !inherits(index) else { return false }
        guard let instant = slots[index].reconnectsAt else { return isToBeFetched(slot: index, context) }
        if slots[index].isOver(at: context.dueTime) {
            // No frame of the run was decoded.
            if slots[index].times.ready == nil { leaveLate(slot: index) }
            slots[index].giveUpRest()
            return false
        }
        return context.now >= instant
    }

    // MARK: files that are replaced

    /// Called when a file was replaced. Nothing more is read from the old file. Frames that play from it go on.
    mutating func forget(_ location: String, leases: [Lease], at now: Time, _ effects: inout Effects) {
        trouble.forget(location)
        sources.keep(where: { $0 != location }, &effects)
        for index in slots.indices where slots[index].location == location {
            if case .ready(let source) = slots[index].loading, slots[index].frames.isEmpty, index > 0 {
                effects.close(source)
                slots[index].replan()
            } else {
                sources.outdate(slots[index].id)
            }
        }
        for lease in leases where lease.location == location { sources.outdate(lease.slot) }
        switch phase {
        case .barren, .hopeless: phase = .barren(until: now)
        case .playing, .ended: break
        }
    }
}
