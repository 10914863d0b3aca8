import Base
import Layout

// The place at which a feed enters its sequence.
extension Feed {
    /// Plans a first slot for the run that plays now.
    mutating func enter(_ context: PlaybackContext) {
        if anchor.awaitsFirstFrame {
            slots = [makeSlot(RunID(iteration: anchor.iteration), start: nil)]
            return slots[0].enter()
        }
        // With `.stop` a failed item is not skipped: nothing plays after it.
        if onError == .stop { timeline.forgetFailures() }
        let groupTime = context.dueTime
        anchor = anchor(at: groupTime, context.group.iterations, isTogether: context.group.isTogether)
        var entrance = entrance(at: groupTime, anchor)
        if !entrance.isOver { entrance.entry = max(.zero, entrance.entry - context.group.dueTolerance) }
        slots = [makeSlot(entrance.run, start: entrance.start, entry: entrance.entry)]
        // Before its beginning a tile shows its first frame.
        if entrance.start > groupTime { slots[0].timing.takeOver(at: -.distantFuture) }
        slots[0].enter()
        enterFade(entrance)
    }

    /// If a feed enters a fade, both runs are needed from there on. An A-B loop that begins in a fade has only the
    /// later run, in each of its iterations.
    private mutating func enterFade(_ entrance: Entrance) {
        let fade = timeline.fade(before: entrance.run)
        if let abLoop, entrance.start < abLoop.begin { return }
        guard fade > entrance.entry - timeline.entry(of: entrance.run), !isLive,
            let run = timeline.run(before: entrance.run),
            let length = timeline.length(of: run)
        else { return }
        let start = entrance.start + timeline.entry(of: entrance.run) + fade - (timeline.cut(of: run) ?? length)
        slots[0].timing.setFade(fade)
        slots.insert(makeSlot(run, start: start, entry: entrance.start + entrance.entry - start), at: 0)
        slots[0].enter()
    }

    /// Returns the position of the feed's iterations on a clock that is at `groupTime`.
    func anchor(at groupTime: Time, _ iterations: Iterations, isTogether: Bool) -> Anchor {
        var anchor = anchor
        if isTogether {
            anchor.follow(iterations)
        } else if let length = timeline.iterationLength, length > .zero {
            anchor.move(to: groupTime, in: timeline, of: length)
            // The first iteration began late, because a source did not answer. If the clock is before that, the feed is
            // where it would be without the delay.
            if anchor.iteration == 0, groupTime < anchor.origin {
                anchor.reset()
                anchor.move(to: groupTime, in: timeline, of: length)
            }
        }
        return anchor
    }

    /// The run that plays at an instant.
    struct Entrance {
        let run: RunID
        let start: Time
        var entry: Time
        /// True if the iteration is over by then. The last frame is shown.
        var isOver = false
    }

    func entrance(at groupTime: Time, _ anchor: Anchor) -> Entrance {
        let (iteration, origin) = (anchor.iteration, anchor.origin)
        guard timeline.takesPart(inIteration: iteration) else { return lastFrame(before: iteration, anchor) }
        switch timeline.position(at: groupTime - origin, inIteration: iteration) {
        case .run(let run, let start), .unknown(let run, let start):
            return Entrance(run: run, start: origin + start, entry: max(.zero, groupTime - origin - start))
        case .over:
            return lastFrame(before: iteration + 1, anchor)
        }
    }

    private func lastFrame(before iteration: Int, _ anchor: Anchor) -> Entrance {
        var run = RunID(iteration: max(0, iteration - 1))
        while let next = timeline.next(after: run) { run = next }
        let length = timeline.length(of: run) ?? .zero
        let end =
            anchor.origin
            + (iteration == anchor.iteration + 1 ? timeline.length(ofIteration: anchor.iteration) ?? .zero : .zero)
        return Entrance(
            run: run, start: end - length, entry: max(.zero, length - Time(ticks: 1)), isOver: true)
    }
}
