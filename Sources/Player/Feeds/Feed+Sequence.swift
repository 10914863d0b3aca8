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
        placing: ((RunID) -> RunID?)? = nil,
        _ context: PlaybackContext, _ effects: inout Effects
    ) -> [FeedScreen.ItemChange] {
        var changes: [FeedScreen.ItemChange] = []
        let isAnywhere = !beginningAnew && !context.group.isTogether
        let front = slots.first?.run
        // True if an item that a break interrupted is about to continue.
        let comesBack = anchor.awaitsFirstFrame && slots.first.map { $0.start == nil && $0.entry > .zero } ?? false
        var staying =
            placing.map { placing in front.flatMap(placing) }
            ?? (isAnywhere || comesBack ? front.flatMap { placed($0, in: items) } : nil)
        if let run = staying, !Self.holds(run, items) { staying = nil }
        // A run that plays on keeps the reason for which it began.
        if staying == nil {
            screen.enter(because: entrance)
            screen.beginDue()
        }
        for slot in take(items, transition, keepingFrontAs: staying, placing) { retire(slot, &effects) }
        dropPreview(&effects)
        let locations = Set(items.flatMap { $0.segments.map(\.source) })
        sources.keep(where: locations.contains, &effects)
        // An interrupted item comes back, and an emptied feed may play the same sources again: their facts are kept.
        if placing == nil, !items.isEmpty {
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

    private static func holds(_ run: RunID, _ items: [Item]) -> Bool {
        items.indices.contains(run.item) && items[run.item].segments.indices.contains(run.segment)
    }

    /// Returns the place of the run's item in another sequence.
    private func placed(_ run: RunID, in items: [Item]) -> RunID? {
        timeline.place(of: run, in: items).map {
            RunID(iteration: run.iteration, item: $0, round: run.round, segment: run.segment)
        }
    }

    /// Plays `items` from now on. `staying`: their run that is on the screen; nil if none is. Returns the slots that
    /// are dropped.
    private mutating func take(
        _ items: [Item], _ transition: Transition, keepingFrontAs staying: RunID?, _ placing: ((RunID) -> RunID?)?
    ) -> [Slot] {
        let before = timeline
        screen.noteDue(screen.item.map(due), ofLeaving: screen.leavingItem.map(due))
        timeline = Timeline(items: items, transition, following: before)
        sources.forgetProbes()
        // A break does not repair sources, so their troubles stay.
        if placing == nil { trouble = FeedTrouble() }
        history.keep(nil)
        let place = { (run: RunID) -> RunID? in
            let placed =
                placing.map { $0(run) }
                ?? before.place(of: run.item, in: items).map {
                    RunID(iteration: run.iteration, item: $0, round: run.round, segment: run.segment)
                }
            return placed.flatMap { Self.holds($0, items) ? $0 : nil }
        }
        screen.resequence(showing: preview.frame, place)
        forgetDelay()
        preview.forgetFrame()
        if items.isEmpty { screen.clear() }
        let held = slots
        slots = []
        let isLeft = staying == nil || !(fadeOut?.resequence(place) ?? false)
        if isLeft { fadeOut = nil }
        guard let staying, !held.isEmpty else { return held }
        var next: RunID? = staying
        for slot in held {
            guard let run = next,
                slots.isEmpty
                    || run.round == slot.run.round && run.segment == slot.run.segment
                        && before.items[slot.run.item].sequenced == items[run.item].sequenced
            else { break }
            var kept = slot
            kept.become(run)
            slots.append(kept)
            next = following(run)
        }
        if let start = slots[0].start, let passed = timeline.offset(of: slots[0].run) {
            anchor.set(staying.iteration, at: start - passed)
        }
        return Array(held[slots.count...])
    }

    /// Called when another item follows the one on screen.
    mutating func reconsider(_ context: PlaybackContext, _ effects: inout Effects) {
        let item = slots.first.map { ($0.run.iteration, $0.run.item) }
        dropSlots(from: slots.prefix { ($0.run.iteration, $0.run.item) == item ?? (0, 0) }.count, &effects)
        if phase == .ended, let front = slots.last, following(front.run) != nil { goOn(context) }
    }

    /// Resumes a feed that had ended: the item that follows plays now.
    private mutating func goOn(_ context: PlaybackContext) {
        phase = .playing
        guard !context.group.isTogether, let end = slots.last?.end, end < context.position else { return }
        // The feed ended a while ago. Its end moves to the present.
        for index in slots.indices { slots[index].shift(by: context.position - end) }
        fadeOut = nil
        anchor.shift(by: context.position - end)
    }

    // MARK: another place in time

    /// Moves the feed and its slots ahead of its group's clock by `nudge`.
    mutating func shift(by nudge: Time, _ context: PlaybackContext, _ effects: inout Effects) {
        anchor.shift(by: .zero - nudge)
        // The A-B loop begins with another frame now.
        if abLoop != nil { dropSlots(&effects) }
        for index in slots.indices { slots[index].shift(by: .zero - nudge) }
        history.shift(by: .zero - nudge)
        fadeOut?.shift(by: .zero - nudge)
        chain(context.group)
        arrive(context, entering: .zero, &effects)
    }

    /// Begins a run now.
    mutating func go(to run: RunID, at groupTime: Time, _ effects: inout Effects) {
        dropSlots(&effects)
        phase = .playing
        anchor.endAwaiting()
        screen.jump()
        anchor.set(run.iteration, at: groupTime - timeline.start(ofItem: run.item))
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
