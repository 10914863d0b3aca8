import Base
import Layout
import Scene

// Finds if a feed holds the frame that its clock jumps to, and where jumps and steps lead.
extension Feed {
    /// Called when the clock jumped. Keeps the slots if they cover the new instant. `lead`: time before the instant
    /// for which frames are needed too.
    public mutating func arrive(_ context: PlaybackContext, keepingBefore lead: Time, _ effects: inout Effects) {
        settleABLoop(context.group, &effects)
        playAgain()
        let groupTime = context.dueTime
        guard phase == .playing, hasSeat || !slots.isEmpty else { return }
        if !slots.covers(groupTime, of: course),
            let tail = seam.takeTail(before: slots, backTo: groupTime)
        {
            reel.slots.enter(before: tail)
        }
        if holdsFrame(at: groupTime), !seam.lacksFade(at: groupTime, into: slots) {
            if lead > .zero { reel.refill(at: groupTime, &effects) }
            return
        }
        if slots.refills(groupTime) { return }
        // After a jump, only a sequence that starts at its beginning still waits for its first frame.
        if let front = slots.first, front.start == nil, front.entry > .zero { reel.course.endAwaiting() }
        dropSlots(&effects)
        screen.items.jump()
        reel.enter(context)
        guard lead > .zero else { return }
        reel.slots.enterEarlier(by: lead)
    }

    /// True if the frame due at the clock's position was shown. While the user goes on seeking, a decoded frame is
    /// shown first.
    public func hasShown(_ groupTime: Time) -> Bool {
        // A sound has no frame to be shown.
        guard hasSeat, phase == .playing, slots.first?.isSound != true else { return true }
        guard holdsFrame(at: groupTime) else { return false }
        guard case .show(let slot, let entry) = dueFrame(at: groupTime) else { return true }
        return slots[slot].frames[entry].isPresented
    }

    /// Returns the times between which the frame that is due at `groupTime` is shown; nil if that frame is not held.
    public func timesOfFrame(at groupTime: Time) -> (begin: Time, end: Time)? {
        guard slots.covers(groupTime, of: course), case .show(let index, let entry) = dueFrame(at: groupTime),
            let start = slots[index].start
        else {
            return nil
        }
        let slot = slots[index], offset = groupTime - start
        let begin = slot.beginning(ofFrameAt: offset) ?? slot.frames[entry].offset
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
}
