// What a feed learns of its sources when they are opened, or cannot be.
extension Feed {
    static var shortestRun: Time { Timeline.shortestRun }
    /// So near to its end a run is entered for its last frame: at any rate that is before the end in media time.
    private static var lastMoment: Time { Time(ticks: 8) }

    /// What an opening is for is still there.
    func awaits(_ purpose: OpenRequest.Purpose) -> Bool {
        switch purpose {
        case .slot(let id), .sharper(let id): index(ofSlot: id) != nil
        case .preview(let id): preview.isFor(id)
        case .probe, .breakAhead: false
        }
    }

    /// `asked`: since when its source is being opened, in wall time.
    mutating func noteOpening(_ purpose: OpenRequest.Purpose, since asked: Time) {
        switch purpose {
        case .slot(let id): if let index = index(ofSlot: id) { slots[index].noteOpening(since: asked) }
        case .preview: preview.change { $0.noteOpening(since: asked) }
        case .probe, .sharper, .breakAhead: break
        }
    }

    /// It has no seat, and nothing to plan before it gets one: its preview is there, has failed or is asked for.
    var restsWithoutSeat: Bool {
        guard !hasSeat, phase == .playing, slots.isEmpty, !isLive else { return false }
        switch preview.loading {
        case .planned, .opening, .ready, .leased, .whole, .failed: return true
        case nil: return preview.frame != nil || screen.last != nil
        }
    }

    /// The first frame of its first item is wanted, where no tile of it brings an image.
    mutating func planPreview() {
        guard screen.last == nil, preview.frame == nil, preview.slot == nil, phase == .playing else { return }
        preview.plan(makeSlot(RunID(iteration: anchor.iteration), start: nil))
    }

    /// Iterations that begin together want every length before the first iteration is over; a scrub on an item of several segments
    /// wants those of the item. Answers which is to be asked for next.
    func unknownLength(_ group: Group) -> RunID? {
        guard let front = slots.first?.run, !mayBeLive else { return nil }
        let items = group.isTogether ? timeline.items.indices : front.item..<front.item + 1
        let isUnknown = { (run: RunID) in
            timeline.length(of: run) == nil && !sources.wasProbed(run)
                && !SourceName.isPushed(timeline.segment(of: run).source)
        }
        guard group.isTogether || timeline.items[front.item].segments.count > 1,
            let unknown = items.lazy.compactMap({ timeline.runs(ofItem: $0).first(where: isUnknown) }).first
        else { return nil }
        let isComing = slots.contains { slot in
            slot.run.item == unknown.item && slot.run.segment == unknown.segment && !slot.isWhole
        }
        return isComing ? nil : unknown
    }

    // MARK: what an opening says

    /// What one opening says of a source goes for every segment of it.
    mutating func learn(_ facts: OpenedFacts, of location: String) {
        sources.learn(facts, of: location)
        for index in slots.indices where slots[index].location == location {
            slots[index].setDueTolerance(dueTolerance(of: slots[index]))
        }
        for run in timeline.runs(of: location) { learnLength(facts, of: run) }
    }

    /// What is known of sources goes for a sequence that has just been taken.
    mutating func relearnLengths() {
        for item in timeline.items.indices {
            for segment in timeline.items[item].segments.indices {
                let run = RunID(iteration: 0, item: item, segment: segment)
                guard timeline.length(of: run) == nil, let facts = sources.facts(of: timeline.segment(of: run).source)
                else { continue }
                learnLength(facts, of: run)
            }
        }
    }

    /// The length counts from the in-point, at the item's rate; an out-point past the end is the end.
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
            if other.item == run.item, other.segment == run.segment { slots[index].setLength(timeline.length(of: run)) }
        }
    }

    /// How long a run lasts that ends at `end` in media time.
    func played(to end: Time, of run: RunID) -> Time {
        let segment = timeline.segment(of: run)
        return Timeline.length(
            from: segment.start, to: end, at: timeline.rate(of: run),
            frame: sources.facts(of: segment.source)?.frameLength)
    }

    /// A still image or a sound needs no pipeline.
    mutating func fill(slot index: Int, with frame: (any WallFrame)?, at now: Time) {
        let still = frame.map { Slot.Frame(offset: .zero, pts: .zero, serial: newFrameSerial(), frame: $0) }
        slots[index].fill(with: still, timeline.length(of: slots[index].run), at: now)
    }

    /// It was decoded again for an item: so is every slot's that shows the same image in the same way.
    mutating func replaceStill(ofSlot id: Int, item: Int, with frame: any WallFrame) {
        guard let index = index(ofSlot: id), timeline.items.indices.contains(item) else { return }
        let (location, made) = (slots[index].location, timeline.items[item])
        for index in slots.indices where slots[index].isStill && slots[index].location == location {
            let shown = timeline.items[slots[index].run.item]
            guard (shown.turn, shown.flip) == (made.turn, made.flip) else { continue }
            slots[index].replaceStill(with: frame, serial: newFrameSerial())
        }
    }

    /// A slot that was entered before its length was known may lie beyond its end: then the feed enters anew; says
    /// whether it did.
    mutating func settleEntry(slot index: Int, _ context: PlaybackContext, _ effects: inout Effects) -> Bool {
        let slot = slots[index]
        guard index == 0, slot.entry > .zero, slot.frames.isEmpty, !slot.isStill, let length = slot.length,
            length > .zero, slot.entry >= length
        else { return false }
        let isOver = following(slot.run) == nil
        let last = length - min(length, Self.lastMoment)
        if isOver, !slot.isWhole {
            // Beyond the end of all: its last frame is what there is to see.
            slots[index].moveEntry(to: last)
            return false
        }
        dropSlots(&effects)
        if isOver {
            // It was decoded to its end to learn where that is.
            slots = [makeSlot(slot.run, start: slot.start, entry: last)]
            slots[0].enter()
        } else {
            enter(context)
        }
        return true
    }

    // MARK: failures

    /// How long an item that can't be played lasts: no time, unless the layout wants its place held.
    private func lengthOfFailure(_ run: RunID) -> Time {
        guard onError(in: run) == .hold else { return .zero }
        let segment = timeline.segment(of: run)
        return timeline.stillLength(of: run)
            ?? segment.end.map { max(($0 - segment.start).lasting(at: timeline.rate(of: run)), Timeline.shortestStill) }
            ?? timeline.length(of: run).flatMap { $0 > .zero ? $0 : nil }
            ?? Timeline.usualStill
    }

    /// A source that was opened for its length alone has none.
    mutating func noteUnknown(_ location: String) {
        for run in timeline.runs(of: location) { timeline.learn(lengthOfFailure(run), of: run) }
    }

    /// A run that begins so much later than it was due loses a frame at most, and stays in step with its group.
    private static var unseenLoss: Time { .milliseconds(40) }

    /// Nothing of the slot can be played; answers what is told of it.
    mutating func fail(slot index: Int, _ trouble: SourceTrouble, at groupTime: Time) -> [FeedScreen.ItemChange] {
        let run = slots[index].run
        let length = lengthOfFailure(run)
        timeline.learn(length, of: run)
        // The following run loses no time to this failure: it begins late instead. If it did not wait for this slot, it
        // keeps its time.
        let wasLeft = slots[index].isSkipped && slots[index].length != nil
        if !wasLeft, instant(ofSlotsTo: index).map({ $0 + length + Self.unseenLoss < groupTime }) ?? (index == 0) {
            leaveLate(slot: index)
        }
        if index == 0, slots[0].start == nil, !anchor.awaitsFirstFrame {
            slots[0].begin(at: groupTime - slots[0].entry)
        }
        slots[index].fail(trouble, lasting: length)
        setLengths(of: run, where: \.isUnopened)
        if length == .zero { dropRounds(after: index) }
        let place = placeInBreak(of: run)
        let failed = PlayedItem(
            run: run, source: timeline.items[run.item].song ?? slots[index].location, placeInBreak: place,
            beginning: place == nil ? .next : .break)
        if index == 0 {
            // The last frame of the sequence before was to stay until the first of this one is there.
            screen.dropFrameOfNoItem()
            // What plays before a later slot plays to its end; then the feed is over.
            if onError(in: run) == .stop { phase = .ended }
        }
        return [.ended(failed, .error)]
    }

    /// The other rounds of an item that failed would fail, too.
    private mutating func dropRounds(after index: Int) {
        let run = slots[index].run
        let isRound = { (slot: Slot) in
            (slot.run.iteration, slot.run.item, slot.run.segment) == (run.iteration, run.item, run.segment)
                && slot.isUnopened
        }
        guard timeline.items[run.item].segments.count == 1 else { return }
        while index + 1 < slots.count, isRound(slots[index + 1]) { slots.remove(at: index + 1) }
    }

    /// When a slot was to take over from those before it: not before the first of them was entered. nil: that is not known.
    private func instant(ofSlotsTo index: Int) -> Time? {
        slots[index].start == nil ? nil : slots[...index].compactMap(\.instant).max()
    }

    /// The slot after it begins with its first frame.
    mutating func leaveLate(slot index: Int) {
        slots[index].holdNext()
        if index + 1 < slots.count { slots[index + 1].awaitFirstFrame() }
    }

    /// A run whose source was opened after it was due begins with its first frame, unless its group began an iteration there.
    mutating func beginLateRun(slot index: Int, _ context: PlaybackContext) {
        beginLate(index, context, after: Self.unseenLoss)
    }

    /// A run of an open source whose server answers more than a second late begins with its first frame, too. After a
    /// shorter wait frames are left out, so that the tile stays in step with its group.
    mutating func beginLateRun(of lease: Lease, _ context: PlaybackContext) {
        guard lease.purpose == .play, let index = index(of: lease), slots[index].times.ready == nil,
            !isLive(lease), SourceName.path(of: lease.location) == nil
        else { return }
        beginLate(index, context, after: OpenRequests.slowAfter)
    }

    private mutating func beginLate(_ index: Int, _ context: PlaybackContext, after tolerance: Time) {
        let slot = slots[index]
        guard index > 0, slot.frames.isEmpty, delayed?.run != slot.run,
            slot.abIteration == slots[index - 1].abIteration,
            !context.group.isTogether || slots[index - 1].run.iteration == slot.run.iteration,
            let due = instant(ofSlotsTo: index), due + tolerance < context.groupTime
        else { return }
        leaveLate(slot: index - 1)
    }

    /// Why the slot before this one failed, if that tried the same source: it is not tried twice in a row.
    func failureBefore(slot index: Int) -> SourceTrouble? {
        guard index > 0, case .failed(let trouble) = slots[index - 1].loading, slots[index - 1].length == .zero,
            slots[index - 1].location == slots[index].location
        else { return nil }
        return trouble
    }

    /// The item before it is of the same break and the same server, which did not answer.
    func followsSilence(slot index: Int) -> Bool {
        guard index > 0, case .failed(OpenRequests.noAnswer) = slots[index - 1].loading, isBreak(slots[index - 1].run),
            slots[index - 1].run.iteration == slots[index].run.iteration,
            let server = SourceName.server(of: slots[index].location)
        else { return false }
        return server == SourceName.server(of: slots[index - 1].location)
    }

    /// The slot's source broke: what was decoded is played. A server's is connected again, as long as the run lasts.
    mutating func breakOff(
        slot index: Int, _ trouble: SourceTrouble, _ context: PlaybackContext, _ effects: inout Effects
    ) {
        let isRefilling = slots[index].refill != nil
        if !isRefilling, canReconnect(slots[index], trouble) {
            let wait = self.trouble.waitBeforeReconnecting(to: slots[index].location, at: context.now)
            slots[index].reconnect(at: context.now + wait)
            return effects.scheduleUpdate(at: context.now + wait)
        }
        slots[index].breakOff()
        if isRefilling { dropWhereNothingIs(context, &effects) }
    }

    /// A film with an end, of a server that went away. What has no end begins anew instead, where it is by then.
    private func canReconnect(_ slot: Slot, _ trouble: SourceTrouble) -> Bool {
        guard trouble.kind == .timeout || trouble.kind == .unreachable, SourceName.path(of: slot.location) == nil else {
            return false
        }
        return slot.length != nil && sources.facts(of: slot.location)?.length != nil
    }

    /// Whether the slot, which has no source, is to be opened now. One whose run is over is not connected again.
    mutating func isToBeOpened(slot index: Int, _ context: PlaybackContext, _ effects: inout Effects) -> Bool {
        guard !inherits(index) else { return false }
        guard let instant = slots[index].reconnectsAt else { return isToBeFetched(slot: index, context, &effects) }
        if slots[index].isOver(at: context.groupTime) {
            // No frame of the run was decoded.
            if slots[index].times.ready == nil { leaveLate(slot: index) }
            slots[index].giveUpRest()
            effects.scheduleUpdate(at: context.now)
            return false
        }
        effects.scheduleUpdate(at: instant)
        return context.now >= instant
    }

    // MARK: files that are replaced

    /// There is another file at this place: nothing more is read from the one before, but what plays from it plays on.
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
