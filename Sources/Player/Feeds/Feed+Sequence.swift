import Base
import Layout

// Changes of a feed's sequence, offset or group.
extension Feed {
    /// Resumes a feed that had ended, if it has something to play.
    mutating func playAgain() { if phase == .ended, !timeline.items.isEmpty { phase = .playing } }

    /// Returns to the group's beginning.
    mutating func beginAnew() { anchor.reset() }

    /// Decodes the frame on screen again.
    mutating func decodeAgain(_ context: PlaybackContext, _ effects: inout Effects) {
        dropSlots(&effects)
        phase = .playing
        enter(context)
    }

    // MARK: another sequence

    /// Takes the loop and the error rule from the layout.
    mutating func follow(_ layout: TileLayout) { (timeline.loop, onError) = (layout.loop, layout.onError) }

    /// Takes another sequence. If the item on screen is in it, the item plays on and the new order follows, unless
    /// `beginningAnew`. Otherwise the last frame stays until the first new one is there.
    mutating func resequence(
        _ items: [Item], _ transition: Transition, beginningAnew: Bool, because entrance: ItemBeginning,
        _ context: PlaybackContext, _ effects: inout Effects
    ) -> [FeedScreen.ItemChange] {
        var changes: [FeedScreen.ItemChange] = []
        let isAnywhere = !beginningAnew && !context.group.isTogether
        let front = slots.first?.run
        // True if an item that a break interrupted is about to continue.
        let comesBack = anchor.awaitsFirstFrame && slots.first.map { $0.start == nil && $0.entry > .zero } ?? false
        let next = Timeline(items: items, transition, following: timeline)
        // What is on top plays on, and then what is below it.
        let isCovered = next.top != nil
        let staying =
            isAnywhere || comesBack || isCovered
            ? front.flatMap { placed($0, in: next) }.flatMap { next.has($0) ? $0 : nil } : nil
        // A run that plays on keeps the reason for which it began.
        if staying == nil {
            screen.enter(because: entrance)
            screen.beginDue()
        }
        for slot in take(next, keepingFrontAs: staying) { retire(slot, &effects) }
        dropPreview(&effects)
        let locations = locations
        sources.keep(where: locations.contains, &effects)
        // An interrupted item comes back, and an emptied feed may play the same sources again: their facts are kept.
        if !isCovered, !items.isEmpty {
            sources.keepFacts(where: locations.contains)
            liveness.follow(locations.contains)
        }
        relearnLengths()
        if let run = slots.first?.run {
            screen.goOn(with: run)
        } else {
            changes = screen.endItem(.stop)
        }
        let isOver = phase == .ended
        phase = items.isEmpty ? .ended : .playing
        if let front = slots.last {
            if isOver, following(front.run) == nil { phase = .ended }
            if isOver, phase == .playing { goOn(context) }
            return changes
        }
        anchor.reset()
        if context.group.hasStarted, isAnywhere { anchor.awaitFirstFrame(at: context.position) }
        return changes
    }

    /// Sources of the sequence and of what is on top.
    private var locations: Set<String> { Set(timeline.allRuns.map { timeline.segment(of: $0).source }) }

    /// Returns the place of the run's item in another sequence, or on top of that.
    private func placed(_ run: RunID, in other: Timeline) -> RunID? {
        if run.part == .top { return other.top == nil ? nil : run }
        guard let item = timeline.place(of: run, in: other.items) else { return nil }
        var placed = other.top == nil ? run.whole : run
        placed.item = item
        return placed
    }

    /// Plays another sequence from now on. `staying`: its run that is on the screen; nil if none is. Returns the slots
    /// that are dropped.
    private mutating func take(_ next: Timeline, keepingFrontAs staying: RunID?) -> [Slot] {
        let before = timeline
        screen.noteDue(screen.item.map(due), ofLeaving: screen.leavingItem.map(due))
        timeline = next
        sources.forgetProbes()
        // The sources of what plays on are not repaired, so their troubles stay.
        if next.top == nil { (trouble, standing) = (FeedTrouble(), StandingRun()) }
        seam.history.keep(nil)
        let place = { (run: RunID) -> RunID? in
            if run.part == .top { return next.top != nil && next.has(run) ? run : nil }
            guard let item = before.place(of: run.item, in: next.items) else { return nil }
            var placed = next.top == nil ? run.whole : run
            placed.item = item
            return next.has(placed) ? placed : nil
        }
        screen.resequence(showing: preview.frame, place)
        anchor.forgetDelay()
        preview.forgetFrame()
        if next.items.isEmpty { screen.clear() }
        let held = slots
        slots = []
        let isLeft = staying == nil || !(seam.fadeOut?.resequence(place) ?? false)
        if isLeft { seam.fadeOut = nil }
        guard let staying, !held.isEmpty else { return held }
        var following: RunID? = staying
        for slot in held {
            guard let run = following,
                slots.isEmpty
                    || run.part == slot.run.part && run.round == slot.run.round && run.segment == slot.run.segment
                        && before.item(of: slot.run)?.sequenced == next.item(of: run)?.sequenced
            else { break }
            var kept = slot
            kept.become(run)
            slots.append(kept)
            following = self.following(run)
        }
        if let start = slots[0].start, let passed = timeline.offset(of: slots[0].run) {
            anchor.set(staying.iteration, at: start - passed)
        }
        return Array(held[slots.count...])
    }

    /// Called when another item follows the one on screen.
    mutating func reconsider(_ context: PlaybackContext, _ effects: inout Effects) {
        let item = slots.first?.run
        dropSlots(from: slots.prefix { slot in item.map(slot.run.isOfItem) ?? false }.count, &effects)
        if phase == .ended, let front = slots.last, following(front.run) != nil { goOn(context) }
    }

    /// Resumes a feed that had ended: the item that follows plays now.
    mutating func goOn(_ context: PlaybackContext) {
        phase = .playing
        guard !context.group.isTogether, let end = slots.last?.end, end < context.position else { return }
        // The feed ended a while ago. Its end moves to the present.
        for index in slots.indices { slots[index].timing.shift(by: context.position - end) }
        seam.fadeOut = nil
        anchor.shift(by: context.position - end)
    }

    // MARK: another place in time

    /// Moves the feed and its slots ahead of its group's clock by `nudge`.
    mutating func shift(by nudge: Time, _ context: PlaybackContext, _ effects: inout Effects) {
        anchor.shift(by: .zero - nudge)
        // The A-B loop begins with another frame now.
        if abLoop != nil { dropSlots(&effects) }
        for index in slots.indices { slots[index].timing.shift(by: .zero - nudge) }
        seam.history.shift(by: .zero - nudge)
        seam.fadeOut?.shift(by: .zero - nudge)
        chain(context.group)
        arrive(context, entering: .zero, &effects)
    }

    /// Begins a run now.
    mutating func go(to run: RunID, at groupTime: Time, _ effects: inout Effects) {
        dropSlots(&effects)
        phase = .playing
        anchor.endAwaiting()
        screen.jump()
        anchor.set(run.iteration, at: groupTime - timeline.start(ofItemOf: run))
        slots = [makeSlot(run, start: groupTime)]
        slots[0].enter()
    }

    /// Makes the iteration on screen count as this iteration of the group.
    mutating func join(iteration: Int, _ effects: inout Effects) {
        let present = slots.first?.run.iteration ?? anchor.iteration
        dropSlots(from: slots.prefix { $0.run.iteration == present }.count, &effects)
        for index in slots.indices {
            var run = slots[index].run
            run.iteration = iteration
            slots[index].become(run)
        }
        screen.becomeIteration(iteration)
        anchor.set(iteration, at: anchor.origin)
    }

    /// Goes on independently from the beginning of its group's iteration.
    mutating func separate(_ context: PlaybackContext, _ effects: inout Effects) {
        let iterations = context.group.iterations
        for slot in slots where slot.run.iteration < iterations.number { retire(slot, &effects) }
        slots.removeAll { $0.run.iteration < iterations.number }
        anchor.follow(iterations)
        if let front = slots.first, front.instant.map({ $0 > context.dueTime }) ?? true { dropSlots(&effects) }
    }
}
