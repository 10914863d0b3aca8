// Seams that fade: the run that ends is shown under the first frames of the one that has begun.
extension Feed {
    /// What fades goes on under the front, or is over; says which item has ended with it.
    mutating func advanceFadeOut(_ context: PlaybackContext, keeping behind: Int, isSeen: Bool) -> [FeedScreen
        .ItemChange]
    {
        if fadeOut == nil { returnToFade(context.groupTime) }
        guard fadeOut != nil else { return screen.endLeavingItem() }
        let isDue = context.isRunning && isSeen
        let dropped = fadeOut?.advance(to: context.groupTime, keeping: behind) ?? 0
        if isDue { screen.dropOfFadeOut(dropped) }
        guard let over = fadeOut, over.isOver(at: context.groupTime) else { return [] }
        fadeOut = nil
        if context.groupTime >= over.end {
            if isDue { screen.dropOfFadeOut(over.unseen) }
            history.keep(over.slot?.tail(of: behind))
        }
        return screen.endLeavingItem()
    }

    /// A clock that went back into a fade shows what was kept of the run before.
    private mutating func returnToFade(_ groupTime: Time) {
        guard let front = slots.first, let start = front.start, let end = front.fadeEnd, start <= groupTime,
            groupTime < end,
            let tail = history.tail
        else { return }
        fadeOut = FadeOut(.run(tail), from: start, to: end)
        history.keep(nil)
    }

    /// The front fades at this instant, and what it comes out of is not here.
    func lacksFade(at groupTime: Time) -> Bool {
        guard slots.count == 1 || slots[1].instant.map({ $0 > groupTime }) ?? true, let front = slots.first,
            let start = front.start, let end = front.fadeEnd, start <= groupTime, groupTime < end
        else { return false }
        guard let under = fadeOut?.slot ?? history.tail else { return fadeOut == nil }
        // What was kept of it begins later.
        return !under.isWhole || under.firstFrame.map { $0 > groupTime } ?? true
    }

    /// Another sequence begins: where its seams fade, it comes out of the frame that stayed till now.
    fileprivate mutating func startFade(outOf last: FeedScreen.Shown, to run: RunID, at groupTime: Time) {
        let wanted = timeline.wantedTransition(before: run).length
        guard wanted > .zero else { return }
        let half = timeline.itemLength(run.item).map { $0 / 2 } ?? wanted
        fadeOut = FadeOut(.frame(last), from: groupTime, to: groupTime + min(wanted, half))
    }

    mutating func fadeOutOfLast(to run: RunID, _ context: PlaybackContext) {
        guard timeline.fades, fadeOut == nil, let last = screen.last, last.item == nil, context.group.hasStarted,
            context.isRunning
        else { return }
        startFade(outOf: last, to: run, at: context.groupTime)
    }

    /// The frame under the one that is due, and what is to be told of it when it has been shown.
    func fade(at groupTime: Time) -> (FeedScreen.Fade?, [Output.Drawn]) {
        guard let fadeOut, !fadeOut.isOver(at: groupTime), let (shown, serial) = fadeOut.frame(at: groupTime) else {
            return (nil, [])
        }
        let drawn = fadeOut.slot.map { Output.Drawn(feed: id, slot: $0.id, serial: serial) }
        let fade = FeedScreen.Fade(shown, of: fadeOut.slot?.run, weight: fadeOut.weight(at: groupTime))
        return (fade, drawn.map { [$0] } ?? [])
    }

    /// A frame that was drawn is of what fades; nil: it is not, or was shown before.
    func newFadeOutFrame(_ drawn: Output.Drawn) -> (slot: Slot, frame: Int)? {
        guard let slot = fadeOut?.slot, slot.id == drawn.slot,
            let frame = slot.frames.firstIndex(where: { $0.serial == drawn.serial }),
            !slot.frames[frame].isShown
        else { return nil }
        return (slot, frame)
    }

    // MARK: what memory holds

    /// Its items can fade for as long as so much memory holds what is shown with the next one, in the sizes in which
    /// it is shown.
    mutating func limitFades(_ basis: FadeBasis, decodeSize: (Size, _ item: Int) -> Size) {
        let isOther = fadeBasis != basis
        if isOther { timeline.forgetFadeLimits() }
        fadeBasis = basis
        var isChanged = isOther
        for slot in slots where timeline.fadeLimit(ofItem: slot.run.item) == nil {
            guard let facts = sources.facts(of: slot.location) else { continue }
            let size = decodeSize(facts.natural, slot.run.item)
            timeline.limitFade(
                ofItem: slot.run.item, to: facts.longestFade(size, at: timeline.rate(of: slot.run), basis.memory))
            isChanged = true
        }
        // What is on the screen stays where it is, and the rest of its iteration lies elsewhere.
        if isChanged, let start = slots.first?.start, let run = slots.first?.run, let passed = timeline.offset(of: run)
        {
            anchor.set(run.iteration, at: start - passed)
        }
    }
}

/// What the longest fades of a feed follow from.
struct FadeBasis: Equatable {
    /// In bytes.
    let memory: Int
    let rects: [Rect]
}

extension OpenedFacts {
    /// So much of the memory is for the next item, while the end of one is held.
    private static var shareOfNext: Time { .milliseconds(300) }

    /// How long it can fade where its frames are decoded in this size, and have so much memory.
    func longestFade(_ size: Size, at rate: Rate, _ memory: Int) -> Time {
        if live != nil { return .zero }
        guard kind == .video else { return Transition.longest }
        let bytes = max(1, size.width * size.height * 3 / 2)
        let length = (frameLength ?? .milliseconds(40)).lasting(at: rate)
        let held = length * Int64(min(memory / bytes, 10_000)) - Self.shareOfNext
        return max(.zero, min(held, Transition.longest))
    }
}
