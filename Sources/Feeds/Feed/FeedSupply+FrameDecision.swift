import Base
import Decoded
import Layout

/// A frame that was just decoded, as its pipeline describes it.
public struct DecodedFrame {
    public let pts: Time
    public let length: Time
    /// Whole size of the upright frame, before the item's turn.
    public let natural: Size

    public init(pts: Time, length: Time, natural: Size) {
        (self.pts, self.length, self.natural) = (pts, length, natural)
    }
}

/// Limits for the next frame of a feed.
public struct FrameBudget {
    /// The size that its largest view needs.
    let size: Size
    /// The feed's share of the layout's memory, in bytes.
    let memory: Int
    let quality: Quality
    let keeping: FrameKeeping
    /// True to pause decoding: the due frame is decoded and other pipelines are late.
    let mustYieldCores: Bool

    public init(size: Size, memory: Int, quality: Quality, keeping: FrameKeeping, mustYieldCores: Bool) {
        (self.size, self.memory, self.quality) = (size, memory, quality)
        (self.keeping, self.mustYieldCores) = (keeping, mustYieldCores)
    }
}

// Decides if a frame that was just decoded is scaled, skipped or put off.
extension FeedSupply {
    /// Called before a decoded frame is scaled; for a live frame that was scaled by an expected decision, with its
    /// delivery.
    public func decide(_ frame: DecodedFrame, of lease: Lease, _ budget: FrameBudget, _ context: PlaybackContext)
        -> FrameDecision
    {
        feed.reel.awaitFirstFrameIfLate(of: lease, context)
        guard let slot = feed.slot(of: lease) else { return .returnSource }
        if lease.purpose == .preview {
            return slot.frames.isEmpty ? .deliver(budget.size, .none, budget.keeping) : .end
        }
        let turned = frame.natural.turned(feed.timeline.item(of: slot.run)?.turn ?? .none)
        // A paused frame is decoded as its source specifies.
        let skips = context.isRunning ? feed.decoding.skips(of: turned, to: budget.size, budget.quality) : .none
        // A live frame may move its slot. The decision is on the slot as the frame found it.
        let (start, length, cut, isFirst) = (slot.start, slot.length, slot.cutTime, slot.frames.isEmpty)
        if feed.reel.isLive(slot.run), let index = feed.slots.index(of: lease),
            let decision = feed.reel.decideLive(frame, slot: index, context)
        {
            return decision
        }
        let rate = feed.timeline.rate(of: slot.run)
        let offset = feed.reel.offset(of: frame.pts, in: slot.run)
        if let cut, let start, start + offset + slot.dueTolerance >= cut {
            return feed.reel.interrupted.keepsFrames(of: slot.run, behind: cut, context)
                && feed.slots.framesLeft + feed.reel.interrupted.frames < feed.slots.mostFrames(budget)
                ? .deliver(budget.size, skips, budget.keeping) : .end
        }
        if let refill = slot.refill {
            if context.isRunning { return .returnSource }
            if offset >= refill.to { return .end }
            return budget.mustYieldCores ? .wait(until: nil) : .deliver(budget.size, skips, budget.keeping)
        }
        let end = offset + frame.length.lasting(at: rate)
        let isLast = length.map { end >= $0 } ?? false
        feed.reel.endSkip(to: offset, of: lease)
        let leftOut = feed.reel.leftOut(within: frame.length, slot, at: context.now)
        if context.isRunning, !feed.reel.isLive(slot.run), let start, start + end <= context.dueTime, !isLast,
            feed.decoding.maySkip(at: context.now), !feed.reel.keepsABLoop(in: budget.memory)
        {
            feed.reel.decoding.noteSkip(at: context.now)
            slot.decoded.gaps.noteSkipped(with: leftOut, over: end)
            // Frames of the next moment would be late too.
            let over = context.dueTime + Depth.catchUp.played(at: context.rate)
            return .skip(over: feed.timeline.segment(of: slot.run).start + (over - start).played(at: rate))
        }
        if budget.mustYieldCores { return .wait(until: nil) }
        if let wait = waitForRoom(for: lease, budget, context), !feed.reel.approachEdge(of: lease, context) {
            return .wait(until: context.isRunning ? context.now + wait.lasting(at: context.rate) : nil)
        }
        // The first frame of a run is shown.
        if context.isRunning, !isLast, !isFirst, feed.reel.decoding.leaveOutNext() {
            slot.decoded.gaps.noteSkipped(with: leftOut)
            return .skip(over: nil)
        }
        slot.decoded.gaps.noteComing(leftOut)
        slot.decoded.gaps.decoderLeavesOut = skips.frames == .referenced
        feed.reel.decoding.noteScaled(before: skips, at: context.now)
        return .deliver(budget.size, skips, budget.keeping)
    }

    /// Called when a frame was delivered and the next one is decoded, but its length is not known. Returns the decision
    /// that `decide` would make on that frame if that is to deliver it, or to wait for room. nil if another decision is
    /// possible: then the pipeline asks when it needs the decision.
    ///
    /// Only a feed that is decoded well ahead of a running clock, and of which nothing is left out, is decided ahead.
    public func decideAhead(
        _ frame: DecodedFrame, of lease: Lease, _ budget: FrameBudget, _ context: PlaybackContext
    ) -> FrameDecision? {
        guard context.isRunning, !budget.mustYieldCores, let slot = feed.slots.slot(of: lease), slot.cutTime == nil,
            slot.refill == nil, let start = slot.start, !feed.reel.isLive(slot.run), !slot.gaps.decoderLeavesOut,
            !feed.decoding.leavesOutEverySecond, !feed.decoding.hasSkipped(at: context.now)
        else { return nil }
        let turned = frame.natural.turned(feed.timeline.item(of: slot.run)?.turn ?? .none)
        let skips = feed.decoding.skips(of: turned, to: budget.size, budget.quality)
        let lead = start + feed.reel.offset(of: frame.pts, in: slot.run) - context.dueTime
        guard skips.frames == .all, lead > Depth.catchUp.played(at: context.rate) else { return nil }
        if waitForRoom(for: lease, budget, context) != nil { return .wait(until: nil) }
        feed.reel.decoding.noteScaled(before: skips, at: context.now)
        return .deliver(budget.size, skips, budget.keeping)
    }

    /// Returns true if the frame after a delivered live one will probably be delivered, too. If not, the frame must not
    /// be scaled before it is decided on.
    public func expectsDelivery(by lease: Lease, _ budget: FrameBudget, _ context: PlaybackContext) -> Bool {
        guard let slot = feed.slots.slot(of: lease), feed.reel.isLive(slot.run) else { return false }
        return !feed.decoding.leavesOutEverySecond && waitForRoom(for: lease, budget, context) == nil
    }

    /// Returns the group time to wait until the slot takes another frame; nil if it takes the frame now.
    ///
    /// The front is filled up to the depth and drains by a burst before it is filled again, so frames are decoded in
    /// bursts. A back slot is warmed at once by a few frames and filled as the front drains.
    private func waitForRoom(for lease: Lease, _ budget: FrameBudget, _ context: PlaybackContext) -> Time? {
        let slots = feed.slots
        guard let index = slots.index(of: lease) else { return nil }
        let slot = slots[index], depth = feed.reel.depth.played(at: context.rate), most = slots.mostFrames(budget)
        // A front that is replayed is kept whole.
        let behind = feed.reel.isReplayable(0) ? 0 : min(slots[0].dueIndex, Depth.keptPlaying)
        let held = behind + slots.framesLeft + (feed.seam.fadeOut?.slot?.framesLeft ?? 0) + feed.reel.interrupted.frames
        let promised = index == 0 ? Depth.fewestFrames : held < most ? Depth.warmFrames : 1
        if slot.framesLeft < promised {
            slot.decoded.isFilling = true
            return nil
        }
        // A run that fades in leaves the memory to the run before until all of that run is decoded.
        if index > 0, slot.fade > .zero, !slots[index - 1].isWhole {
            slot.decoded.isFilling = false
            return Depth.burst / 2
        }
        let ahead = slot.ahead(of: context.dueTime)
        // Near the run's end decoding does not pause, so that the next run is warmed earlier.
        let isEnding = slot.played.map { $0 - slot.decodedTo <= Depth.burst } ?? false
        let low = isEnding ? depth : depth - Depth.burst.played(at: context.rate)
        if ahead >= depth || held >= most {
            slot.decoded.isFilling = false
            let surplus = max(.milliseconds(1), ahead - low)
            return held >= most ? max(.milliseconds(10), min(surplus, ahead / 3)) : surplus
        }
        if slot.decoded.isFilling || ahead <= low {
            slot.decoded.isFilling = true
            return nil
        }
        return max(.milliseconds(1), ahead - low)
    }
}
