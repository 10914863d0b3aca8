import Base
import Layout

// Finds if a feed holds the frame that its clock jumps to, and where jumps and steps lead.
extension Feed {
    /// Called when the clock jumped. Keeps the slots if they cover the new instant. `lead`: time before the instant
    /// for which frames are needed too.
    public func arrive(_ context: PlaybackContext, keepingBefore lead: Time) {
        settleABLoop(context.group)
        playAgain()
        let groupTime = context.dueTime
        guard phase == .playing, hasSeat || !slots.isEmpty else { return }
        if !slots.covers(groupTime, of: course), let tail = seam.takeTail(before: slots, backTo: groupTime) {
            reel.slots.enter(before: tail)
        }
        if holdsFrame(at: groupTime), !seam.lacksFade(at: groupTime, into: slots) {
            if lead > .zero { reel.refill(at: groupTime) }
            return
        }
        if slots.current(at: groupTime)?.isRefilled(at: groupTime) ?? false { return }
        // After a jump, only a sequence that starts at its beginning still waits for its first frame.
        if let front = slots.first, front.start == nil, front.entry > .zero {
            reel.course.anchor.awaitsFirstFrame = false
        }
        dropSlots()
        screen.items.jump()
        reel.enter(context)
        // The frames before the instant are needed too.
        if lead > .zero { for slot in slots { slot.moveEntry(to: max(.zero, slot.entry - lead)) } }
    }

    /// True if the frame due at the clock's position was shown. While the user goes on seeking, a decoded frame is
    /// shown first.
    public func hasShown(_ groupTime: Time) -> Bool {
        // A sound has no frame to be shown.
        guard hasSeat, phase == .playing, slots.first?.isSound != true else { return true }
        guard holdsFrame(at: groupTime) else { return false }
        return dueFrame(at: groupTime).map { $0.slot.frames[$0.index].isPresented } ?? true
    }

    /// Returns the times between which the frame that is due at `groupTime` is shown; nil if that frame is not held.
    public func timesOfFrame(at groupTime: Time) -> (begin: Time, end: Time)? {
        guard slots.covers(groupTime, of: course), let (slot, index) = dueFrame(at: groupTime), let start = slot.start
        else { return nil }
        let offset = groupTime - start
        let begin = slot.beginning(ofFrameAt: offset) ?? slot.frames[index].offset
        let next = slot.beginning(after: max(offset, begin)) ?? slot.decodedTo
        return (start + begin, slot.end.map { min($0, start + next) } ?? start + next)
    }

    /// The item on screen, or the item that is heard without a frame, with all its segments, in group time.
    public var itemOnScreen: Range<Time>? {
        guard let front = slots.first, let start = front.start, screen.last != nil || front.isSound,
            let length = timeline.itemLength(at: front.run.place), length > .zero
        else { return nil }
        let before = timeline.length(ofSegmentsBefore: front.run)
        return start - before..<start - before + length
    }

    // MARK: changes of the clock

    /// Plans the slots for the A-B loop of the group. The run that plays when the A-B loop ends goes on playing.
    public func settleABLoop(_ group: Group) {
        if course.abLoop == group.abLoop { return }
        reel.course.abLoop = group.abLoop
        if course.abLoop != nil || slots.first.map({ $0.abIteration != 0 }) ?? true { return dropSlots() }
        reel.drop(from: slots.prefix { $0.abIteration == 0 }.count)
        reel.slots[reel.slots.count - 1].reopen()
        reel.chain(group)
    }

    /// Shifts the slots back by `abIterations` iterations of the A-B loop, after the group's clock was set back as far.
    public func setBack(abIterations: Int) {
        guard let abLoop = course.abLoop else { return }
        let change = abLoop.length * Int64(abIterations)
        reel.slots.shift(by: .zero - change)
        for slot in slots { slot.timing.abIteration -= abIterations }
        seam.shift(by: .zero - change)
    }

    /// Shifts the feed back by `change`, after the group's clock was set back as far.
    public func setBack(by change: Time) {
        reel.course.anchor.shift(by: .zero - change)
        reel.slots.shift(by: .zero - change)
        seam.shift(by: .zero - change)
    }

    /// Shifts the slots by `change` after a change of the clock, which is at `groupTime` now.
    public func move(by change: Time, to groupTime: Time) {
        reel.slots.shift(by: change)
        seam.changeClock(by: change)
        // An interrupted run that resumes after a live source starts when its first frame is decoded.
        guard !isLive, !anchor.awaitsFirstFrame, let front = slots.first, front.start == nil else { return }
        // The front has no start, because its source was live at the last connection.
        reel.slots[0].timing.start = groupTime
        reel.slots[0].timing.takesOverAt = nil
        reel.course.begin(itemOf: front.run, at: groupTime)
    }
}
