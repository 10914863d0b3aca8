import Base
import Layout
import Scene

// The place at which a feed enters its sequence.
extension Reel {
    /// Plans a first slot for the run that plays now.
    mutating func enter(_ context: PlaybackContext) {
        if anchor.awaitsFirstFrame {
            return slots.enter(makeSlot(RunID(iteration: anchor.iteration), start: nil))
        }
        // With `.stop` a failed item is not skipped: nothing plays after it.
        if course.onError == .stop { course.forgetFailures() }
        let groupTime = context.dueTime
        course.move(to: groupTime, context.group)
        var entrance = course.entrance(at: groupTime, anchor)
        if !entrance.isOver { entrance.entry = max(.zero, entrance.entry - context.group.dueTolerance) }
        slots.enter(makeSlot(entrance.run, start: entrance.start, entry: entrance.entry))
        // Before its beginning a tile shows its first frame.
        if entrance.start > groupTime { slots[0].timing.takeOver(at: -.distantFuture) }
        enterFade(entrance)
    }

    /// If a feed enters a fade, both runs are needed from there on. An A-B loop that begins in a fade has only the
    /// later run, in each of its iterations.
    private mutating func enterFade(_ entrance: Course.Entrance) {
        let fade = timeline.fade(before: entrance.run)
        if let abLoop = course.abLoop, entrance.start < abLoop.begin { return }
        guard fade > entrance.entry - timeline.entry(of: entrance.run), !isLive,
            let run = timeline.run(before: entrance.run),
            let length = timeline.length(of: run)
        else { return }
        let start = entrance.start + timeline.entry(of: entrance.run) + fade - (timeline.cut(of: run) ?? length)
        slots[0].timing.setFade(fade)
        slots.enter(before: makeSlot(run, start: start, entry: entrance.start + entrance.entry - start))
    }
}
