// What becomes of a feed with another sequence, another offset, or another group.
extension Feed {
    /// It had ended, and has something to play.
    mutating func playAgain() { if phase == .ended, !timeline.items.isEmpty { phase = .playing } }

    /// From the group's beginning on, once more.
    mutating func beginAnew() { anchor.reset() }

    /// What is on the screen is decoded once more.
    mutating func decodeAgain(_ context: PlaybackContext, _ effects: inout Effects) {
        dropSlots(&effects)
        phase = .playing
        enter(context)
    }

    // MARK: another sequence

    /// How often it is played, and what follows an item that can't be.
    mutating func follow(_ layout: TileLayout) { (timeline.loop, onError) = (layout.loop, layout.onError) }

    /// Another sequence: an item on screen that is in it plays on, and the new order follows, unless all of it begins
    /// anew; else the last frame stays until the new first one is there.
    mutating func resequence(
        _ items: [Item], _ transition: Transition, beginningAnew: Bool, because entrance: ItemBeginning,
        placing: ((RunID) -> RunID?)? = nil,
        _ context: PlaybackContext, _ effects: inout Effects
    ) -> [FeedScreen.ItemChange] {
        var changes: [FeedScreen.ItemChange] = []
        let isAnywhere = !beginningAnew && !context.group.isTogether
        let front = slots.first?.run
        // What a break interrupted is about to go on.
        let comesBack = anchor.awaitsFirstFrame && slots.first.map { $0.start == nil && $0.entry > .zero } ?? false
        var staying =
            placing.map { placing in front.flatMap(placing) }
            ?? (isAnywhere || comesBack ? front.flatMap { placed($0, in: items) } : nil)
        if let run = staying, !Self.holds(run, items) { staying = nil }
        // What plays on began for its own reason.
        if staying == nil {
            screen.enter(because: entrance)
            screen.beginDue()
        }
        for slot in take(items, transition, keepingFrontAs: staying, placing) { retire(slot, &effects) }
        dropPreview(&effects)
        let locations = Set(items.flatMap { $0.segments.map(\.source) })
        sources.keep(where: locations.contains, &effects)
        // What a break interrupts comes back; what is emptied may be about to play the same again.
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

    /// Where the same item stands among others.
    private func placed(_ run: RunID, in items: [Item]) -> RunID? {
        timeline.place(of: run, in: items).map {
            RunID(iteration: run.iteration, item: $0, round: run.round, segment: run.segment)
        }
    }

    /// Plays `items` from now on. `staying`: which run of theirs is on the screen; nil: none. Answers what it lets go of.
    private mutating func take(
        _ items: [Item], _ transition: Transition, keepingFrontAs staying: RunID?, _ placing: ((RunID) -> RunID?)?
    ) -> [Slot] {
        let before = timeline
        screen.noteDue(screen.item.map(due), ofLeaving: screen.leavingItem.map(due))
        timeline = Timeline(items: items, transition, following: before)
        sources.forgetProbes()
        // A break that comes and goes makes nothing whole.
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

    /// What follows the item on screen is another.
    mutating func reconsider(_ context: PlaybackContext, _ effects: inout Effects) {
        let item = slots.first.map { ($0.run.iteration, $0.run.item) }
        dropSlots(from: slots.prefix { ($0.run.iteration, $0.run.item) == item ?? (0, 0) }.count, &effects)
        if phase == .ended, let front = slots.last, following(front.run) != nil { goOn(context) }
    }

    /// A feed that had ended goes on now with what follows.
    private mutating func goOn(_ context: PlaybackContext) {
        phase = .playing
        guard !context.group.isTogether, let end = slots.last?.end, end < context.position else { return }
        // It ended a while ago: its end is now.
        for index in slots.indices { slots[index].shift(by: context.position - end) }
        fadeOut = nil
        anchor.shift(by: context.position - end)
    }

    // MARK: another place in time

    /// So much further ahead of its group's clock; what it holds moves along.
    mutating func shift(by nudge: Time, _ context: PlaybackContext, _ effects: inout Effects) {
        anchor.shift(by: .zero - nudge)
        // Its A-B loop begins with another frame.
        if abLoop != nil { dropSlots(&effects) }
        for index in slots.indices { slots[index].shift(by: .zero - nudge) }
        history.shift(by: .zero - nudge)
        fadeOut?.shift(by: .zero - nudge)
        chain(context.group)
        arrive(context, entering: .zero, &effects)
    }

    /// It begins a run now.
    mutating func go(to run: RunID, at groupTime: Time, _ effects: inout Effects) {
        dropSlots(&effects)
        phase = .playing
        anchor.endAwaiting()
        screen.jump()
        anchor.set(run.iteration, at: groupTime - timeline.start(ofItem: run.item))
        slots = [makeSlot(run, start: groupTime)]
        slots[0].enter()
    }

    /// What it plays is the group's iteration from now on.
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

    /// It goes on by itself from the beginning of its group's iteration.
    mutating func separate(_ context: PlaybackContext, _ effects: inout Effects) {
        let iterations = context.group.iterations
        for slot in slots where slot.run.iteration < iterations.number { retire(slot, &effects) }
        slots.removeAll { $0.run.iteration < iterations.number }
        anchor.follow(iterations)
        if let front = slots.first, front.instant.map({ $0 > context.groupTime }) ?? true { dropSlots(&effects) }
    }
}
