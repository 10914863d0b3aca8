// What is live has no length: it is played near its edge by a clock that nobody seeks, and connected again in its place.
extension Feed {
    var isLive: Bool { edge != nil }

    /// What is on, or was planned first, is live.
    var frontIsLive: Bool { slots.first.map { live($0.location) != nil } ?? false }

    /// The run is of a live source, and follows the live clock.
    func isLive(_ run: RunID) -> Bool { isLive && live(timeline.segment(of: run).source) != nil }

    /// What it reads is live, whatever else is on.
    func isLive(_ lease: Lease) -> Bool { live(lease.location) != nil }

    private func live(_ location: String) -> SourceTraits.Live? { sources.facts(of: location)?.live }

    /// It is live, or may turn out to be when it is open.
    var mayBeLive: Bool {
        guard let front = slots.first, sources.facts(of: front.location) == nil else { return isLive }
        return SourceName.isPushed(front.location)
    }

    /// From now on it follows the other clock of its group.
    mutating func changeClock(_ effects: inout Effects) {
        guard !isLive else {
            edge = nil
            return
        }
        guard let front = slots.first, let live = live(front.location) else { return }
        edge = LiveEdge(live)
        anchor.endAwaiting()
        // The slots behind it were planned before that was known. Their turn comes when the live source is over.
        dropSlots(from: 1, &effects)
        guard front.frames.isEmpty, !front.isWhole else {
            let first = front.frames.first?.offset ?? .zero
            if !front.isWhole { slots[0].setLength(liveLength(of: front.run).map { first + $0 }) }
            return
        }
        // Nothing of it is decoded yet: it begins when its first frame comes.
        slots[0].begin(at: nil)
        slots[0].moveEntry(to: .zero)
        slots[0].takeOver(at: -.distantFuture)
    }

    /// What it holds lies elsewhere on its clock, where it is `groupTime`.
    mutating func move(by change: Time, to groupTime: Time) {
        for index in slots.indices { slots[index].shift(by: change) }
        history.keep(nil)
        fadeOut?.shift(by: change)
        guard !isLive, let front = slots.first, front.start == nil else { return }
        // It was live when it was connected before.
        slots[0].begin(at: groupTime)
        slots[0].takeOver(at: nil)
        anchor.set(front.run.iteration, at: groupTime - timeline.start(ofItem: front.run.item))
    }

    // MARK: frames

    /// Puts a live frame where it belongs, near the edge; answers what becomes of it, nil: what becomes of others.
    mutating func decideLive(_ frame: DecodedFrame, slot index: Int, _ context: PlaybackContext) -> FrameDecision? {
        let offset = offset(of: frame.pts, in: slots[index].run)
        if let length = slots[index].length, slots[index].start != nil, offset >= length { return .end }
        guard let start = slots[index].start else {
            // The slot may follow another live source.
            if index > 0, let live = live(slots[index].location) { edge = LiveEdge(live) }
            slots[index].begin(at: context.groupTime + (edge?.cushion ?? .zero) - offset)
            let length = slots[index].length ?? liveLength(of: slots[index].run)
            slots[index].setLength(length.map { offset + $0 })
            return nil
        }
        guard context.isRunning else { return nil }
        let end = start + offset + frame.length
        switch edge?.judge(offset: offset, due: start + offset, end: end, groupTime: context.groupTime, at: context.now)
        {
        case .move(let change)?:
            moveEdge(by: change, slot: index, context)
        case .skip? where decoding.maySkip(at: context.now):
            let over = context.groupTime + Depth.catchUp - start
            return .skip(over: over)
        case .skip?, .inTime?, nil: break
        }
        return nil
    }

    /// Where a frame that was delivered belongs beside a microphone, on the live clock; nil: it is not live. What this
    /// machine captures happened when it came, and is shown later; what comes from elsewhere is sung to when it is shown.
    func takePlace(of lease: Lease, pts: Time) -> Time? {
        guard let edge, let index = index(of: lease), isLive(slots[index].run), let start = slots[index].start else {
            return nil
        }
        let due = start + offset(of: pts, in: slots[index].run)
        return edge.live == .captured ? due - edge.cushion : due
    }

    /// Its frames wait for their sound from now on.
    mutating func noteSound(lag: Time, of lease: Lease, _ context: PlaybackContext) {
        guard let index = index(of: lease), let change = edge?.noteSound(lag: lag), slots[index].start != nil else {
            return
        }
        moveEdge(by: change, slot: index, context)
    }

    /// As much as fits is decoded: one that has fallen back goes nearer to the edge; says whether it did.
    mutating func approachEdge(of lease: Lease, _ context: PlaybackContext) -> Bool {
        guard context.isRunning, let index = index(of: lease),
            let change = edge?.surplus(ahead: slots[index].ahead(of: context.groupTime))
        else {
            return false
        }
        moveEdge(by: .zero - change, slot: index, context)
        return true
    }

    /// What was shown is not shown again, and what is over by that was never due.
    private mutating func moveEdge(by change: Time, slot index: Int, _ context: PlaybackContext) {
        if change > .zero { slots[index].dropFrames() }
        slots[index].shift(by: change)
        // Its duration is not changed by that.
        if let length = slots[index].length { slots[index].setLength(length - change) }
        _ = slots[index].advance(to: context.groupTime, keeping: 0)
    }

    // MARK: how long it plays

    /// Nothing but this source is ever played: it needs no end.
    private func playsForever(_ run: RunID) -> Bool {
        timeline.loop == .forever
            && timeline.items.indices.allSatisfy { item in
                timeline.runs(ofItem: item).allSatisfy { timeline.repeats(run, $0) }
            }
    }

    /// Its item's duration; nil: until it ends or fails.
    func liveLength(of run: RunID) -> Time? { playsForever(run) ? nil : timeline.stillLength(of: run) }

    /// Its duration is over, though nothing has come from it that says so.
    mutating func endLive(_ context: PlaybackContext, _ effects: inout Effects) {
        guard isLive, let front = slots.first, isLive(front.run), !front.isWhole, front.length != nil,
            let end = front.end
        else { return }
        guard end <= context.groupTime else { return effects.scheduleUpdate(at: context.wallTime(of: end)) }
        retire(front, &effects)
        slots[0].end(id: newSlotID())
    }

    // MARK: connections

    /// The connection to a live source was lost, or it has ended: what is here is played, and it is connected again,
    /// unless something else follows. Says whether it is.
    mutating func reconnectLive(
        slot index: Int, after trouble: SourceTrouble, at now: Time, _ effects: inout Effects
    ) -> Bool {
        guard index == slots.count - 1, let live = edge?.live, followsItself(slots[index].run) else { return false }
        // Its sender is there.
        let wait =
            trouble == .streamChanged
            ? .zero : self.trouble.waitBeforeReconnecting(to: slots[index].location, at: now)
        let instant = now + wait
        var next = makeSlot(slots[index].run, start: nil)
        next.enter()
        next.reconnect(at: instant)
        // Its duration goes on.
        if let length = slots[index].length, liveLength(of: next.run) != nil {
            next.setLength(
                slots[index].start == nil ? length : max(Timeline.shortestRun, length - slots[index].decodedTo))
        }
        if slots[index].frames.isEmpty {
            next.takeOver(at: slots[index].takesOverAt)
            slots[index] = next
        } else {
            slots[index].breakOff()
            next.takeOver(at: slots[index].end)
            slots.append(next)
        }
        edge = LiveEdge(live)
        effects.scheduleUpdate(at: instant)
        return true
    }

    private func followsItself(_ run: RunID) -> Bool { following(run).map { timeline.repeats(run, $0) } ?? true }
}
