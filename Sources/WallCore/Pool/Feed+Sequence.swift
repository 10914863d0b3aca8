// What follows what in a feed, and what becomes of it with another sequence.
extension Feed {
    // MARK: another sequence

    /// Plays `items` from now on. `place`: where the item on screen stands among them; nil: it does not. Answers what it
    /// lets go of.
    mutating func resequence(_ items: [Item], keepingItemAt place: Int?) -> [Slot] {
        let before = timeline
        timeline = Timeline(items: items, following: before)
        (probed, barrenPasses, trouble, said, hopeless) = ([], 0, nil, [:], [])
        (tail, presented) = (nil, nil)
        if last == nil { last = posterPicture }
        posterPicture = nil
        if let shown = last {
            last?.item = shown.item < 0 ? -1 : before.place(of: RunID(pass: 0, item: shown.item), in: items) ?? -1
        }
        if let run = lastRun { lastRun?.item = before.place(of: run, in: items) ?? 0 }
        let held = slots
        slots = []
        if items.isEmpty { (last, lastRun) = (nil, nil) }
        guard let place, var run = held.first?.run else { return held }
        run.item = place
        var next: RunID? = run
        for slot in held {
            guard let run = next, run.round == slot.run.round, run.piece == slot.run.piece,
                slots.isEmpty || before.items[slot.run.item].sequenced == items[run.item].sequenced
            else { break }
            slots.append(slot)
            slots[slots.count - 1].run = run
            next = following(run)
        }
        let (front, passed) = (slots[0], timeline.offset(of: slots[0].run))
        if let start = front.start, let passed { (pass, origin) = (run.pass, start - passed) }
        return Array(held[slots.count...])
    }

    // MARK: replay

    /// A run that is followed by itself and fits into the depth is kept whole.
    func isReplayable(_ index: Int) -> Bool {
        let slot = slots[index]
        guard slot.entry == .zero, let length = slot.length, length <= Depth.usual, length > .zero else { return false }
        return following(slot.run).map { timeline.repeats(slot.run, $0) } ?? false
    }

    /// The run after `run`, over the end of its pass too; nil when nothing follows.
    func following(_ run: RunID) -> RunID? {
        if let next = timeline.next(after: run) { return next }
        return timeline.takesPart(inPass: run.pass + 1) ? RunID(pass: run.pass + 1) : nil
    }
}
