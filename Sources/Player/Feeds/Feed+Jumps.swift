import Base
import Layout
import Scene

// Finds if a feed holds the frame that its clock jumps to, and where jumps and steps lead.
extension Feed {
    /// True if the slots hold a frame for this instant.
    func covers(_ groupTime: Time) -> Bool {
        guard let index = slots.lastIndex(where: { $0.instant.map { $0 <= groupTime } ?? false }) else { return false }
        let slot = slots[index]
        guard index == 0 || slots[..<index].allSatisfy(\.letsNextPlay), let start = slot.start else { return false }
        guard let first = slot.frames.first, start + first.offset <= max(groupTime, start + slot.entry) else {
            return false
        }
        if let end = slot.end, groupTime >= end {
            // The last frame stays until the next run begins.
            guard index == slots.count - 1 else { return slot.isWhole && slots[index + 1].instant != nil }
            return slot.isWhole && following(slot.run) == nil
        }
        return groupTime < start + slot.decodedTo
    }

    /// True if the frame for this instant is being decoded, to be inserted before the frames that the slot holds.
    func refills(_ groupTime: Time) -> Bool { current(at: groupTime)?.isRefilled(at: groupTime) ?? false }

    /// Called when the clock jumped. Keeps the slots if they cover the new instant. `entering`: length before the
    /// instant that is needed too.
    mutating func arrive(_ context: PlaybackContext, entering: Time, _ effects: inout Effects) {
        settleABLoop(context.group, &effects)
        playAgain()
        let groupTime = context.dueTime
        guard phase == .playing, hasSeat || !slots.isEmpty else { return }
        if !covers(groupTime) { takeTail(backTo: groupTime) }
        if covers(groupTime), !lacksFade(at: groupTime) {
            if entering > .zero { refill(at: groupTime, &effects) }
            return
        }
        if refills(groupTime) { return }
        // Only a sequence that starts at its beginning is awaited.
        if let front = slots.first, front.start == nil, front.entry > .zero { anchor.endAwaiting() }
        dropSlots(&effects)
        screen.jump()
        enter(context)
        guard entering > .zero else { return }
        for index in slots.indices { slots[index].moveEntry(to: max(.zero, slots[index].entry - entering)) }
    }

    /// True if the frame due at the clock's position was shown. While the user goes on seeking, a decoded frame is
    /// shown first.
    func hasShown(_ groupTime: Time) -> Bool {
        guard hasSeat, phase == .playing else { return true }
        guard covers(groupTime) else { return false }
        guard case .show(let slot, let entry) = due(at: groupTime) else { return true }
        return slots[slot].frames[entry].isShown
    }

    /// Returns the start of the frame that is due at `groupTime`; nil if that frame is not held.
    func beginningOfFrame(at groupTime: Time) -> Time? {
        guard covers(groupTime), case .show(let slot, let entry) = due(at: groupTime), let start = slots[slot].start
        else {
            return nil
        }
        return start + slots[slot].frames[entry].offset
    }

    /// Returns the end of the frame that is due at `groupTime`; nil if that frame is not held.
    func endOfFrame(at groupTime: Time) -> Time? {
        guard covers(groupTime), case .show(let index, let entry) = due(at: groupTime), let start = slots[index].start
        else {
            return nil
        }
        let slot = slots[index]
        let next = entry + 1 < slot.frames.count ? slot.frames[entry + 1].offset : slot.decodedTo
        return slot.end.map { min($0, start + next) } ?? start + next
    }

    /// Returns the start of the key frame nearest to an instant, in the run that plays then; nil if the key frames are
    /// not known.
    func keyFrame(near groupTime: Time) -> Time? {
        guard
            case .run(let run, let start) = timeline.position(
                at: groupTime - anchor.origin, inIteration: anchor.iteration),
            let keys = sources.facts(of: timeline.segment(of: run).source)?.keyFrames
        else { return nil }
        let (segment, rate) = (timeline.segment(of: run), timeline.rate(of: run))
        let wanted = segment.start + (groupTime - anchor.origin - start).played(at: rate)
        let nearest = keys.filter { $0 >= segment.start && $0 < segment.end ?? .distantFuture }.min {
            ($0 - wanted).magnitude < ($1 - wanted).magnitude
        }
        return nearest.map { anchor.origin + start + ($0 - segment.start).lasting(at: rate) }
    }

    /// The item on screen, with all its segments, in group time.
    var itemOnScreen: Range<Time>? {
        guard let front = slots.first, let start = front.start, screen.last != nil,
            let length = timeline.itemLength(at: front.run.place), length > .zero
        else { return nil }
        let before = timeline.length(ofSegmentsBefore: front.run)
        return start - before..<start - before + length
    }

    /// Returns the start of the frame after the one at `groupTime`, across seams too, as far as it is known.
    func nextFrame(after groupTime: Time) -> Time {
        for slot in slots {
            guard let start = slot.start else { break }
            if let next = slot.frames.first(where: { start + $0.offset > groupTime }) { return start + next.offset }
        }
        // The frame is not decoded yet. Its start is assumed to be the end of the frames before.
        guard let last = slots.last(where: { !$0.frames.isEmpty }), let start = last.start else { return groupTime }
        return max(start + last.decodedTo, groupTime + Time(ticks: 1))
    }

    /// Returns the start of the last frame that began before `groupTime`, as far as it is known.
    func beginning(before groupTime: Time) -> Time {
        for slot in slots.reversed() {
            guard let start = slot.start else { continue }
            if let frame = slot.frames.last(where: { start + $0.offset < groupTime }) { return start + frame.offset }
        }
        // The frame is not kept. Its length is assumed to be that of the first frame.
        guard let front = slots.first, let start = front.start, let first = front.frames.first else {
            return groupTime - Time(ticks: 1)
        }
        let length = front.frames.count > 1 ? front.frames[1].offset - first.offset : .milliseconds(40)
        return min(start + first.offset, groupTime) - length
    }

    /// Returns an instant of the frame before the one at `groupTime`.
    func previousFrame(before groupTime: Time) -> Time {
        for slot in slots.reversed() {
            guard let start = slot.start else { continue }
            if let current = slot.frames.lastIndex(where: { start + $0.offset <= groupTime }) {
                return current > 0
                    ? start + slot.frames[current - 1].offset
                    : start + slot.frames[current].offset - slot.dueTolerance - Time(ticks: 1)
            }
        }
        return groupTime - (dueTolerance ?? .zero) - Time(ticks: 1)
    }
}
