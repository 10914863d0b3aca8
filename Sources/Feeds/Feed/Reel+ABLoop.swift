import Base
import Layout
import Scene

// An A-B loop of a group's time, which each feed plays over and over. A run that lasts beyond the A-B loop's end is cut
// off there. The next iteration enters the run that plays at the loop's beginning.
extension Reel {
    /// Returns a slot for the run at the A-B loop's beginning, in the next iteration of the loop.
    mutating func makeABIteration(after last: Slot, _ group: Group) -> Slot? {
        guard let abLoop = course.abLoop, course.hasABIterations(group) else { return nil }
        // If the feed is late, it goes on with the iteration of the loop that plays.
        let abIteration = max(last.abIteration + 1, 0)
        let iterations = group.iterations(ofABIteration: 1)
        let entrance = course.entrance(
            at: abLoop.begin, course.anchor(at: abLoop.begin, iterations, isTogether: group.isTogether))
        var next = makeSlot(
            entrance.run, start: entrance.start + abLoop.length * Int64(abIteration), entry: entrance.entry)
        next.timing.join(abIteration: abIteration)
        next.timing.takeOver(at: abLoop.begin(ofABIteration: abIteration))
        next.timing.setCut(course.cut(of: next, group))
        return next
    }

    /// True if the next slot of an A-B loop shows the same frames that `slot` will hold when it is decoded.
    func willBeReplayed(by next: Slot, _ slot: Slot) -> Bool {
        timeline.repeats(slot.run, next.run) && slot.willHoldAll(of: next) && !sources.isOutdated(slot.id)
    }

    /// True if the next slot shows the same frames that `slot` holds. If some were left out, the run is decoded again.
    func isReplayed(by next: Slot, _ slot: Slot) -> Bool {
        timeline.repeats(slot.run, next.run) && slot.holdsAll(of: next) && !sources.isOutdated(slot.id)
            && (!slot.gaps.isAny || decoding.step >= .unreferencedFrames)
    }

    /// True if the A-B loop is decoded once and replayed, because it is short or takes at most half of the feed's
    /// memory. All its frames are then needed, also those decoded too late.
    public func keepsABLoop(in memory: @autoclosure () -> Int) -> Bool {
        guard let abLoop = course.abLoop else { return false }
        if abLoop.length <= Depth.usual { return true }
        guard let front = slots.first, let bytes = slots.lazy.compactMap({ $0.frames.last?.frame.bytes }).last,
            let length = sources.facts(of: front.location)?.frameLength, length > .zero
        else { return false }
        let frames = abLoop.length.played(at: timeline.rate(of: front.run)).ticks / length.ticks + 2
        return frames <= memory() / 2 / max(1, bytes)
    }
}
