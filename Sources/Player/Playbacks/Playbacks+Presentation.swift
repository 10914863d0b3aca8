import Base
import Feeds
import Scene

// Frames that were presented, and how late.
extension Playbacks {
    /// Notes that a drawn frame is on the screen. Returns the changes of the items on the screen.
    mutating func notePresented(_ drawn: DrawnFrame, _ context: WallContext) -> [ShownItems.Change] {
        let feed = drawn.feed
        if let (slot, frame) = feeds[feed].seam.newFrame(drawn) {
            reportLeaving(frame, of: feed, slot, context)
        }
        guard let (slot, frame) = feeds[feed].slots.newFrame(drawn, on: feeds[feed].screen) else { return [] }
        return report(frame, of: feed, slot: slot, context)
    }

    /// Reports a frame that is new on the screen. Returns the changes of items: the first frame of an item begins that
    /// item, and ends the one before.
    private mutating func report(
        _ place: Int, of feed: FeedID, slot index: Int, _ context: WallContext
    ) -> [ShownItems.Change] {
        let now = context.now
        let slot = feeds[feed].slots[index], frame = slot.frames[place]
        noteLiveFrame(of: feed, slot, context)
        let clock = group(of: feed).clock
        let (due, late, isLate) = lateness(of: frame, slot, clock, feeds[feed].compared.phase, context)
        let shownBefore = feeds[feed].screen.lastRun
        let presentation = feeds[feed].notePresented(
            place, ofSlot: index, isLate: isLate && clock.motion == .running, at: now)
        emit(presentation.changes, of: feed, context)
        // A still that is shown again is the same frame.
        let isSameStill =
            slot.isStill && shownBefore.map { feeds[feed].timeline.repeats($0, slot.run) } ?? false
        guard feeds[feed].screen.isSeen else { return presentation.changes }
        if presentation.isSeam, !isSameStill {
            let delay = slot.delay.lasting(at: clock.rate)
            let isNoted = isLate || delay > context.output.refreshInterval
            let reason = isNoted ? reason(of: slot, due: (due ?? now) - delay) : nil
            emit(of: feed, context) {
                .seam(tile: $0, run: slot.run, how: slot.seamManner, late: late + delay, reason: reason)
            }
        }
        emit(of: feed, context) { .frame(tile: $0, run: slot.run, pts: frame.pts, due: due ?? now) }
        return presentation.changes
    }

    /// Reports a frame of the item that a fade takes off the screen.
    private mutating func reportLeaving(
        _ place: Int, of feed: FeedID, _ slot: Slot, _ context: WallContext
    ) {
        let clock = group(of: feed).clock, frame = slot.frames[place]
        let (due, _, isLate) = lateness(of: frame, slot, clock, feeds[feed].compared.phase, context)
        feeds[feed].notePresentedLeaving(place, isLate: isLate && clock.motion == .running)
        guard feeds[feed].screen.isSeen else { return }
        emit(of: feed, context) { .frame(tile: $0, run: slot.run, pts: frame.pts, due: due ?? context.now) }
    }
}

extension PlaybackParts {
    /// Returns the wall time at which a frame was due, and how much later it came.
    fileprivate func lateness(
        of frame: Slot.TimedFrame, _ slot: Slot, _ clock: Clock, _ phase: Time, _ context: WallContext
    ) -> (due: Time?, late: Time, isLate: Bool) {
        let due = slot.start.flatMap { clock.wallTime(of: max($0 + frame.offset, $0 + slot.entry) - phase) }
        let late = due.map { max(.zero, context.now - $0) } ?? .zero
        return (due, late, late > context.output.refreshInterval)
    }

    /// Returns why a seam was late.
    fileprivate func reason(of slot: Slot, due: Time) -> String {
        if let opened = slot.times.opened, opened > due { return "its source was not open in time" }
        if let leased = slot.times.leased, leased > due { return "no pipeline was free in time" }
        if let ready = slot.times.ready, ready > due { return "its first frame was not decoded in time" }
        return "the display was late"
    }
}
