import Base
import Layout

// Frames of a queue's slots at an instant.
extension SlotQueue {
    public func current(at groupTime: Time) -> Slot? { currentIndex(at: groupTime).map { slots[$0] } }

    func currentIndex(at groupTime: Time) -> Int? {
        slots.lastIndex { $0.takesOverFrom.map { $0 <= groupTime } ?? false }
    }

    /// True if the slots hold a frame for this instant.
    public func covers(_ groupTime: Time, of course: Course) -> Bool {
        guard let index = currentIndex(at: groupTime) else { return false }
        let slot = slots[index]
        guard index == 0 || slots[..<index].allSatisfy(\.letsNextPlay), let start = slot.start else { return false }
        guard let first = slot.frames.first, start + first.offset <= Swift.max(groupTime, start + slot.entry) else {
            return false
        }
        if let end = slot.end, groupTime >= end {
            // The last frame stays until the next run begins.
            guard index == slots.count - 1 else { return slot.isWhole && slots[index + 1].takesOverFrom != nil }
            return slot.isWhole && course.following(slot) == nil
        }
        return groupTime < start + slot.decodedTo
    }

    /// True if the frame for this instant was left out, and the frames around it are held.
    public func leavesOut(_ groupTime: Time) -> Bool {
        guard let slot = current(at: groupTime), let start = slot.start else { return false }
        return slot.leavesOut(frameAt: groupTime - start)
    }

    /// Returns the time at which another frame follows the one on screen, in group time.
    func nextDue(after groupTime: Time) -> Time? {
        guard let front = slots.first, let start = front.start else { return nil }
        if let instant = front.takesOverFrom, instant > groupTime { return instant }
        var next: Time?
        if front.dueIndex + 1 < front.frames.count { next = start + front.frames[front.dueIndex + 1].offset }
        // If two runs overlap, the later one begins before the earlier one has ended.
        let following = slots.dropFirst().first { !$0.isSkipped }
        if let following, let instant = following.takesOverFrom, !following.frames.isEmpty || following.isWhole,
            next.map({ instant < $0 }) ?? true
        {
            next = Swift.max(instant, groupTime)
        }
        return next
    }

    /// Returns the group time at which a frame will be missing unless more is decoded.
    func lackBegins(after groupTime: Time) -> Time? {
        guard let current = current(at: groupTime) else { return nil }
        // The next slot has no frame yet.
        if current.isWhole { return slots.lazy.compactMap(\.takesOverFrom).first { $0 > groupTime } }
        return current.knownTo.flatMap { $0 > groupTime ? $0 : nil }
    }

    /// Returns how long the feed can play without any pipeline, in group time.
    public func buffered(after groupTime: Time) -> Time {
        var until = groupTime
        for slot in slots {
            guard let start = slot.start else { break }
            until = Swift.max(until, slot.isWhole ? slot.end ?? until : start + slot.decodedTo)
            if !slot.letsNextPlay { break }
        }
        return until - groupTime
    }

    /// Returns the start of the frame after the one at `groupTime`, across seams too, as far as it is known. The frame
    /// may have been left out.
    public func nextFrame(after groupTime: Time) -> Time {
        for slot in slots {
            guard let start = slot.start else { break }
            if let next = slot.beginning(after: groupTime - start) { return start + next }
        }
        // The frame is not decoded yet. Its start is assumed to be the end of the frames before.
        guard let last = slots.last(where: { !$0.frames.isEmpty }), let start = last.start else { return groupTime }
        return Swift.max(start + last.decodedTo, groupTime + Time(ticks: 1))
    }

    /// Returns the start of the last frame that began before `groupTime`, as far as it is known.
    public func beginning(before groupTime: Time) -> Time {
        for slot in slots.reversed() {
            guard let start = slot.start else { continue }
            if let beginning = slot.beginning(before: groupTime - start) { return start + beginning }
        }
        // The frame is not kept. Its length is assumed to be that of the first frame.
        guard let front = slots.first, let start = front.start, let first = front.frames.first else {
            return groupTime - Time(ticks: 1)
        }
        let length = front.frames.count > 1 ? front.frames[1].offset - first.offset : .milliseconds(40)
        return Swift.min(start + first.offset, groupTime) - length
    }

    /// Returns an instant of the frame before the one at `groupTime`.
    public func previousFrame(before groupTime: Time) -> Time {
        for slot in slots.reversed() {
            guard let start = slot.start else { continue }
            if let current = slot.beginning(ofFrameAt: groupTime - start) {
                return start + (slot.beginning(before: current) ?? current - slot.dueTolerance - Time(ticks: 1))
            }
        }
        return groupTime - (dueTolerance ?? .zero) - Time(ticks: 1)
    }

    /// Smallest tolerance of its slots; nil until one is known.
    public var dueTolerance: Time? { slots.lazy.map(\.dueTolerance).filter { $0 > .zero }.min() }

    /// Returns the latest time at which a slot up to `index` was to take over; nil while the slot at `index` has no
    /// start.
    func lastTakeOver(ofSlotsTo index: Int) -> Time? {
        slots[index].start == nil ? nil : slots[...index].compactMap(\.takesOverFrom).max()
    }

    /// Wall time at which a source that does not answer is skipped, or its place is over (`skipSilent`).
    func endOfSilence(_ context: PlaybackContext) -> Time? {
        return slots.lazy.compactMap { slot -> Time? in
            guard slot.isUnopened, !slot.isSkipped, slot.reconnectsAt == nil, let asked = slot.times.asked else {
                return nil
            }
            let ready = asked + OpenRequests.slowAfter
            if context.now < ready { return ready }
            guard let length = slot.length, length > .zero, let start = slot.start else { return nil }
            return start + length > context.dueTime ? context.wallTime(of: start + length) : nil
        }.min()
    }

    /// Returns the place of a drawn frame; nil if the frame is gone or was on the screen already.
    public func newFrame(_ drawn: DrawnFrame, on screen: FeedShowing) -> (slot: Int, frame: Int)? {
        guard let index = index(ofSlot: drawn.slot),
            let frame = slots[index].frames.firstIndex(where: { $0.serial == drawn.serial }),
            !slots[index].frames[frame].isPresented || !screen.isOnScreen(drawn.serial)
        else { return nil }
        return (index, frame)
    }
}
