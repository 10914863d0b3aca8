import Base
import Layout

// Updates of a feed: drop the slots that are over, and plan the next runs.
extension Feed {
    /// Retries a failed iteration when its time has come. Returns true if the feed plays.
    public func retry(_ context: PlaybackContext) -> Bool {
        if case .barren(let until) = phase {
            guard context.now >= until else { return false }
            phase = .playing
            reel.course.timeline.forgetFailures()
            reel.sources.probed = []
            reel.course.anchor.set(anchor.iteration + 1, at: context.position)
        }
        return phase == .playing
    }

    /// Drops slots and frames that are over, except those that are kept for steps back and fit into `memory`. `isSeen`:
    /// frames that were not shown count as dropped. `lag`: time for which the sound of a dropped slot is still heard.
    public func advance(_ context: PlaybackContext, memory: Int, isSeen: Bool, lag: Time) -> [ShownItems.Change] {
        // A clock that waits, as at the target of a seek, passes nothing.
        guard case .going = context.group.phase else { return [] }
        var changes = drop(context, memory: memory, isCounted: isSeen && context.passesDueFrames, lag: lag)
        if context.isRunning { changes += screen.emitStanding(at: context.now) }
        guard let front = slots.first, let start = front.start else { return changes }
        // Nothing of a sound is presented. One that is over stays the front if nothing follows, and does not begin again.
        let isPast = front.isOver(at: context.dueTime) && screen.items.hasEnded(front.run)
        if phase == .playing, !isPast, front.isSound, front.takesOverFrom.map({ $0 <= context.dueTime }) ?? false {
            changes += screen.items.begin(
                front, resuming: course.resumed(by: front.run), isCutting: interrupts(front.run),
                isFading: seam.isFading, unseenSince: screen.unseenSince, at: context.now)
        }
        if !isLive, front.abIteration == 0, front.run.beginsIteration {
            reel.course.anchor.set(front.run.iteration, at: start)
        }
        if slots.count == 1, front.isWhole, front.isOver(at: context.dueTime),
            course.onError(in: front.run) == .stop && front.hasFailed
                || course.following(front) == nil && !course.hasABIterations(context.group)
        {
            changes += end(after: front, context)
        }
        return changes
    }

    /// Drops what is over, of the slots and of the run that fades out, and keeps its sound as long as it is heard.
    private func drop(
        _ context: PlaybackContext, memory: Int, isCounted: Bool, lag: Time
    ) -> [ShownItems.Change] {
        let kept = reel.kept(memory: memory, context)
        let before = seam.fadeOut?.slot?.id
        let (missed, removed) = advance(to: context.dueTime, keeping: kept, isTogether: context.group.isTogether)
        // One fade may begin as another ends.
        var changes = before != nil && seam.fadeOut?.slot?.id != before ? screen.items.endLeaving() : []
        let fade = seam.advance(under: slots, to: context.dueTime, keeping: kept)
        if isCounted { for frames in [missed, fade.missed] { screen.drop(frames) } }
        if fade.isOver { changes += screen.items.endLeaving() }
        // Sound of an item that is dropped within the tolerance plays to its end.
        let isEarly = removed.last?.end.map { $0 > context.position && $0 <= context.dueTime } ?? false
        if !removed.isEmpty, lag > .zero || seam.isFading || isEarly { keepSound(of: removed, lag: lag, context) }
        for slot in removed { reel.sources.retire(slot) }
        return changes
    }

    /// Ends the feed: nothing follows the front, whose last frame stays.
    private func end(after front: Slot, _ context: PlaybackContext) -> [ShownItems.Change] {
        phase = .ended
        noteCut(of: front, isTogether: context.group.isTogether)
        // Before a front that has failed, the item before it may be on the screen. That item came to its end.
        let isBroken = front.hasFailed && screen.items.current?.run.isOfItem(of: front.run) ?? false
        return screen.items.end(isBroken ? .error : .eof) + screen.items.leaveInterrupted()
    }

    /// Plans slots for the coming runs. `afterStop`: true if the program did not run for a while.
    public func plan(_ context: PlaybackContext, afterStop: Bool, keepingABLoop: Bool) {
        let iterations = context.group.iterations
        // Before the clock runs for the first time, an iteration that is over is not decoded to its end. One that fades
        // out is not over. A feed that takes no part in the group's iteration goes to its last frame, if it is not there.
        if context.group.isTogether, let front = slots.first, let last = slots.last,
            front.run.iteration < iterations.number,
            !context.group.hasStarted && front.isOver(at: context.dueTime)
                || !slots.contains(where: { $0.run.iteration == iterations.number }),
            timeline.takesPart(inIteration: iterations.number)
                || timeline.takesPart(inIteration: last.run.iteration + 1)
        {
            enterAgain(context)
        }
        // A run that began late delays the runs after it: these may no longer be far behind the clock.
        if reel.isFarBehind(context) { reel.chain(context.group) }
        if afterStop ? reel.hasLostPlace(inStop: context) : reel.isFarBehind(context) { enterAgain(context) }
        if slots.isEmpty { reel.enter(context) }
        reel.turns.passOver(context, trouble)
        reel.turns.endLive(context)
        reel.skipSilent(context, trouble)
        reel.chain(context.group)
        while true {
            switch reel.extend(context, keepingABLoop: keepingABLoop) {
            case .extended: reel.chain(context.group)
            case .complete: return
            case .barren: return giveUpIteration(at: context.now)
            }
        }
    }

    /// Drops the slots, and enters the run that plays now. All frames between them that were due are missed.
    private func enterAgain(_ context: PlaybackContext) {
        let (held, left) = reel.leave(context)
        if let front = slots.first { noteCut(of: front, isTogether: context.group.isTogether) }
        dropSlots()
        reel.enter(context)
        guard context.isRunning, context.group.hasStarted else { return }
        screen.drop(held)
        if let left { screen.drop(reel.missed(since: left, context.group)) }
    }

    /// Called when nothing in a whole iteration could be played. Schedules a retry with growing delay.
    private func giveUpIteration(at now: Time) {
        if course.isHopeless(trouble) {
            phase = .hopeless(trouble.latest ?? SourceTrouble(.damaged, "every item has length 0"))
        } else {
            let retry = now + trouble.noteBarrenIteration(ofServers: course.hasServers, at: now)
            phase = .barren(until: retry)
            reel.course.anchor.set(slots.first?.run.iteration ?? 0, at: anchor.origin)
        }
        dropSlots()
    }

    // MARK: the next update

    /// Returns the wall time of the feed's next update; nil if only an event makes something due.
    public func nextUpdate(_ context: PlaybackContext) -> Time? {
        var instants: [Time?] = []
        if let fadeOut = seam.fadeOut, fadeOut.end > context.dueTime {
            instants.append(context.wallTime(of: fadeOut.end))
        }
        if context.isRunning { instants.append(screen.standsUntil.map { max($0, context.now) }) }
        switch phase {
        case .barren(let until): instants.append(until)
        case .playing:
            instants.append(reel.endOfLiveRun.flatMap { $0 > context.dueTime ? context.wallTime(of: $0) : nil })
            instants.append(reel.turns.liveOpening.flatMap { $0 > context.dueTime ? context.wallTime(of: $0) : nil })
            instants.append(reel.turns.passingTime(context).flatMap { $0 > context.now ? $0 : nil })
            if !isLive { instants.append(slots.endOfSilence(context)) }
            if hasSeat { instants.append(reel.nextOpening(context)) }
            instants += reel.planTimes(context, hasSeat: hasSeat)
        case .ended, .hopeless: break
        }
        return instants.lazy.compactMap { $0 }.min()
    }

    // MARK: the longest fades that the memory holds

    /// Limits the fade of each item so that the memory holds the frames of this item and of the next one, in their
    /// sizes on screen. `memory`: memory of the feed, in bytes. `rects`: places of its tiles.
    public func limitFades(memory: Int, rects: [Rect], decodeSize: (Size, _ item: ItemPlace) -> Size) {
        let basis = FadeBasis(memory: memory, rects: rects)
        var isChanged = seam.fadeBasis != basis
        if isChanged { reel.course.timeline.forgetFadeLimits() }
        seam.fadeBasis = basis
        for slot in slots where timeline.fadeLimit(at: slot.run.place) == nil {
            guard let facts = sources.facts(of: slot.location) else { continue }
            let size = decodeSize(facts.natural, slot.run.place)
            reel.course.timeline.limitFade(
                at: slot.run.place, to: facts.longestFade(size, at: timeline.rate(of: slot.run), basis.memory))
            isChanged = true
        }
        // The run on screen keeps its place. The rest of its iteration moves.
        if isChanged { reel.course.keep(slots.first) }
    }
}

/// Values that determine the longest fades of a feed.
struct FadeBasis: Equatable {
    /// Memory of the feed, in bytes.
    let memory: Int
    let rects: [Rect]
}
