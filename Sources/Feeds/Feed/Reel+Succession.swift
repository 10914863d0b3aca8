import Base
import Layout
import Scene

// The slot that follows another one: the next run, the rest of an interrupted run with its frames, or the next
// iteration of an A-B loop.
extension Reel {
    /// Returns the slot that follows `last`; nil if there is none or it is not known yet.
    mutating func makeSuccessor(of last: Slot, _ group: Group) -> Slot? {
        guard let abLoop = course.abLoop else {
            return course.followingRun(last, group).map { makeSlot($0, after: last, group) }
        }
        let end = abLoop.end(ofABIteration: last.abIteration)
        if last.length != nil || last.isWhole, let known = last.end, known >= end {
            return makeABIteration(after: last, group)
        }
        guard let run = course.followingRun(last, group) else { return makeABIteration(after: last, group) }
        let isNewIteration = group.isTogether && run.iteration != last.run.iteration
        guard
            let begin = isNewIteration
                ? course.start(ofIteration: run.iteration, abIteration: last.abIteration, group)
                : last.end.map({ $0 - timeline.fade(before: run) })
        else { return nil }
        if begin >= end { return makeABIteration(after: last, group) }
        var next = makeSlot(run, after: last, group)
        next.timing.begin(at: isNewIteration ? begin - anchor.offset : begin)
        next.timing.setCut(course.cut(of: next, group))
        return next
    }

    private mutating func makeSlot(_ run: RunID, after last: Slot, _ group: Group) -> Slot {
        if run.part == .rest, let rest = resume(run, from: timeline.entry(of: run)) { return rest }
        let entry = group.isTogether && run == RunID(iteration: run.iteration) ? max(.zero, anchor.offset) : .zero
        var slot = makeSlot(run, start: nil, entry: entry)
        slot.timing.join(abIteration: last.abIteration)
        return slot
    }
}
