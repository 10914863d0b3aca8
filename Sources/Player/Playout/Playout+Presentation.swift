import Base
import Feeds

// Frames that were presented, and how late.
extension Playout {
    /// Notes that a drawn frame is on the screen. Returns the changes of the items on the screen.
    func notePresented(_ drawn: DrawnFrame) -> [ShownItems.Change] {
        let feed = feeds[drawn.feed]
        if let (slot, frame) = feed.seam.newFrame(drawn) { reportLeaving(frame, of: feed, slot) }
        guard let (slot, frame) = feed.slots.newFrame(drawn, on: feed.screen) else { return [] }
        return report(frame, of: feed, slot: slot)
    }

    /// Reports a frame that is new on the screen. Returns the changes of items: the first frame of an item begins that
    /// item, and ends the one before.
    private func report(_ place: Int, of feed: Feed, slot index: Int) -> [ShownItems.Change] {
        let slot = feed.slots[index], frame = slot.frames[place]
        noteLiveFrame(of: feed, slot)
        let clock = transport.group(of: feed).clock
        let (due, late, isLate) = lateness(of: frame, slot, clock, feed.watched.phase)
        let shownBefore = feed.screen.lastRun
        let presentation = feed.notePresented(place, ofSlot: index, isLate: isLate && clock.motion == .running, at: now)
        emit(presentation.changes, of: feed)
        // A still that is shown again is the same frame.
        let isSameStill = slot.isStill && shownBefore.map { feed.timeline.repeats($0, slot.run) } ?? false
        guard feed.screen.isSeen else { return presentation.changes }
        if presentation.isSeam, !isSameStill {
            let delay = slot.delay.lasting(at: clock.rate)
            let isNoted = isLate || delay > output.refreshInterval
            let reason = isNoted ? reason(of: slot, due: (due ?? now) - delay) : nil
            emit(of: feed) { .seam(tile: $0, run: slot.run, how: slot.seamManner, late: late + delay, reason: reason) }
        }
        emit(of: feed) { .frame(tile: $0, run: slot.run, pts: frame.pts, due: due ?? now) }
        return presentation.changes
    }

    /// Reports a frame of the item that a fade takes off the screen.
    private func reportLeaving(_ place: Int, of feed: Feed, _ slot: Slot) {
        let clock = transport.group(of: feed).clock, frame = slot.frames[place]
        let (due, _, isLate) = lateness(of: frame, slot, clock, feed.watched.phase)
        feed.notePresentedLeaving(place, isLate: isLate && clock.motion == .running)
        guard feed.screen.isSeen else { return }
        emit(of: feed) { .frame(tile: $0, run: slot.run, pts: frame.pts, due: due ?? now) }
    }

    /// Returns the wall time at which a frame was due, and how much later it came.
    private func lateness(of frame: Slot.TimedFrame, _ slot: Slot, _ clock: Clock, _ phase: Time) -> (
        due: Time?, late: Time, isLate: Bool
    ) {
        let due = slot.start.flatMap { clock.wallTime(of: max($0 + frame.offset, $0 + slot.entry) - phase) }
        let late = due.map { max(.zero, now - $0) } ?? .zero
        return (due, late, late > output.refreshInterval)
    }

    /// Returns why a seam was late.
    private func reason(of slot: Slot, due: Time) -> String {
        if let opened = slot.times.opened, opened > due { return "its source was not open in time" }
        if let leased = slot.times.leased, leased > due { return "no pipeline was free in time" }
        if let ready = slot.times.ready, ready > due { return "its first frame was not decoded in time" }
        return "the display was late"
    }
}
