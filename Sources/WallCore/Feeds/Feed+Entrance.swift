// Where a feed enters its sequence.
extension Feed {
    /// Puts a first slot where the timeline is now.
    mutating func enter(_ moment: Moment) {
        if anchor.awaitsFirstFrame {
            slots = [makeSlot(RunID(pass: anchor.pass), start: nil)]
            return slots[0].enter()
        }
        // What failed is not passed over: nothing comes after it.
        if onError == .stop { timeline.forgetFailures() }
        let groupTime = moment.groupTime
        anchor = anchor(at: groupTime, moment.group.passes, isTogether: moment.group.isTogether)
        var entrance = entrance(at: groupTime, anchor)
        if !entrance.isOver { entrance.entry = max(.zero, entrance.entry - moment.group.dueTolerance) }
        slots = [makeSlot(entrance.run, start: entrance.start, entry: entrance.entry)]
        // Before its beginning a tile shows its first frame.
        if entrance.start > groupTime { slots[0].takeOver(at: -.distantFuture) }
        slots[0].enter()
        enterFade(entrance)
    }

    /// Where it enters a seam that fades, both runs are wanted from there on. A passage that begins in one has the later
    /// run alone, in each of its laps.
    private mutating func enterFade(_ entrance: Entrance) {
        let fade = timeline.fade(before: entrance.run)
        if let passage, entrance.start < passage.begin { return }
        guard fade > entrance.entry, !isLive, let run = timeline.run(before: entrance.run),
            let length = timeline.length(of: run)
        else { return }
        let start = entrance.start + fade - length
        slots[0].setFade(fade)
        slots.insert(makeSlot(run, start: start, entry: entrance.start + entrance.entry - start), at: 0)
        slots[0].enter()
    }

    /// Where its passes stand on a clock that is at `groupTime`.
    func anchor(at groupTime: Time, _ passes: Passes, isTogether: Bool) -> Anchor {
        var anchor = anchor
        if isTogether {
            anchor.follow(passes)
        } else if let length = timeline.passLength, length > .zero {
            anchor.move(to: groupTime, of: length, timeline.loop, last: timeline.lastPassLength)
            // The first pass began late, because a source did not answer. A clock before that finds the feed where it
            // would be without the delay.
            if anchor.pass == 0, groupTime < anchor.origin {
                anchor.reset()
                anchor.move(to: groupTime, of: length, timeline.loop, last: timeline.lastPassLength)
            }
        }
        return anchor
    }

    /// The run that plays at an instant.
    struct Entrance {
        let run: RunID
        let start: Time
        var entry: Time
        /// Its pass is over by then: its last frame is what is shown.
        var isOver = false
    }

    func entrance(at groupTime: Time, _ anchor: Anchor) -> Entrance {
        let (pass, origin) = (anchor.pass, anchor.origin)
        guard timeline.takesPart(inPass: pass) else { return lastFrame(before: pass, anchor) }
        switch timeline.position(at: groupTime - origin, inPass: pass) {
        case .run(let run, let start), .unknown(let run, let start):
            return Entrance(run: run, start: origin + start, entry: max(.zero, groupTime - origin - start))
        case .over:
            return lastFrame(before: pass + 1, anchor)
        }
    }

    private func lastFrame(before pass: Int, _ anchor: Anchor) -> Entrance {
        var run = RunID(pass: max(0, pass - 1))
        while let next = timeline.next(after: run) { run = next }
        let length = timeline.length(of: run) ?? .zero
        let end = anchor.origin + (pass == anchor.pass + 1 ? timeline.length(ofPass: anchor.pass) ?? .zero : .zero)
        return Entrance(
            run: run, start: end - length, entry: max(.zero, length - Time(ticks: 1)), isOver: true)
    }
}
