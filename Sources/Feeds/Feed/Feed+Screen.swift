import Base
import Layout

// The frames of a feed that are due, on screen or over.
extension Feed {
    // MARK: the frame on screen

    /// Returns the front, and the index of its frame that is due; nil if none is due yet, or none is left. Slots that
    /// are over have been dropped before (`advance`).
    public func dueFrame(at groupTime: Time) -> (slot: Slot, index: Int)? {
        guard let front = slots.first, let start = front.start, front.framesLeft > 0, let instant = front.takesOverFrom,
            instant <= groupTime || screen.last == nil
        else { return nil }
        return (front, front.frames.lastIndex { start + $0.offset <= groupTime } ?? front.dueIndex)
    }

    /// True if the frame that is due is held, or stays until another one is due.
    public func holdsFrame(at groupTime: Time) -> Bool {
        slots.covers(groupTime, of: course) && !slots.leavesOut(groupTime)
    }

    /// True if the frame that is due is not held, so that another one is shown.
    func lacksFrame(at groupTime: Time) -> Bool {
        guard phase == .playing, hasSeat, let current = slots.current(at: groupTime), !current.isWhole else {
            return false
        }
        if current.isRefilled(at: groupTime) { return true }
        return current.knownTo.map { $0 <= groupTime } ?? true
    }

    /// State of the feed at an instant: in its sequence, before it or after it.
    public enum Presence { case plays, hasNotBegun, hasEnded }

    /// Returns `.hasEnded` for a film that shows its last frame, because it has ended or waits for others of its group.
    /// Returns `.hasNotBegun` for a film that shows its first frame before its start.
    public func presence(at groupTime: Time) -> Presence {
        if phase == .ended { return .hasEnded }
        guard phase == .playing, let front = slots.first, let start = front.start else { return .plays }
        if start > groupTime { return .hasNotBegun }
        return slots.current(at: groupTime).map { $0.isWhole && !$0.hasFailed && $0.isOver(at: groupTime) } ?? false
            ? .hasEnded : .plays
    }

    /// True if the frame on the screen is of an item that is not in the sequence any more.
    var showsFrameOfNoItem: Bool { screen.last.map { $0.item == nil } ?? false }

    /// True if a frame is due and none can be shown: none was shown before, or the source can't be played and is
    /// retried.
    private var isBare: Bool {
        switch phase {
        case .ended: false
        case .barren, .hopeless: true
        case .playing:
            hasSeat && !playsOnlySound
                && (screen.last == nil || (screen.dueSince != nil || showsFrameOfNoItem) && trouble.latest != nil)
        }
    }

    /// True if the frame on screen is of another instant: the due frame comes later, or was left out.
    public func showsAnotherInstant(at groupTime: Time) -> Bool {
        if lacksFrame(at: groupTime) || slots.leavesOut(groupTime) { return true }
        guard let slot = slots.current(at: groupTime), let start = slot.start,
            let place = slot.frames.lastIndex(where: { start + $0.offset <= groupTime }), place + 1 < slot.frames.count,
            let length = slot.frames[place].length
        else { return false }
        return start + slot.frames[place].offset + length + .milliseconds(1) <= groupTime
    }

    /// Drops slots and frames that are over, except the last `behind` frames, which a step back shows at once. Returns
    /// the frames that were not shown, and the dropped slots.
    func advance(to groupTime: Time, keeping behind: Int, isTogether: Bool = false) -> (
        missed: MissedFrames, removed: [Slot]
    ) {
        var missed = MissedFrames()
        var removed: [Slot] = []
        if slots.count > 1, let current = slots.indices.last(where: { $0 > 0 && slots[$0].canTakeOver(at: groupTime) })
        {
            for index in 0..<current {
                // Frames of a fade are counted one by one.
                let isOver = index < current - 1 || slots[current].fadeEnd.map { $0 <= groupTime } ?? true
                if isOver {
                    let run = slots[index].run, rate = timeline.rate(of: run)
                    missed.add(sources.unshown(of: slots[index], at: rate, until: groupTime), of: run)
                }
                noteCut(of: slots[index], isTogether: isTogether)
                if let shown = slots[index].frames.last { screen.show(shown, of: slots[index].run) }
            }
            removed = reel.slots.remove(before: current)
            reel.liveness.promote(slot: slots[0].id)
            let before = removed[current - 1]
            if let unseen = seam.leave(before, for: slots[0], at: groupTime, keeping: behind) {
                missed.add(unseen)
                let undecoded = sources.notDecoded(of: before, at: timeline.rate(of: before.run))
                missed.add(undecoded: undecoded, of: before.run)
            }
        }
        if !slots.isEmpty {
            let passed = slots[0].advance(to: groupTime, keeping: reel.isReplayable(0) ? Int.max : behind)
            missed.add(passed, of: slots[0].run)
            seam.keepTail(of: behind - slots[0].dueIndex)
        }
        // A live source that is decoded before its turn keeps its newest frames.
        for index in slots.indices.dropFirst() where isLive && sources.isLive(slots[index].location) {
            _ = slots[index].advance(to: groupTime, keeping: 0)
        }
        return (missed, removed)
    }

    /// State of a feed for a scene.
    public struct ScenePart {
        public let shown: FeedShowing.Shown?
        /// The frames that are due.
        public let drawn: [DrawnFrame]
        /// Group time at which another frame is due, or is missing.
        public let change: Time?
        /// The run that is due now.
        public let run: RunID?
        public let isFading: Bool
        public let isOnlySound: Bool
    }

    /// Returns the whole state in one call.
    public func makeScenePart(_ context: PlaybackContext) -> ScenePart {
        let (shown, drawn) = showDue(context)
        return ScenePart(
            shown: shown, drawn: drawn,
            change: slots.nextDue(after: context.dueTime) ?? slots.lackBegins(after: context.dueTime),
            run: slots.current(at: context.dueTime)?.run, isFading: seam.isFading, isOnlySound: playsOnlySound)
    }

    /// Returns the due frame, else the frame shown last, else the frame of the preview. `drawn`: the due frame.
    private func showDue(_ context: PlaybackContext) -> (shown: FeedShowing.Shown?, drawn: [DrawnFrame]) {
        screen.noteDue(isBare: isBare, at: context.now)
        let isLacking = screen.last != nil && lacksFrame(at: context.dueTime)
        screen.noteLack(isLacking, isRunning: context.isRunning, patience: liveness.patience, at: context.now)
        // While a clock waits after a seek, the last frame stays, so that all tiles change in one present. While a
        // clock is paused, the frames that are decoded on the way to its position are not shown.
        let isOnTheWay = !context.isRunning && screen.lack != nil
        if context.group.isWaiting || isOnTheWay, context.group.hasStarted, let last = screen.last { return (last, []) }
        if !seam.isFading { screen.endFade() }
        if let (slot, index) = dueFrame(at: context.dueTime) {
            let due = slot.frames[index]
            if timeline.fades, !seam.isFading, let last = screen.last, last.item == nil, context.group.hasStarted,
                context.isRunning
            {
                seam.leave(last, for: slot.run, of: timeline, at: context.dueTime)
            }
            let (fade, faded) = seam.fade(at: context.dueTime, of: id)
            screen.endLack(with: due.serial)
            screen.show(due, of: slot.run, outOf: fade)
            return (screen.last, [DrawnFrame(feed: id, slot: slot.id, serial: due.serial)] + faded)
        }
        // A sound follows the film. The film's frames are shown to their end.
        if let slot = seam.fadeOut?.slot, !slot.frames.isEmpty {
            screen.show(slot.frames[slot.dueIndex], of: slot.run)
            return (screen.last, [DrawnFrame(feed: id, slot: slot.id, serial: slot.frames[slot.dueIndex].serial)])
        }
        return (screen.last ?? preview.frame, [])
    }

    /// Called when a run leaves the screen. Counts the frames that were never due because they lie before or after the
    /// iteration of its group.
    func noteCut(of slot: Slot, isTogether: Bool) {
        guard let start = slot.start, let length = slot.length, slot.cutOffset == nil,
            let facts = sources.facts(of: slot.location), facts.live == nil,
            let frame = facts.frameLength?.lasting(at: timeline.rate(of: slot.run)), frame > .zero
        else { return }
        // The source broke, and the run ended at its last frame.
        if let whole = timeline.length(of: slot.run), case let lost = whole - length, lost > frame / 2 {
            screen.items.noteLoss(Int((lost.ticks + frame.ticks / 2) / frame.ticks), of: slot.run)
        }
        let tail = slot.cutTime.map { max(.zero, start + length - max($0, start)) } ?? .zero
        var head = slot.arrival == .follows ? slot.takesOverAt.map { $0 > start ? $0 - start : .zero } ?? .zero : .zero
        // The first iteration is entered at the offset.
        if isTogether, slot.arrival == .entered, slot.entry <= anchor.offset { head = slot.entry }
        let frames = Int(min(head, length).ticks / frame.ticks) + Int(tail.ticks / frame.ticks)
        if frames > 0 { screen.items.noteCut(frames, of: slot.run) }
    }

    // MARK: presented frames

    /// A frame of a slot was presented. `isLate`: clearly after it was due.
    public func notePresented(_ frame: Int, ofSlot index: Int, isLate: Bool, at now: Time) -> (
        isSeam: Bool, changes: [ShownItems.Change]
    ) {
        let slot = slots[index]
        slot.decoded.notePresented(frame)
        return screen.notePresented(
            slot.frames[frame], of: slot, still: screen.still(of: slot, in: timeline),
            resuming: course.resumed(by: slot.run), isCutting: interrupts(slot.run), isFading: seam.isFading,
            isLate: isLate, at: now)
    }

    /// A frame of the item that a fade takes off the screen was presented.
    public func notePresentedLeaving(_ frame: Int, isLate: Bool) {
        seam.fadeOut?.slot?.decoded.notePresented(frame)
        screen.notePresentedLeaving(isLate: isLate)
    }

    // MARK: sound

    /// The sound of an item without frames is heard, or can't be.
    public func noteSound(_ sound: FeedShowing.Sound, of source: String, restsSince: Time?, at now: Time) {
        if sound == .heard, trouble.trouble(of: source) != nil { trouble.noteFrame(of: source) }
        screen.noteSound(sound, restsSince: restsSince, at: now)
    }

    /// Keeps slots that are over, since their sound is heard up to `lag` after its instant.
    func keepSound(of slots: [Slot], lag: Time, _ context: PlaybackContext) {
        let kept = context.dueTime - (lag + .milliseconds(100)).played(at: context.rate)
        seam.keepSound(
            of: slots.compactMap { sources.heardRun($0, of: timeline) }, since: kept, groupTime: context.dueTime)
    }

    /// Runs with a known beginning. Runs that failed are silent.
    public var heardRuns: [HeardRun] {
        let runs = slots.compactMap { sources.heardRun($0, of: timeline) }
        let begin = runs.first?.sound.start ?? .distantFuture
        return seam.heard.filter { $0.sound.start < begin } + runs
    }
}
