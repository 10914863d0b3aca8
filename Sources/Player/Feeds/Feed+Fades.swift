import Base
import Layout
import Scene

// Seams that fade: the run that ends is shown under the first frames of the next one.
extension Feed {
    /// Advances the run that fades out, and ends the fade when it is over. Returns the item that has ended with it.
    mutating func advanceFadeOut(_ context: PlaybackContext, keeping behind: Int, isSeen: Bool) -> [FeedScreen
        .ItemChange]
    {
        if seam.fadeOut == nil { returnToFade(context.dueTime) }
        guard seam.fadeOut != nil else { return screen.endLeavingItem() }
        let isDue = context.isRunning && isSeen
        let dropped = seam.fadeOut?.advance(to: context.dueTime, keeping: behind) ?? 0
        if isDue { screen.dropOfFadeOut(dropped) }
        guard let over = seam.fadeOut, over.isOver(at: context.dueTime) else { return [] }
        seam.fadeOut = nil
        if context.dueTime >= over.end {
            if isDue { screen.dropOfFadeOut(over.unseen) }
            seam.history.keep(over.slot?.tail(of: behind))
        }
        return screen.endLeavingItem()
    }

    /// If the clock went back into a fade, shows the frames that were kept of the run before.
    private mutating func returnToFade(_ groupTime: Time) {
        guard let front = slots.first, let begin = front.begin, let end = front.fadeEnd, begin <= groupTime,
            groupTime < end,
            let tail = seam.history.tail
        else { return }
        seam.fadeOut = FadeOut(.run(tail), from: begin, to: end)
        seam.history.keep(nil)
    }

    /// True if the front fades in at this instant and the frames to fade out are not held.
    func lacksFade(at groupTime: Time) -> Bool {
        guard slots.count == 1 || slots[1].instant.map({ $0 > groupTime }) ?? true, let front = slots.first,
            let begin = front.begin, let end = front.fadeEnd, begin <= groupTime, groupTime < end
        else { return false }
        guard let under = seam.fadeOut?.slot ?? seam.history.tail else { return seam.fadeOut == nil }
        // The frames kept of the run begin later.
        return !under.isWhole || under.firstFrame.map { $0 > groupTime } ?? true
    }

    /// Starts a fade from the last frame of another sequence, if the transition to the new one has a length.
    fileprivate mutating func startFade(outOf last: FeedScreen.Shown, to run: RunID, at groupTime: Time) {
        let wanted = timeline.wantedTransition(before: run).length
        guard wanted > .zero else { return }
        let half = timeline.itemLength(at: run.place).map { $0 / 2 } ?? wanted
        seam.fadeOut = FadeOut(.frame(last), from: groupTime, to: groupTime + min(wanted, half))
    }

    mutating func fadeOutOfLast(to run: RunID, _ context: PlaybackContext) {
        guard timeline.fades, seam.fadeOut == nil, let last = screen.last, last.item == nil, context.group.hasStarted,
            context.isRunning
        else { return }
        startFade(outOf: last, to: run, at: context.dueTime)
    }

    /// Returns the frame under the one that is due, and its entry for the report of shown frames.
    func fade(at groupTime: Time) -> (FeedScreen.Fade?, [Output.Drawn]) {
        guard let fadeOut = seam.fadeOut, !fadeOut.isOver(at: groupTime),
            let (shown, serial) = fadeOut.frame(at: groupTime)
        else {
            return (nil, [])
        }
        let drawn = fadeOut.slot.map { Output.Drawn(feed: id, slot: $0.id, serial: serial) }
        let fade = FeedScreen.Fade(shown, of: fadeOut.slot?.run, weight: fadeOut.weight(at: groupTime))
        return (fade, drawn.map { [$0] } ?? [])
    }

    /// Returns a drawn frame of the run that fades out; nil if it is of another run or was shown before.
    func newFadeOutFrame(_ drawn: Output.Drawn) -> (slot: Slot, frame: Int)? {
        guard let slot = seam.fadeOut?.slot, slot.id == drawn.slot,
            let frame = slot.frames.firstIndex(where: { $0.serial == drawn.serial }),
            !slot.frames[frame].isShown
        else { return nil }
        return (slot, frame)
    }

    // MARK: what memory holds

    /// Limits the fade of each item so that the memory holds its frames beside the next item's, in their sizes on
    /// screen.
    mutating func limitFades(_ basis: FadeBasis, decodeSize: (Size, _ item: ItemPlace) -> Size) {
        let isOther = seam.fadeBasis != basis
        if isOther { timeline.forgetFadeLimits() }
        seam.fadeBasis = basis
        var isChanged = isOther
        for slot in slots where timeline.fadeLimit(at: slot.run.place) == nil {
            guard let facts = sources.facts(of: slot.location) else { continue }
            let size = decodeSize(facts.natural, slot.run.place)
            timeline.limitFade(
                at: slot.run.place, to: facts.longestFade(size, at: timeline.rate(of: slot.run), basis.memory))
            isChanged = true
        }
        // The run on screen keeps its place. The rest of its iteration moves.
        if isChanged, let start = slots.first?.start, let run = slots.first?.run, let passed = timeline.offset(of: run)
        {
            anchor.set(run.iteration, at: start - passed)
        }
    }
}

/// Values that determine the longest fades of a feed.
struct FadeBasis: Equatable {
    /// Memory of the feed, in bytes.
    let memory: Int
    let rects: [Rect]
}
