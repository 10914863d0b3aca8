import Base
import Decoded
import Layout

// Live sources have no length. They are played near their edge by a clock without seeks, and reconnected in place.
extension Reel {
    var isLive: Bool { liveness.edge != nil }

    /// True if the run is of a live source and follows the live clock.
    public func isLive(_ run: RunID) -> Bool { isLive && sources.live(timeline.segment(of: run).source) != nil }

    /// True if the front is live, or may turn out to be live when it is open.
    var mayBeLive: Bool {
        guard let front = slots.first, sources.facts(of: front.location) == nil else { return isLive }
        return SourceName.isPushed(front.location)
    }

    /// Switches to the other clock of the group.
    public func changeClock() {
        guard !isLive else {
            liveness.end()
            return
        }
        guard let front = slots.first, let live = sources.live(front.location) else { return }
        liveness.edge = LiveEdge(live)
        course.anchor.awaitsFirstFrame = false
        // The slots after the front were planned before its source was known to be live. They are planned again when
        // the front is over.
        drop(from: 1)
        guard front.frames.isEmpty, !front.isWhole else {
            let first = front.frames.first?.offset ?? .zero
            if !front.isWhole { slots[0].timing.length = course.liveLength(of: front.run).map { first + $0 } }
            return
        }
        // Nothing of the run is decoded yet, so the run starts when its first frame is decoded.
        slots[0].timing.start = nil
        slots[0].moveEntry(to: .zero)
        slots[0].timing.takesOverAt = -.distantFuture
    }

    // MARK: frames

    /// Places a live frame near the edge. Returns the decision on it; nil if it is treated like other frames.
    func decideLive(_ frame: DecodedFrame, slot index: Int, _ context: PlaybackContext) -> FrameDecision? {
        let offset = offset(of: frame.pts, in: slots[index].run)
        if let length = slots[index].length, slots[index].start != nil, offset >= length,
            index > 0 || !turns.playsOn(context)
        {
            return .end
        }
        let (source, slot) = (slots[index].location, slots[index].id)
        if let facts = sources.facts(of: source), facts.live == .listed,
            !liveness.admit(facts.origin + Int128(frame.pts.ticks), of: source, slot: slot, at: context.now)
        {
            return .skip(over: nil)
        }
        guard let start = slots[index].start else {
            turns.beginLive(slot: index, at: offset, context)
            return nil
        }
        guard context.isRunning else { return nil }
        let end = start + offset + frame.length
        let verdict = liveness[edgeOfSlot: slot]?.judge(
            offset: offset, due: start + offset, end: end, groupTime: context.dueTime, at: context.now)
        switch verdict {
        case .move(let change)?: moveEdge(by: change, slot: index, context)
        case .skip? where decoding.maySkip(at: context.now):
            let over = context.dueTime + Depth.catchUp - start
            return .skip(over: over)
        case .skip?, .inTime?, nil: break
        }
        return nil
    }

    /// Returns the place of a delivered frame in a recording, on the live clock; nil if the feed is not live. For a
    /// captured source, the place is the time at which the frame arrived, before it is shown. For any other source, the
    /// place is the time at which the frame is shown, since the singer sings to the shown frame.
    public func takePlace(of lease: Lease, pts: Time) -> Time? {
        guard let edge = liveness.edge, let index = slots.index(of: lease), isLive(slots[index].run),
            slots[..<index].allSatisfy(\.isWhole), let start = slots[index].start
        else { return nil }
        let due = start + offset(of: pts, in: slots[index].run)
        return edge.live == .captured ? due - edge.cushion : due
    }

    /// A frame of the slot was presented. `live`: time of the live clock of `group`. Returns the wall time since when
    /// the slot's source was away; nil if the source was not away.
    public func noteLiveFrame(of slot: Slot, live: Time, of group: GroupID, at now: Time) -> Time? {
        let since = liveness.comeBack(with: slot)
        if sources.isKnownLive(slot.location) || sources.isPolled(slot.location) {
            liveness.notePresented(Liveness.Frame(source: slot.location, now: now, live: live, group: group))
        }
        return since
    }

    /// Delays the frames by the lag of their sound.
    public func noteSound(lag: Time, of lease: Lease, _ context: PlaybackContext) {
        guard let index = slots.index(of: lease), let change = liveness[edgeOfSlot: lease.slot]?.noteSound(lag: lag),
            slots[index].start != nil
        else { return }
        moveEdge(by: change, slot: index, context)
    }

    /// Shows the frames of a live slot later, or earlier if `change` is negative. A slot that is decoded ahead comes on
    /// the screen when it was to come.
    private func moveEdge(by change: Time, slot index: Int, _ context: PlaybackContext) {
        let takesOverAt = slots[index].takesOverAt
        slots[index].moveEdge(by: change, to: context.dueTime)
        if index > 0 { slots[index].timing.takesOverAt = takesOverAt }
    }

    /// The sound of the feed is to be heard: its frames wait for it.
    public func hear(_ context: PlaybackContext) {
        guard let change = liveness.edge?.hear(),
            let slot = slots.last(where: { $0.start != nil && isLive($0.run) })
        else { return }
        slot.moveEdge(by: change, to: context.dueTime)
    }

    /// Called when the buffer is full. Moves a feed that has fallen back nearer to the edge. Returns true if it moved.
    func approachEdge(of lease: Lease, _ context: PlaybackContext) -> Bool {
        guard context.isRunning, let index = slots.index(of: lease),
            let change = liveness[edgeOfSlot: lease.slot]?.surplus(ahead: slots[index].ahead(of: context.dueTime))
        else { return false }
        moveEdge(by: .zero - change, slot: index, context)
        return true
    }

    // MARK: the end

    /// Group time at which the duration of the live front is over; nil if the front is finite or plays until it fails.
    var endOfLiveRun: Time? {
        guard isLive, let front = slots.first, isLive(front.run), !front.isWhole, front.length != nil else {
            return nil
        }
        return front.end
    }
}
