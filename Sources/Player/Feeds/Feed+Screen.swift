import Base
import Layout
import Scene

// The frames of a feed that are due, on screen or over.
extension Feed {
    // MARK: what is on screen

    enum Due {
        case show(slot: Int, entry: Int)
        case notYet
        case ended
    }

    /// Returns what is due. Slots that are over have been dropped before (`advance`).
    func due(at groupTime: Time) -> Due {
        if let front = slots.first, let start = front.start, front.dueIndex < front.frames.count {
            guard let instant = front.instant, instant <= groupTime || screen.last == nil else { return .notYet }
            let entry = front.frames.lastIndex { start + $0.offset <= groupTime } ?? front.dueIndex
            return .show(slot: 0, entry: entry)
        }
        if case .playing = phase, !slots.isEmpty { return slots[0].isWhole ? .ended : .notYet }
        if case .playing = phase { return .notYet }
        return .ended
    }

    /// Returns the time at which another frame follows the one on screen, in group time.
    func nextDue(after groupTime: Time) -> Time? {
        guard let front = slots.first, let start = front.start else { return nil }
        if let instant = front.instant, instant > groupTime { return instant }
        var next: Time?
        if front.dueIndex + 1 < front.frames.count { next = start + front.frames[front.dueIndex + 1].offset }
        // If two runs overlap, the later one begins before the earlier one has ended.
        let following = slots.dropFirst().first { !$0.isSkipped }
        if let following, let instant = following.instant, !following.frames.isEmpty || following.isWhole,
            next.map({ instant < $0 }) ?? true
        {
            next = max(instant, groupTime)
        }
        return next
    }

    /// True if the frame that is due is not held, so that another one is shown.
    func lacksFrame(at groupTime: Time) -> Bool {
        guard phase == .playing, hasSeat, let current = current(at: groupTime), !current.isWhole else { return false }
        if current.isRefilled(at: groupTime) { return true }
        return current.knownTo.map { $0 <= groupTime } ?? true
    }

    /// State of the feed at an instant: in its sequence, before it or after it.
    enum Presence { case plays, hasNotBegun, hasEnded }

    /// Returns `.hasEnded` for a film that has ended, or waits for others of its group, and shows its last frame.
    /// Returns `.hasNotBegun` for one that shows its first frame.
    func presence(at groupTime: Time) -> Presence {
        if phase == .ended { return .hasEnded }
        guard phase == .playing, let front = slots.first, let start = front.start else { return .plays }
        if start > groupTime { return .hasNotBegun }
        return current(at: groupTime).map { $0.isWhole && !$0.hasFailed && $0.isOver(at: groupTime) } ?? false
            ? .hasEnded : .plays
    }

    /// True if a frame is due and none can be shown: none was shown before, or the source can't be played and is
    /// retried.
    private var isBare: Bool {
        switch phase {
        case .ended: false
        case .barren, .hopeless: true
        case .playing:
            hasSeat && !playsOnlySound && (screen.last == nil || screen.dueSince != nil && trouble.latest != nil)
        }
    }

    /// True if the frame on screen is of another instant: the due frame comes later, or was left out.
    func showsAnotherInstant(at groupTime: Time) -> Bool {
        if lacksFrame(at: groupTime) { return true }
        guard let slot = current(at: groupTime), let start = slot.start,
            let place = slot.frames.lastIndex(where: { start + $0.offset <= groupTime }), place + 1 < slot.frames.count,
            let length = slot.frames[place].length
        else { return false }
        return start + slot.frames[place].offset + length + .milliseconds(1) <= groupTime
    }

    /// Returns the group time at which a frame will be missing unless more is decoded.
    func lackBegins(after groupTime: Time) -> Time? {
        guard let current = current(at: groupTime) else { return nil }
        // The next slot has no frame yet.
        if current.isWhole { return slots.lazy.compactMap(\.instant).first { $0 > groupTime } }
        return current.knownTo.flatMap { $0 > groupTime ? $0 : nil }
    }

    func current(at groupTime: Time) -> Slot? {
        slots.last { $0.instant.map { $0 <= groupTime } ?? false }
    }

    /// Drops slots and frames that are over, except the last `behind` frames, which a step back shows at once. Returns
    /// the number of frames never seen, the number of frames never decoded, and the dropped slots.
    mutating func advance(
        to groupTime: Time, keeping behind: Int, isTogether: Bool = false
    ) -> (dropped: Int, undecoded: Int, removed: [Slot]) {
        var (dropped, undecoded) = (0, 0)
        var removed: [Slot] = []
        if slots.count > 1, let current = slots.indices.last(where: { $0 > 0 && slots[$0].canTakeOver(at: groupTime) })
        {
            for index in 0..<current {
                // Frames of a fade are counted one by one.
                let isOver = index < current - 1 || slots[current].fadeEnd.map { $0 <= groupTime } ?? true
                if isOver {
                    dropped += slots[index].frames[slots[index].dueIndex...].count { !$0.isShown }
                    undecoded += notDecoded(of: slots[index])
                }
                noteCut(of: slots[index], isTogether: isTogether)
                if let shown = slots[index].frames.last { screen.show(shown, of: slots[index].run) }
            }
            removed = Array(slots[..<current])
            let before = slots[current - 1]
            slots.removeFirst(current)
            if let begin = slots[0].begin, let end = slots[0].fadeEnd, groupTime < end {
                dropped += seam.fadeOut?.unseen ?? 0
                seam.fadeOut = FadeOut(.run(before), from: begin, to: end)
                seam.history.keep(nil)
                undecoded += notDecoded(of: before)
            } else {
                seam.history.keep(before.tail(of: behind))
            }
        }
        if !slots.isEmpty {
            dropped += slots[0].advance(to: groupTime, keeping: isReplayable(0) ? Int.max : behind)
            if let tail = seam.history.tail { seam.history.keep(tail.tail(of: behind - slots[0].dueIndex)) }
        }
        return (dropped, undecoded, removed)
    }

    /// Returns the number of frames not decoded of a run that is over or fades out.
    private func notDecoded(of slot: Slot) -> Int {
        guard !slot.isWhole, !slot.isUnopened, let start = slot.start, let end = slot.end,
            let frame = sources.facts(of: slot.location)?.frameLength
        else { return 0 }
        let lasting = frame.lasting(at: timeline.rate(of: slot.run))
        return lasting > .zero ? max(0, Int((end - start - slot.decodedTo + lasting / 2).ticks / lasting.ticks)) : 0
    }

    /// Called when the clock goes back over the front's beginning. The frames kept from before it become the front
    /// again.
    mutating func takeTail(backTo groupTime: Time) {
        guard var tail = seam.fadeOut?.slot ?? seam.history.tail, tail.isWhole, let first = slots.first?.start,
            slots[0].firstFrame.map({ $0 <= first + slots[0].entry }) ?? false, let instant = tail.firstFrame,
            let end = tail.end, instant <= groupTime, groupTime < min(end, first)
        else { return }
        tail.enter()
        slots.insert(tail, at: 0)
        seam.fadeOut = nil
        seam.history.keep(nil)
    }

    /// State of a feed for a scene.
    struct ScenePart {
        let shown: FeedScreen.Shown?
        /// The frames that are due.
        let drawn: [Output.Drawn]
        /// Group time at which another frame is due, or is missing.
        let change: Time?
        /// The run that is due now.
        let run: RunID?
        let isFading: Bool
        let isOnlySound: Bool
    }

    /// Returns all in one mutating call. Each other call from the wall would copy the whole feed, which costs more than
    /// the call does.
    mutating func scenePart(_ context: PlaybackContext) -> ScenePart {
        let (shown, drawn) = frame(context)
        return ScenePart(
            shown: shown, drawn: drawn,
            change: nextDue(after: context.dueTime) ?? lackBegins(after: context.dueTime),
            run: current(at: context.dueTime)?.run, isFading: seam.fadeOut != nil, isOnlySound: playsOnlySound)
    }

    /// Returns the due frame, or the last one, or that of the preview. `drawn`: the due frame.
    private mutating func frame(_ context: PlaybackContext) -> (shown: FeedScreen.Shown?, drawn: [Output.Drawn]) {
        screen.noteDue(isBare: isBare, at: context.now)
        let isLacking = screen.last != nil && lacksFrame(at: context.dueTime)
        screen.noteLack(isLacking, isRunning: context.isRunning, at: context.now)
        // While a clock waits after a seek, the last frame stays, so that all tiles change in one present. While a
        // clock stands, no frame is shown on the way to the one that it stands at.
        let isOnTheWay = !context.isRunning && screen.lack != nil
        if context.group.isWaiting || isOnTheWay, context.group.hasStarted, let last = screen.last { return (last, []) }
        if seam.fadeOut == nil { screen.endFade() }
        if case .show(let index, let place) = due(at: context.dueTime) {
            let (slot, due) = (slots[index], slots[index].frames[place])
            fadeOutOfLast(to: slot.run, context)
            let (fade, faded) = fade(at: context.dueTime)
            screen.endLack(with: due.serial)
            screen.show(due, of: slot.run, outOf: fade)
            return (screen.last, [Output.Drawn(feed: id, slot: slot.id, serial: due.serial)] + faded)
        }
        // A sound follows the film. The film's frames are shown to their end.
        if let slot = seam.fadeOut?.slot, !slot.frames.isEmpty {
            screen.show(slot.frames[slot.dueIndex], of: slot.run)
            return (screen.last, [Output.Drawn(feed: id, slot: slot.id, serial: slot.frames[slot.dueIndex].serial)])
        }
        return (screen.last ?? preview.frame, [])
    }

    /// Returns the place of a drawn frame; nil if the frame is gone or was on the screen already.
    func newFrame(_ drawn: Output.Drawn) -> (slot: Int, frame: Int)? {
        guard let index = index(ofSlot: drawn.slot),
            let frame = slots[index].frames.firstIndex(where: { $0.serial == drawn.serial }),
            !slots[index].frames[frame].isShown || !screen.isOnScreen(drawn.serial)
        else { return nil }
        return (index, frame)
    }
}
