import Base
import Layout
import Scene

/// A frame that was just decoded, as its pipeline describes it.
struct DecodedFrame {
    let pts: Time
    let length: Time
    /// Whole size of the upright frame, before the item's turn.
    let natural: Size
}

/// Limits for the next frame of a feed.
struct FrameBudget {
    /// The size that its largest view needs.
    let size: Size
    /// The feed's share of the layout's memory, in bytes.
    let memory: Int
    let quality: Quality
    let keeping: FrameKeeping
    /// True to pause decoding: the due frame is decoded and other pipelines are late.
    let hasTarget: Bool
}

// Decides if a frame that was just decoded is scaled, skipped or put off.
extension Feed {
    /// Called before a decoded frame is scaled.
    mutating func decide(_ frame: DecodedFrame, of lease: Lease, _ budget: FrameBudget, _ context: PlaybackContext)
        -> FrameDecision
    {
        beginLateRun(of: lease, context)
        guard let slot = slot(of: lease) else { return .drop }
        if lease.purpose == .preview { return slot.frames.isEmpty ? .scale(budget.size, .none, budget.keeping) : .end }
        let turned = frame.natural.turned(timeline.item(of: slot.run)?.turn ?? .none)
        let skips = decoding.skips(of: turned, to: budget.size, budget.quality)
        if isLive(slot.run), let index = index(of: lease), let decision = decideLive(frame, slot: index, context) {
            return decision
        }
        let rate = timeline.rate(of: slot.run)
        let offset = offset(of: frame.pts, in: slot.run)
        if let cut = slot.cut, let start = slot.start, start + offset + slot.dueTolerance >= cut {
            return isKeptForRest(of: slot, until: cut, budget, context)
                ? .scale(budget.size, skips, budget.keeping) : .end
        }
        if let refill = slot.refill {
            if context.isRunning { return .drop }
            if offset >= refill.to { return .end }
            return budget.hasTarget ? .wait(until: nil) : .scale(budget.size, skips, budget.keeping)
        }
        let end = offset + frame.length.lasting(at: rate)
        let isLast = slot.length.map { end >= $0 } ?? false
        noteLeap(to: offset, of: lease)
        if context.isRunning, !isLive(slot.run), let start = slot.start, start + end <= context.dueTime, !isLast,
            decoding.maySkip(at: context.now), !keepsABLoop(in: budget.memory)
        {
            decoding.noteSkip(at: context.now)
            if let index = index(of: lease) { slots[index].noteSkip(to: end) }
            screen.dropUndecoded(1 + leftOut(of: slot.run, length: frame.length, at: context.now))
            // Frames of the next moment would be late too.
            let over = context.dueTime + Depth.catchUp.played(at: context.rate)
            return .skip(over: timeline.segment(of: slot.run).start + (over - start).played(at: rate))
        }
        if budget.hasTarget { return .wait(until: nil) }
        if let wait = wait(lease, budget, context), !approachEdge(of: lease, context) {
            return .wait(until: context.isRunning ? context.now + wait.lasting(at: context.rate) : nil)
        }
        if context.isRunning, !isLast, decoding.leavesOutNext() {
            if let index = index(of: lease) { slots[index].noteGap() }
            screen.dropUndecoded(1 + leftOut(of: slot.run, length: frame.length, at: context.now))
            return .skip(over: nil)
        }
        decoding.noteScaled(at: context.now)
        return .scale(budget.size, skips, budget.keeping)
    }

    /// Returns the group time to wait until the slot takes another frame; nil if it takes the frame now.
    ///
    /// The front is filled up to the depth and drains by a burst before it is filled again, so frames are decoded in
    /// bursts. A back slot is warmed at once by a few frames and filled as the front drains.
    private mutating func wait(_ lease: Lease, _ budget: FrameBudget, _ context: PlaybackContext) -> Time? {
        guard let index = index(of: lease) else { return nil }
        let slot = slots[index]
        let depth = depth.played(at: context.rate)
        let most = mostFrames(budget)
        let behind = isReplayable(0) ? 0 : min(slots[0].dueIndex, Depth.keptPlaying)
        let held = slots.reduce(behind + (seam.fadeOut?.waiting ?? 0) + standing.waiting) { $0 + $1.waiting }
        let promised = index == 0 ? Depth.fewestFrames : held < most ? Depth.warmFrames : 1
        if slot.waiting < promised {
            slots[index].setFilling(true)
            return nil
        }
        // A run that fades in leaves the memory to the run before until that one is decoded.
        if index > 0, slot.fade > .zero, !slots[index - 1].isWhole {
            slots[index].setFilling(false)
            return Depth.burst / 2
        }
        let ahead = slot.ahead(of: context.dueTime)
        // Near the run's end decoding does not pause, so that the next run is warmed earlier.
        let isEnding = slot.played.map { $0 - slot.decodedTo <= Depth.burst } ?? false
        let low = isEnding ? depth : depth - Depth.burst.played(at: context.rate)
        if ahead >= depth || held >= most {
            slots[index].setFilling(false)
            let surplus = max(.milliseconds(1), ahead - low)
            return held >= most ? max(.milliseconds(10), min(surplus, ahead / 3)) : surplus
        }
        if slot.isFilling || ahead <= low {
            slots[index].setFilling(true)
            return nil
        }
        return max(.milliseconds(1), ahead - low)
    }

    /// True if a frame behind the cut of a slot is kept for the rest of its run. The pipeline decodes such frames while
    /// there is time before the cut. They are shown while the rest is decoded from its last key frame.
    private func isKeptForRest(
        of slot: Slot, until cut: Time, _ budget: FrameBudget, _ context: PlaybackContext
    ) -> Bool {
        let held = slots.reduce(standing.waiting) { $0 + $1.waiting }
        return context.isRunning && standing.holds(slot.run) && held < mostFrames(budget)
            && standing.length < Depth.usual.played(at: context.rate)
            && cut - context.dueTime > (Depth.burst / 2).played(at: context.rate)
    }

    /// Returns the feed's share of the memory in frames, of the size of the last one or of the budget's size.
    private func mostFrames(_ budget: FrameBudget) -> Int {
        let last = slots.lazy.compactMap { $0.frames.last?.frame.bytes }.last
        return max(Depth.fewestFrames, budget.memory / max(1, last ?? budget.size.width * budget.size.height * 3 / 2))
    }

    /// Returns the number of frames to keep behind the clock. While the clock runs, they take an eighth of the feed's
    /// memory at most.
    func kept(memory: @autoclosure () -> Int, _ context: PlaybackContext) -> Int {
        guard let bytes = slots.first?.frames.last?.frame.bytes else { return 0 }
        if keepsABLoop(in: memory()) { return .max }
        return context.isRunning ? min(Depth.keptPlaying, memory() / 8 / max(1, bytes)) : Depth.keptBehind
    }

    /// True if the A-B loop is decoded once and replayed, because it is short or takes at most half of the feed's
    /// memory. All its frames are then needed, also those decoded too late.
    func keepsABLoop(in memory: @autoclosure () -> Int) -> Bool {
        guard let abLoop else { return false }
        if abLoop.length <= Depth.usual { return true }
        guard let front = slots.first, let bytes = slots.lazy.compactMap({ $0.frames.last?.frame.bytes }).last,
            let length = sources.facts(of: front.location)?.frameLength, length > .zero
        else { return false }
        let frames = abLoop.length.played(at: timeline.rate(of: front.run)).ticks / length.ticks + 2
        return frames <= memory() / 2 / max(1, bytes)
    }

    // MARK: what decoders leave out

    /// Returns the number of frames that the decoder left out after this one, which lasts `length` in its source. They
    /// were due and are never shown.
    func leftOut(of run: RunID, length: Time, at now: Time) -> Int {
        guard decoding.leavesOut(at: now), let usual = sources.facts(of: timeline.segment(of: run).source)?.frameLength
        else { return 0 }
        return max(0, Int((length + usual / 2).ticks / max(1, usual.ticks)) - 1)
    }

    /// After a skip, the decoder may have resumed at a key frame. Counts the frames in between as dropped.
    private mutating func noteLeap(to offset: Time, of lease: Lease) {
        guard let index = index(of: lease), let end = slots[index].takeSkip(),
            let usual = sources.facts(of: lease.location)?.frameLength, usual > .zero
        else { return }
        let length = usual.lasting(at: timeline.rate(of: slots[index].run))
        screen.dropUndecoded(max(0, Int((offset - end + length / 2).ticks / max(1, length.ticks))))
    }
}
