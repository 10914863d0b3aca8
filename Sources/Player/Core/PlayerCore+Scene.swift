import Base
import Layout
import Scene

// Scenes: the frames that are due, and reports of those that were shown.
extension PlayerCore {
    /// What the views of a scene are made of.
    struct SceneParts {
        /// The tiles to draw, bottom to top, and their rects.
        let places: [(tile: TileID, rect: Rect)]
        let frames: [FeedID: Feed.ScenePart]
        /// Wall time at which the scene changes; nil if only an event changes it.
        let next: Time?
    }

    /// Advances all feeds to this instant, and returns what is to be drawn.
    mutating func beginScene(at now: Time) -> SceneParts {
        output.beginScene(at: now)
        playbacks.turnABIterations(at: now)
        var next = output.advance(at: now)
        var frames: [FeedID: Feed.ScenePart] = [:]
        var drawn: [Output.Drawn] = []
        let memory = memoryShare
        for index in feeds.ids where !playbacks.feeds[index].tiles.isEmpty {
            let context = context(of: index, at: now)
            advance(index, context, memory: memory)
            let part = playbacks.feeds[index].makeScenePart(context)
            frames[index] = part
            drawn += part.drawn
            // A fade advances between two frames too.
            if part.isFading, context.isRunning {
                next = min(next ?? .distantFuture, now + output.refreshInterval)
            }
            if let change = part.change, let instant = context.wallTime(of: change) {
                next = next.map { min($0, instant) } ?? instant
            }
        }
        for tile in tiles.comparing { keepFrames(of: tile, frames, at: now) }
        for frame in drawn where tiles.comparing.isEmpty || isShown(frame) { output.note(frame) }
        let isShown = !needs.showsOnlyWholeComparisons || areComparisonsWhole
        let places = isShown ? output.places(of: tiles.order, at: now) : []
        noteSeen(places.map(\.tile), at: now)
        for place in places { if let turn = nextTurn(of: place.tile, at: now) { next = min(next ?? turn, turn) } }
        // This scene shows them, so the screen need not be woken.
        _ = noteAppearances()
        return SceneParts(places: places, frames: frames, next: next)
    }

    /// Notes which feeds are visible. Feeds behind tiles that fill the wall are not.
    private mutating func noteSeen(_ drawn: [TileID], at now: Time) {
        let coverage: Output.Coverage = drawn.count == tiles.order.count && tiles.overlaid == nil ? .all : .some
        guard output.becomes(coverage) else { return }
        let drawn = Set(drawn)
        for feed in feeds.ids {
            playbacks.feeds[feed].screen.noteDrawn(
                playbacks.feeds[feed].viewers.contains(where: drawn.contains), restsSince: restsSince, at: now)
        }
    }

    /// Notes that the scene requested last is on the screen. Its frames are reported only now.
    public mutating func presented(at now: Time) {
        var hasNewItem = false
        for drawn in output.endScene() where feeds.contains(drawn.feed) {
            if let (slot, frame) = playbacks.feeds[drawn.feed].seam.newFrame(drawn) {
                reportLeaving(slot.frames[frame], of: drawn.feed, slot, at: now)
                playbacks.feeds[drawn.feed].seam.notePresented(frame)
            }
            guard
                let (slot, frame) = playbacks.feeds[drawn.feed].slots.newFrame(
                    drawn, on: playbacks.feeds[drawn.feed].screen)
            else { continue }
            playbacks.feeds[drawn.feed].reel.slots[slot].notePresented(frame)
            let began = report(
                playbacks.feeds[drawn.feed].slots[slot].frames[frame], of: drawn.feed, slot: slot, at: now)
            hasNewItem = hasNewItem || began
        }
        // A still that stands is reported each hour.
        if hasNewItem || clocks.isWaiting || clocks.hasJumpWaiting { update(at: now) }
        // The pipelines waited for the frames of other feeds.
        if clocks.hasJumpWaiting { playbacks.effects.wakePipelines(pool.pipelines.indices) }
    }

    /// Returns true if the frame is the first of an item.
    private mutating func report(
        _ frame: Slot.TimedFrame, of feed: FeedID, slot index: Int, at now: Time
    ) -> Bool {
        let slot = playbacks.feeds[feed].slots[index]
        noteLiveFrame(of: feed, slot, at: now)
        let clock = group(of: feed).clock
        let (due, late, isLate) = lateness(of: frame, slot, clock, playbacks.feeds[feed].compared.phase, at: now)
        let shownBefore = playbacks.feeds[feed].screen.lastRun
        let presentation = playbacks.feeds[feed].screen.present(
            frame, of: slot, still: playbacks.feeds[feed].screen.still(of: slot, in: playbacks.feeds[feed].timeline),
            resuming: playbacks.feeds[feed].course.resumed(by: slot.run),
            isCutting: playbacks.feeds[feed].interrupts(slot.run), isFading: playbacks.feeds[feed].seam.isFading,
            isLate: isLate && clock.motion == .running, at: now)
        emit(presentation.changes, of: feed, at: now)
        // A still that is shown again is the same frame.
        let isSameStill =
            slot.isStill && shownBefore.map { playbacks.feeds[feed].timeline.repeats($0, slot.run) } ?? false
        let isFirst = !presentation.changes.isEmpty
        guard playbacks.feeds[feed].screen.isSeen else { return isFirst }
        if presentation.isSeam, !isSameStill {
            let delay = slot.delay.lasting(at: clock.rate)
            let reason = isLate || delay > output.refreshInterval ? reason(of: slot, due: (due ?? now) - delay) : nil
            emit(of: feed, at: now) {
                .seam(tile: $0, run: slot.run, how: slot.how, late: late + delay, reason: reason)
            }
        }
        emit(of: feed, at: now) { .frame(tile: $0, run: slot.run, pts: frame.pts, due: due ?? now) }
        return isFirst
    }

    /// Returns the wall time at which a frame was due, and how much later it came.
    private func lateness(
        of frame: Slot.TimedFrame, _ slot: Slot, _ clock: Clock, _ phase: Time, at now: Time
    ) -> (due: Time?, late: Time, isLate: Bool) {
        let due = slot.start.flatMap { clock.wallTime(of: max($0 + frame.offset, $0 + slot.entry) - phase) }
        let late = due.map { max(.zero, now - $0) } ?? .zero
        return (due, late, late > output.refreshInterval)
    }

    /// Reports a frame of the item that a fade takes off the screen.
    private mutating func reportLeaving(_ frame: Slot.TimedFrame, of feed: FeedID, _ slot: Slot, at now: Time) {
        let clock = group(of: feed).clock
        let (due, _, isLate) = lateness(of: frame, slot, clock, playbacks.feeds[feed].compared.phase, at: now)
        playbacks.feeds[feed].screen.presentLeaving(isLate: isLate && clock.motion == .running)
        guard playbacks.feeds[feed].screen.isSeen else { return }
        emit(of: feed, at: now) { .frame(tile: $0, run: slot.run, pts: frame.pts, due: due ?? now) }
    }

    /// Returns why a seam was late.
    private func reason(of slot: Slot, due: Time) -> String {
        if let opened = slot.times.opened, opened > due { return "its source was not open in time" }
        if let leased = slot.times.leased, leased > due { return "no pipeline was free in time" }
        if let ready = slot.times.ready, ready > due { return "its first frame was not decoded in time" }
        return "the display was late"
    }
}
