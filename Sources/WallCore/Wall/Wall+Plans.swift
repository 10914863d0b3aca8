// The plan of a feed: which runs its slots are for, and when each begins.
extension Wall {
    mutating func tend(_ feed: FeedID, at wall: Time) {
        if case .barren(let until) = feeds[feed].phase {
            guard wall >= until else { return orders.scheduleUpdate(at: until) }
            feeds[feed].phase = .playing
            feeds[feed].pass += 1
            feeds[feed].timeline.forgetFailures()
            feeds[feed].probed = []
            feeds[feed].origin = now(of: feeds[feed], at: wall)
        }
        guard feeds[feed].phase == .playing else { return }
        anchor(feed, at: wall)
        advance(feed, at: wall)
        if feeds[feed].hasSeat {
            plan(feed, at: wall)
        } else {
            planPoster(feed)
            if !isOnStage(feed), !feeds[feed].views.isEmpty { listen(feed, at: wall) }
        }
        planProbe(feed, at: wall)
        requestOpenings(feed, at: wall)
    }

    /// A sequence that begins with its first picture begins now, if that is there.
    private mutating func anchor(_ feed: FeedID, at wall: Time) {
        guard feeds[feed].awaitsFirstPicture, let front = feeds[feed].slots.first, front.start == nil,
            !front.pictures.isEmpty || front.isWhole
        else { return }
        let now = now(of: feeds[feed], at: wall)
        feeds[feed].awaitsFirstPicture = false
        feeds[feed].slots[0].start = now
        (feeds[feed].pass, feeds[feed].origin) = (
            front.run.pass, now - feeds[feed].timeline.start(ofItem: front.run.item)
        )
        orders.wakeScreen()
    }

    mutating func advance(_ feed: FeedID, at wall: Time) {
        guard case .going = clocks[feeds[feed].group].phase else { return }
        let now = now(of: feeds[feed], at: wall)
        let isRunning = clocks[feeds[feed].group].clock.motion == .running
        let (missed, dropped) = feeds[feed].advance(
            to: now, keeping: isRunning ? keptPlaying(feed) : Depth.keptBehind)
        if isRunning, output.shows(anyOf: feeds[feed].views) { feeds[feed].health.missed += missed }
        if !dropped.isEmpty { keepSound(of: dropped, of: feed, now: now) }
        for slot in dropped { retire(slot, of: feed) }
        guard let front = feeds[feed].slots.first, let start = front.start else { return }
        if front.isStill, front.pictures.isEmpty, front.instant.map({ $0 <= now }) ?? false {
            noteItem(of: feed, front, at: wall)
        }
        if front.run == RunID(pass: front.run.pass) { (feeds[feed].pass, feeds[feed].origin) = (front.run.pass, start) }
        if feeds[feed].slots.count == 1, front.isWhole, let end = front.end, end <= now,
            following(front.run, of: feed) == nil || (feeds[feed].onError == .stop && front.hasFailed)
        {
            feeds[feed].phase = .ended
            endItem(of: feed, front.hasFailed ? .error : .eof, at: wall)
        }
    }

    private mutating func plan(_ feed: FeedID, at wall: Time) {
        let now = now(of: feeds[feed], at: wall)
        let group = clocks[feeds[feed].group]
        if group.isTogether, let front = feeds[feed].slots.first, front.run.pass < group.passes.number,
            !feeds[feed].slots.contains(where: { $0.run.pass == group.passes.number }),
            feeds[feed].timeline.takesPart(inPass: group.passes.number)
        {
            dropSlots(of: feed)
        }
        if feeds[feed].slots.isEmpty { enter(feed, at: now) }
        chain(feed)
        while extend(feed, now: now, at: wall) { chain(feed) }
        for look in [feeds[feed].slots.first?.end, feeds[feed].slots.last?.end].compactMap({ $0 }) {
            let early = look - (feeds[feed].slots.count == 1 ? Self.prepareAhead : feeds[feed].depth)
            if let next = [early, look].first(where: { $0 > now }) { orders.scheduleUpdate(at: group.clock.wallTime(of: next)) }
        }
    }

    /// Puts a first slot where the timeline is now.
    mutating func enter(_ feed: FeedID, at now: Time) {
        if feeds[feed].awaitsFirstPicture {
            feeds[feed].slots = [feeds[feed].makeSlot(RunID(pass: feeds[feed].pass), start: nil)]
            feeds[feed].slots[0].arrival = .entered
            return
        }
        // What failed is not passed over: nothing comes after it.
        if feeds[feed].onError == .stop { feeds[feed].timeline.forgetFailures() }
        let group = clocks[feeds[feed].group]
        if group.isTogether {
            (feeds[feed].pass, feeds[feed].origin) = (group.passes.number, group.passes.start - feeds[feed].offset)
        } else if let length = feeds[feed].timeline.passLength, length > .zero {
            let apart = (now - feeds[feed].origin).ticks
            var passes = max(-feeds[feed].pass, Int((apart - (apart < 0 ? length.ticks - 1 : 0)) / length.ticks))
            if case .passes(let count) = feeds[feed].timeline.loop { passes = min(passes, count - feeds[feed].pass) }
            feeds[feed].pass += passes
            feeds[feed].origin += length * Int64(passes)
        }
        let (pass, origin) = (feeds[feed].pass, feeds[feed].origin)
        guard feeds[feed].timeline.takesPart(inPass: pass) else { return enterLastPicture(of: feed, before: pass) }
        switch feeds[feed].timeline.position(at: now - origin, inPass: pass) {
        case .run(let run, let start), .unknown(let run, let start):
            let entry = max(.zero, now - origin - start)
            feeds[feed].slots = [feeds[feed].makeSlot(run, start: origin + start, entry: entry)]
            // Before its beginning a tile shows its first picture.
            if origin + start > now { feeds[feed].slots[0].takesOverAt = -.distantFuture }
        case .over:
            enterLastPicture(of: feed, before: pass + 1)
        }
        feeds[feed].slots[0].arrival = .entered
    }

    /// The feed is over at this instant: its last picture is what it shows.
    private mutating func enterLastPicture(of feed: FeedID, before pass: Int) {
        let timeline = feeds[feed].timeline
        var run = RunID(pass: max(0, pass - 1))
        while let next = timeline.next(after: run) { run = next }
        let length = timeline.length(of: run) ?? .zero
        let end = feeds[feed].origin + (pass == feeds[feed].pass + 1 ? timeline.passLength ?? .zero : .zero)
        feeds[feed].slots = [feeds[feed].makeSlot(run, start: end - length, entry: max(.zero, length - Time(ticks: 1)))]
    }

    /// The run that follows, where the group's passes are minded too.
    func following(_ run: RunID, of feed: FeedID) -> RunID? {
        let group = clocks[feeds[feed].group]
        guard group.isTogether else { return feeds[feed].following(run) }
        if let next = feeds[feed].timeline.next(after: run) { return next }
        return feeds[feed].timeline.takesPart(inPass: run.pass + 1) ? RunID(pass: run.pass + 1) : nil
    }

    /// Starts follow from what is before them.
    mutating func chain(_ feed: FeedID) {
        let group = clocks[feeds[feed].group]
        for index in feeds[feed].slots.indices {
            let run = feeds[feed].slots[index].run
            if group.isTogether {
                let next = run.pass == group.passes.number ? group.passes.nextStart : nil
                feeds[feed].slots[index].cut = group.until == .shortest ? next : nil
            }
            guard index > 0 else { continue }
            let before = feeds[feed].slots[index - 1]
            if group.isTogether, run.pass != before.run.pass {
                let start =
                    run.pass == group.passes.number ? group.passes.start : run.pass == group.passes.number + 1 ? group.passes.nextStart : nil
                feeds[feed].slots[index].start = start.map { $0 - feeds[feed].offset }
                feeds[feed].slots[index].takesOverAt = start
            } else if let start = before.start, let length = before.length {
                feeds[feed].slots[index].start = start + length
            } else {
                feeds[feed].slots[index].start = nil
            }
        }
    }

    /// Adds the next slot when it is time; says whether it did.
    private mutating func extend(_ feed: FeedID, now: Time, at wall: Time) -> Bool {
        guard let last = feeds[feed].slots.last, feeds[feed].slots.count < 64 else { return false }
        if feeds[feed].slots.count == 1 {
            if let end = last.end, end > now + Self.prepareAhead, !last.isWhole { return false }
        } else {
            guard last.isWhole, feeds[feed].buffered(after: now) <= feeds[feed].depth + pictureHold else {
                return false
            }
        }
        if case .failed = last.loading, feeds[feed].onError == .stop { return false }
        guard var next = following(last.run, of: feed) else { return false }
        let group = clocks[feeds[feed].group]
        if group.isTogether, group.until == .shortest, next.pass == last.run.pass, let cut = last.cut,
            let end = last.end, end >= cut
        {
            guard feeds[feed].timeline.takesPart(inPass: next.pass + 1) else { return false }
            next = RunID(pass: next.pass + 1)
        }
        if next.pass != last.run.pass, feeds[feed].timeline.passLength == .zero {
            return giveUpPass(feed, at: wall)
        }
        if !feeds[feed].outdated.contains(last.id), feeds[feed].isReplayable(feeds[feed].slots.count - 1),
            feeds[feed].timeline.repeats(last.run, next)
        {
            guard case .whole = last.loading else { return false }
            feeds[feed].slots.append(replay(last, as: next, of: feed))
            return true
        }
        let entry = group.isTogether && next == RunID(pass: next.pass) ? max(.zero, feeds[feed].offset) : .zero
        feeds[feed].slots.append(feeds[feed].makeSlot(next, start: nil, entry: entry))
        return true
    }

    /// The same pictures once more, without any decoding.
    private mutating func replay(
        _ slot: Slot, as run: RunID, of feed: FeedID
    ) -> Slot {
        var again = feeds[feed].makeSlot(run, start: nil)
        (again.loading, again.how, again.length, again.decodedTo) = (.whole, .replayed, slot.length, slot.decodedTo)
        again.pictures = slot.pictures
        for index in again.pictures.indices { again.pictures[index].isShown = false }
        return again
    }

    /// Nothing in the whole pass could be played: wait, longer each time, and try again.
    private mutating func giveUpPass(_ feed: FeedID, at wall: Time) -> Bool {
        let trouble = feeds[feed].trouble ?? SourceTrouble(.damaged, "nothing in it lasts any time")
        if feeds[feed].isHopeless {
            feeds[feed].phase = .given(up: trouble)
        } else {
            let seconds = min(60, 1 << min(6, feeds[feed].barrenPasses))
            feeds[feed].barrenPasses += 1
            feeds[feed].phase = .barren(until: wall + .seconds(Int64(seconds)))
            feeds[feed].pass = feeds[feed].slots.first?.run.pass ?? 0
            orders.scheduleUpdate(at: wall + .seconds(Int64(seconds)))
        }
        dropSlots(of: feed)
        orders.wakeScreen()
        return false
    }
}
