import Base
import Layout

// Changes of a feed's sequence, offset or group.
extension Feed {
    /// Resumes a feed that had ended, if it has something to play.
    public func playAgain() { if phase == .ended, !timeline.items.isEmpty { phase = .playing } }

    /// Decodes the frame on screen again.
    public func decodeAgain(_ context: PlaybackContext) {
        dropSlots()
        phase = .playing
        reel.enter(context)
    }

    /// Time by which decoding may be behind a paused clock. If it is farther behind, it goes on at the clock's position.
    private static var farBehindPause: Time { .milliseconds(100) }

    /// True if the due frame of a paused clock was left out, or is far ahead of the frames that are decoded. After a jump,
    /// the feed decodes for the clock's position already.
    public func isUnsettled(_ context: PlaybackContext) -> Bool {
        let groupTime = context.dueTime
        guard phase == .playing else { return false }
        if slots.leavesOut(groupTime) { return true }
        guard context.passesDueFrames, let slot = slots.current(at: groupTime), let decoded = slot.knownTo,
            slot.refill == nil
        else { return false }
        return !slot.isWhole && slot.wasOpened && decoded + Self.farBehindPause <= groupTime
    }

    /// Decodes the due frame of a paused clock. Frames before it may have been due and not shown.
    public func decodeDue(_ context: PlaybackContext) {
        var (missed, left) = (MissedFrames(), CoursePlace?.none)
        if context.passesDueFrames, let slot = slots.current(at: context.dueTime), let start = slot.start {
            if slot.leavesOut(frameAt: context.dueTime - start) {
                missed.add(slot.unshown(before: context.dueTime - start), of: slot.run)
            } else {
                (missed, left) = reel.leave(context)
            }
        }
        decodeAgain(context)
        screen.drop(missed)
        if let left { screen.drop(reel.missed(since: left, context.group)) }
    }

    /// Enters its run again if the due frame is before the first frame that it decodes. Returns true if it did.
    public func enterEarlier(_ context: PlaybackContext) -> Bool {
        guard phase == .playing, let first = slots.first?.takesOverFrom, first > context.dueTime else { return false }
        decodeAgain(context)
        return true
    }

    /// Decodes its frames again, with other settings. The frame on the screen stays until the first new one is there.
    public func takeDecoding(_ context: PlaybackContext) {
        dropPreview()
        if !slots.isEmpty { decodeAgain(context) }
    }

    // MARK: another sequence

    /// Takes another sequence. If the item on screen is in it, the item plays on and the new order follows, unless
    /// `beginningAnew`. Otherwise the last frame stays until the first new one is there.
    public func resequence(
        _ items: [Item], _ transition: Transition, beginningAnew: Bool, because entrance: ItemBeginning,
        _ context: PlaybackContext
    ) -> [ShownItems.Change] {
        var changes: [ShownItems.Change] = []
        // True if the item on screen may play on, wherever it is in the new sequence.
        let mayKeepPlace = !beginningAnew && !context.group.isTogether
        let front = slots.first?.run
        // True if an item that a layer interrupted is about to continue.
        let comesBack = anchor.awaitsFirstFrame && slots.first.map { $0.start == nil && $0.entry > .zero } ?? false
        let next = Timeline(items: items, transition, following: timeline)
        // The layers play on, and then the sequence below them.
        let isCovered = next.layer != nil
        let staying =
            mayKeepPlace || comesBack || isCovered
            ? front.flatMap { course.placed($0, in: next) }.flatMap { next.has($0) ? $0 : nil } : nil
        // Set the reason for the next beginning. A run that plays on keeps its own reason.
        if staying == nil {
            screen.items.enter(because: entrance)
            screen.beginDue()
        }
        for slot in replaceSequence(with: next, keepingFrontAs: staying) { reel.sources.retire(slot) }
        dropPreview()
        let locations = course.locations
        reel.sources.keep(where: locations.contains)
        // Forget the facts of sources that are gone. Keep all if an interrupted item comes back, or if the feed is
        // empty and may play the same sources again.
        if !isCovered, !items.isEmpty {
            reel.sources.keepFacts(where: locations.contains)
            reel.liveness.follow(locations.contains)
        }
        reel.relearnLengths()
        if let run = slots.first?.run {
            screen.items.keep(run)
        } else {
            changes = screen.items.end(.stop)
            if !isCovered { changes += screen.items.leaveInterrupted() }
        }
        let isOver = phase == .ended
        phase = items.isEmpty ? .ended : .playing
        if let last = slots.last {
            if isOver, course.following(last.run) == nil { phase = .ended }
            if isOver, phase == .playing { resume(context) }
            return changes
        }
        reel.course.beginAnew()
        if context.group.hasStarted, mayKeepPlace { reel.course.anchor.awaitFirstFrame(at: context.position) }
        return changes
    }

    /// Plays another sequence from now on. `staying`: the run of `next` that is on the screen; nil if none is. Returns
    /// the slots that are dropped.
    private func replaceSequence(with next: Timeline, keepingFrontAs staying: RunID?) -> [Slot] {
        let before = timeline
        screen.items.noteExpected { course.expected(of: $0, sources, trouble) }
        reel.course.replaceSequence(with: next)
        reel.sources.probed = []
        // Forget the troubles of the sources, unless layers play on.
        if next.layer == nil { (trouble, reel.interrupted) = (FeedTrouble(), InterruptedRuns()) }
        let place = { (run: RunID) -> RunID? in
            if run.layer > 0 { return next.layer != nil && next.has(run) ? run : nil }
            guard let item = before.sequence.place(of: run.item, in: next.items) else { return nil }
            var placed = next.layer == nil ? run.whole : run
            placed.item = item
            return next.has(placed) ? placed : nil
        }
        for slot in reel.interrupted.slots { slot.run = place(slot.run) ?? slot.run }
        screen.resequence(showing: preview.frame, place)
        preview.forgetFrame()
        if next.items.isEmpty { screen.clear() }
        let held = reel.slots.remove(from: 0)
        seam.resequence(isLeft: staying == nil, place)
        guard let staying, !held.isEmpty else { return held }
        var following: RunID? = staying
        for slot in held {
            guard let run = following,
                slots.isEmpty
                    || (run.layer, run.isRest) == (slot.run.layer, slot.run.isRest) && run.round == slot.run.round
                        && run.segment == slot.run.segment
                        && before.item(of: slot.run)?.sequenced == next.item(of: run)?.sequenced
            else { break }
            slot.run = run
            reel.slots.append(slot)
            following = course.following(run)
        }
        reel.course.keep(slots[0])
        return Array(held[slots.count...])
    }

    /// Called when another item follows the one on screen.
    public func reconsider(_ context: PlaybackContext) {
        let run = slots.first?.run
        reel.drop(from: slots.prefix { slot in run.map(slot.run.isOfItem) ?? false }.count)
        if phase == .ended, let last = slots.last, course.following(last.run) != nil { resume(context) }
    }

    /// Resumes a feed that had ended: the item that follows plays now.
    func resume(_ context: PlaybackContext) {
        phase = .playing
        guard !context.group.isTogether, let end = slots.last?.end, end < context.position else { return }
        // The feed ended a while ago. Its end moves to the present.
        reel.slots.shift(by: context.position - end)
        seam.fadeOut = nil
        reel.course.anchor.shift(by: context.position - end)
    }

    // MARK: another place in time

    /// Moves the feed and its slots ahead of its group's clock by `nudge`.
    public func shift(by nudge: Time, _ context: PlaybackContext) {
        reel.course.anchor.shift(by: .zero - nudge)
        // The A-B loop begins with another frame now.
        if course.abLoop != nil { dropSlots() }
        reel.slots.shift(by: .zero - nudge)
        seam.shift(by: .zero - nudge)
        reel.chain(context.group)
        arrive(context, keepingBefore: .zero)
    }

    /// Begins a run now.
    public func go(to run: RunID, at groupTime: Time) {
        dropSlots()
        phase = .playing
        reel.course.anchor.awaitsFirstFrame = false
        screen.items.jump()
        reel.course.begin(itemOf: run, at: groupTime)
        reel.slots.enter(reel.makeSlot(run, start: groupTime))
    }

    /// Makes the iteration on screen count as this iteration of the group.
    public func join(iteration: Int) {
        let present = slots.first?.run.iteration ?? anchor.iteration
        reel.drop(from: slots.prefix { $0.run.iteration == present }.count)
        for slot in slots { slot.run.iteration = iteration }
        screen.becomeIteration(iteration)
        reel.course.anchor.set(iteration, at: anchor.origin)
    }

    /// Goes on independently from the beginning of its group's iteration.
    public func separate(_ context: PlaybackContext) {
        let iterations = context.group.iterations
        for slot in reel.slots.remove(beforeIteration: iterations.number) { reel.sources.retire(slot) }
        reel.course.anchor.follow(iterations)
        if let front = slots.first, front.takesOverFrom.map({ $0 > context.dueTime }) ?? true { dropSlots() }
    }
}
