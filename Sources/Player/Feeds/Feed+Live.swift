import Base
import Layout
import Scene

// Live sources have no length. They are played near their edge by a clock without seeks, and reconnected in place.
extension Feed {
    var isLive: Bool { liveness.edge != nil }

    /// True if the front, on screen or planned first, is live.
    var frontIsLive: Bool { slots.first.map { live($0.location) != nil } ?? false }

    /// True if the run is of a live source and follows the live clock.
    func isLive(_ run: RunID) -> Bool { isLive && live(timeline.segment(of: run).source) != nil }

    /// True if the lease's source is live, whatever is on screen.
    func isLive(_ lease: Lease) -> Bool { live(lease.location) != nil }

    private func live(_ location: String) -> SourceTraits.Live? { sources.facts(of: location)?.live }

    /// True if the front is live, or may turn out to be live when it is open.
    var mayBeLive: Bool {
        guard let front = slots.first, sources.facts(of: front.location) == nil else { return isLive }
        return SourceName.isPushed(front.location)
    }

    /// Switches to the other clock of the group.
    mutating func changeClock(_ effects: inout Effects) {
        guard !isLive else {
            liveness.edge = nil
            return
        }
        guard let front = slots.first, let live = live(front.location) else { return }
        liveness.edge = LiveEdge(live)
        anchor.endAwaiting()
        // The slots behind it were planned before its source was known to be live. They are planned again when it is
        // over.
        dropSlots(from: 1, &effects)
        guard front.frames.isEmpty, !front.isWhole else {
            let first = front.frames.first?.offset ?? .zero
            if !front.isWhole { slots[0].setLength(liveLength(of: front.run).map { first + $0 }) }
            return
        }
        // Nothing of the run is decoded yet: it begins when its first frame comes.
        slots[0].timing.begin(at: nil)
        slots[0].moveEntry(to: .zero)
        slots[0].timing.takeOver(at: -.distantFuture)
    }

    /// Shifts the slots by `change` after a change of the clock, which is at `groupTime` now.
    mutating func move(by change: Time, to groupTime: Time) {
        for index in slots.indices { slots[index].timing.shift(by: change) }
        seam.history.keep(nil)
        seam.fadeOut?.shift(by: change)
        guard !isLive, let front = slots.first, front.start == nil else { return }
        // The source was live at its last connection.
        slots[0].timing.begin(at: groupTime)
        slots[0].timing.takeOver(at: nil)
        anchor.set(front.run.iteration, at: groupTime - timeline.start(ofItemOf: front.run))
    }

    // MARK: frames

    /// Places a live frame near the edge. Returns the decision on it; nil if it is treated like other frames.
    mutating func decideLive(_ frame: DecodedFrame, slot index: Int, _ context: PlaybackContext) -> FrameDecision? {
        let offset = offset(of: frame.pts, in: slots[index].run)
        if let length = slots[index].length, slots[index].start != nil, offset >= length { return .end }
        guard let start = slots[index].start else {
            // The slot may follow another live source.
            if index > 0, let live = live(slots[index].location) { liveness.edge = LiveEdge(live) }
            slots[index].timing.begin(at: context.dueTime + (liveness.edge?.cushion ?? .zero) - offset)
            let length = slots[index].length ?? liveLength(of: slots[index].run)
            slots[index].setLength(length.map { offset + $0 })
            return nil
        }
        guard context.isRunning else { return nil }
        let end = start + offset + frame.length
        switch liveness.edge?.judge(
            offset: offset, due: start + offset, end: end, groupTime: context.dueTime, at: context.now)
        {
        case .move(let change)?:
            moveEdge(by: change, slot: index, context)
        case .skip? where decoding.maySkip(at: context.now):
            let over = context.dueTime + Depth.catchUp - start
            return .skip(over: over)
        case .skip?, .inTime?, nil: break
        }
        return nil
    }

    /// Returns the place of a delivered frame in a recording, on the live clock; nil if the feed is not live. A frame
    /// that this machine captures happened when it came, and is shown later. A frame from elsewhere is sung to when it
    /// is shown.
    func takePlace(of lease: Lease, pts: Time) -> Time? {
        guard let edge = liveness.edge, let index = index(of: lease), isLive(slots[index].run),
            let start = slots[index].start
        else {
            return nil
        }
        let due = start + offset(of: pts, in: slots[index].run)
        return edge.live == .captured ? due - edge.cushion : due
    }

    /// Delays the frames by the lag of their sound.
    mutating func noteSound(lag: Time, of lease: Lease, _ context: PlaybackContext) {
        guard let index = index(of: lease), let change = liveness.edge?.noteSound(lag: lag), slots[index].start != nil
        else {
            return
        }
        moveEdge(by: change, slot: index, context)
    }

    /// Called when the buffer is full. Moves a feed that has fallen back nearer to the edge. Returns true if it moved.
    mutating func approachEdge(of lease: Lease, _ context: PlaybackContext) -> Bool {
        guard context.isRunning, let index = index(of: lease),
            let change = liveness.edge?.surplus(ahead: slots[index].ahead(of: context.dueTime))
        else {
            return false
        }
        moveEdge(by: .zero - change, slot: index, context)
        return true
    }

    /// Moves the slot's times. Shown frames are not shown again, and frames that are over by then do not count as
    /// dropped.
    private mutating func moveEdge(by change: Time, slot index: Int, _ context: PlaybackContext) {
        if change > .zero { slots[index].dropFrames() }
        slots[index].timing.shift(by: change)
        // The move does not change the duration.
        if let length = slots[index].length { slots[index].setLength(length - change) }
        _ = slots[index].advance(to: context.dueTime, keeping: 0)
    }

    // MARK: how long it plays

    /// True if no other source is ever played, so that the run needs no end.
    private func playsForever(_ run: RunID) -> Bool {
        timeline.loop == .forever
            && timeline.allRuns.allSatisfy { timeline.repeats(run, $0) }
    }

    /// Duration of the run's item; nil if it plays until it ends or fails.
    func liveLength(of run: RunID) -> Time? { playsForever(run) ? nil : timeline.stillLength(of: run) }

    /// Ends a live run when its duration is over, even if its source sends nothing.
    mutating func endLive(_ context: PlaybackContext, _ effects: inout Effects) {
        guard isLive, let front = slots.first, isLive(front.run), !front.isWhole, front.length != nil,
            let end = front.end
        else { return }
        guard end <= context.dueTime else { return }
        retire(front, &effects)
        slots[0].end(id: newSlotID())
    }

    // MARK: connections

    /// Called when the connection to a live source was lost or has ended. Its frames are played, and it is reconnected
    /// unless another item follows. Returns true if it is reconnected.
    mutating func reconnectLive(
        slot index: Int, after trouble: SourceTrouble, at now: Time, _ effects: inout Effects
    ) -> Bool {
        guard index == slots.count - 1, let live = liveness.edge?.live, followsItself(slots[index].run) else {
            return false
        }
        // The sender is there, so no delay is needed.
        let wait =
            trouble == .streamChanged
            ? .zero : self.trouble.waitBeforeReconnecting(to: slots[index].location, at: now)
        let instant = now + wait
        var next = makeSlot(slots[index].run, start: nil)
        next.enter()
        next.reconnect(at: instant)
        // The duration of the item goes on.
        if let length = slots[index].length, liveLength(of: next.run) != nil {
            next.setLength(
                slots[index].start == nil ? length : max(Timeline.shortestRun, length - slots[index].decodedTo))
        }
        if slots[index].frames.isEmpty {
            next.timing.takeOver(at: slots[index].takesOverAt)
            slots[index] = next
        } else {
            slots[index].breakOff()
            next.timing.takeOver(at: slots[index].end)
            slots.append(next)
        }
        liveness.edge = LiveEdge(live)
        return true
    }

    private func followsItself(_ run: RunID) -> Bool { following(run).map { timeline.repeats(run, $0) } ?? true }
}
