import Base
import Layout
import Scene

// Plan of a feed: the runs of its slots, and their start times.
extension Feed {
    /// Most slots of one source that are planned in an iteration while the source does not answer.
    private static var mostAlikeUnanswered: Int { 8 }

    /// Time before the start of a run at which its source is opened.
    static var prepareAhead: Time { .seconds(5) }

    /// Retries a failed iteration when its time has come. Returns true if the feed plays.
    mutating func retry(_ context: PlaybackContext) -> Bool {
        if case .barren(let until) = phase {
            guard context.now >= until else { return false }
            phase = .playing
            timeline.forgetFailures()
            sources.forgetProbes()
            anchor.set(anchor.iteration + 1, at: context.position)
        }
        return phase == .playing
    }

    /// Some sequences and runs have no start until their first frame is decoded, such as a run behind a source that was
    /// given up. Starts them now if that frame is there.
    mutating func begin(_ context: PlaybackContext) {
        if anchor.awaitsFirstFrame, let front = slots.first, front.start == nil,
            !front.frames.isEmpty || front.isWhole
        {
            anchor.endAwaiting()
            begin(slot: 0, at: context.position)
        }
        beginLate(context)
    }

    /// Begins a slot, and moves the rest of its iteration accordingly.
    private mutating func begin(slot index: Int, at groupTime: Time) {
        let (run, start) = (slots[index].run, groupTime - slots[index].entry)
        slots[index].timing.begin(at: start)
        anchor.set(run.iteration, at: start - (timeline.offset(of: run) ?? timeline.start(ofItemOf: run)))
    }

    /// True if the run after `slot` begins when its first frame is there, not when `slot` ends.
    func delaysNext(_ slot: Slot) -> Bool { slot.holdsNext || isLive(slot.run) }

    /// True if a run waits for its first frame before it has a start.
    var awaitsFirstFrame: Bool {
        anchor.awaitsFirstFrame
            || slots.indices.dropFirst().contains { slots[$0].start == nil && delaysNext(slots[$0 - 1]) }
    }

    /// True if the run after the slot, in the same iteration, begins when its first frame is there.
    func isAwaited(after index: Int) -> Bool {
        guard phase == .playing, delaysNext(slots[index]) else { return false }
        guard index + 1 < slots.count else { return timeline.next(after: slots[index].run) != nil }
        return slots[index + 1].start == nil && slots[index + 1].run.iteration == slots[index].run.iteration
    }

    private mutating func beginLate(_ context: PlaybackContext) {
        for index in slots.indices.dropFirst() {
            let (before, slot) = (slots[index - 1], slots[index])
            let isVoid = slot.isSkipped && slot.length == .zero
            guard delaysNext(before), before.start != nil, slot.start == nil, slot.abIteration == before.abIteration,
                slot.isWhole || isVoid || !slot.frames.isEmpty, !isLive(before.run) || before.isWhole,
                !context.group.isTogether || slot.run.iteration == before.run.iteration
            else { continue }
            if slot.hasFailed || isVoid { slots[index].holdNext() }
            begin(slot: index, at: max(context.position, before.end ?? context.position))
        }
    }

    /// While a source does not answer, the runs after it are planned and decoded. A source that failed before is
    /// skipped when its turn comes. While a live source plays, no source is opened ahead, so each one is waited for.
    mutating func skipSilent(_ context: PlaybackContext) {
        guard !isLive else { return }
        for index in slots.indices {
            let slot = slots[index]
            guard slot.isUnopened, !slot.isSkipped, slot.reconnectsAt == nil else { continue }
            // The slot before has the same source, which does not answer.
            if index > 0, slots[index - 1].isSkipped, slots[index - 1].location == slot.location {
                slots[index].skip()
                continue
            }
            guard let asked = slot.times.asked else { continue }
            guard context.now >= asked + OpenRequests.slowAfter else { continue }
            guard let length = slot.length else {
                slots[index].skip()
                continue
            }
            guard length == .zero || trouble.wasReported(of: slot.location) else { continue }
            let end = slot.start.map { $0 + length }
            // The layout may hold the place of a failed item (`on-error`).
            if length > .zero, let end, end > context.dueTime { continue }
            slots[index].skip()
            if let end, end < context.dueTime { leaveLate(slot: index) }
        }
    }

    /// Drops slots and frames that are over, except those that are kept for steps back and fit into `memory`. `isSeen`:
    /// frames that were not shown count as dropped. `lag`: time for which the sound of a dropped slot is still heard.
    mutating func advance(
        _ context: PlaybackContext, memory: Int, isSeen: Bool, lag: Time, _ effects: inout Effects
    ) -> [FeedScreen.ItemChange] {
        guard case .going = context.group.phase else { return [] }
        let kept = kept(memory: memory, context)
        let before = seam.fadeOut?.slot?.id
        let (dropped, undecoded, removed) = advance(
            to: context.dueTime, keeping: kept, isTogether: context.group.isTogether)
        // One fade may begin as another ends.
        var changes = before != nil && seam.fadeOut?.slot?.id != before ? screen.endLeavingItem() : []
        if context.isRunning, isSeen {
            screen.drop(dropped)
            screen.dropUndecoded(undecoded)
        }
        changes += advanceFadeOut(context, keeping: kept, isSeen: isSeen)
        // Sound of an item that is dropped within the tolerance plays to its end.
        let isEarly = removed.last?.end.map { $0 > context.position && $0 <= context.dueTime } ?? false
        if !removed.isEmpty, lag > .zero || seam.fadeOut != nil || isEarly { keepSound(of: removed, lag: lag, context) }
        for slot in removed { retire(slot, &effects) }
        if context.isRunning { changes += screen.emitStanding(at: context.now) }
        guard let front = slots.first, let start = front.start else { return changes }
        if front.isSound, front.instant.map({ $0 <= context.dueTime }) ?? false {
            changes += screen.begin(
                front, resuming: resumed(by: front.run), isCutting: interrupts(front.run),
                isFading: seam.fadeOut != nil,
                at: context.now)
        }
        if !isLive, front.abIteration == 0, front.run == RunID(iteration: front.run.iteration) {
            anchor.set(front.run.iteration, at: start)
        }
        if slots.count == 1, front.isWhole, let end = front.end, end <= context.dueTime,
            onError(in: front.run) == .stop && front.hasFailed
                || following(front.run) == nil && !hasABIterations(context.group)
        {
            phase = .ended
            noteCut(of: front, isTogether: context.group.isTogether)
            changes += screen.endItem(front.hasFailed ? .error : .eof)
        }
        return changes
    }

    /// Plans slots for the coming runs.
    mutating func plan(_ context: PlaybackContext, keepingABLoop: Bool, _ effects: inout Effects) {
        let iterations = context.group.iterations
        // Before the clock runs for the first time, an iteration that is over is not decoded to its end.
        if context.group.isTogether, let front = slots.first, front.run.iteration < iterations.number,
            !context.group.hasStarted || !slots.contains(where: { $0.run.iteration == iterations.number }),
            timeline.takesPart(inIteration: iterations.number)
        {
            dropSlots(&effects)
        }
        // A run that begins late moves those after it, which are not far behind then.
        if decodedTo(farBehind: context) != nil { chain(context.group) }
        let behind = decodedTo(farBehind: context)
        if behind != nil { dropSlots(&effects) }
        if slots.isEmpty { enter(context) }
        if let behind { drop(from: behind) }
        endLive(context, &effects)
        skipSilent(context)
        chain(context.group)
        while extend(context, keepingABLoop: keepingABLoop, &effects) { chain(context.group) }
    }

    /// Returns the end of the decoded frames if a whole run after them is over, too; nil otherwise. After a long stop
    /// of the program or a server, the feed goes on at the clock's position. The runs in between are not decoded.
    private func decodedTo(farBehind context: PlaybackContext) -> Time? {
        guard context.isRunning, !context.group.isTogether, let last = slots.last, let start = last.start,
            !last.isUnopened, !last.holdsNext, !awaitsAnswer(last), let end = last.end,
            let next = following(last.run), let length = timeline.length(of: next),
            let iteration = timeline.iterationLength, iteration > .zero,
            end + length + Self.patience <= context.dueTime
        else { return nil }
        return min(end, start + last.decodedTo)
    }

    /// True if the source is open, but its server has not answered yet for this run.
    private func awaitsAnswer(_ slot: Slot) -> Bool {
        slot.times.ready == nil && !slot.isWhole && SourceName.path(of: slot.location) == nil
    }

    /// Delay up to which a run that is warmed slowly is shown all the same.
    private static var patience: Time { .seconds(2) }

    /// Counts the frames after `due` that are never shown.
    private mutating func drop(from due: Time) {
        guard let front = slots.first, let start = front.start,
            let length = sources.facts(of: front.location)?.frameLength,
            length > .zero
        else { return }
        screen.dropUndecoded(max(0, Int((start + front.entry - due).ticks / length.ticks)))
    }

    /// Plans the runs of a feed that is heard and not seen. None is opened or decoded.
    mutating func listen(_ context: PlaybackContext, _ effects: inout Effects) {
        let groupTime = context.dueTime
        // Both runs are heard during a fade.
        if slots.count > 1, let next = slots[1].fadeEnd ?? slots[1].instant, next <= groupTime { slots.removeFirst() }
        if slots.first?.isOver(at: groupTime) ?? true { enter(context) }
        guard let end = slots[0].end, end > groupTime else { return }
        if slots.count == 1, end <= groupTime + Self.prepareAhead, let next = successor(of: slots[0], context.group) {
            slots.append(next)
        }
        chain(context.group)
    }

    // MARK: what follows what

    /// Returns the run after `run`, over the end of its iteration too; nil if nothing follows.
    func following(_ run: RunID) -> RunID? {
        if let next = timeline.next(after: run) { return next }
        return timeline.takesPart(inIteration: run.iteration + 1) ? RunID(iteration: run.iteration + 1) : nil
    }

    /// Derives the start of each slot from the slot before it.
    mutating func chain(_ group: Group) {
        for index in slots.indices {
            let run = slots[index].run
            slots[index].timing.setCut(cut(of: slots[index], group))
            // A live run begins with its first frame.
            guard index > 0, !isLive(run) || slots[index].hasFailed else { continue }
            let before = slots[index - 1]
            // An iteration of the A-B loop begins where it was entered.
            if slots[index].abIteration != before.abIteration { continue }
            let fade = timeline.fade(before: run)
            slots[index].timing.setFade(fade)
            if group.isTogether, run.iteration != before.run.iteration {
                let start = start(ofIteration: run.iteration, abIteration: slots[index].abIteration, group)
                slots[index].timing.begin(at: start.map { $0 - anchor.offset })
                slots[index].timing.takeOver(at: start)
            } else if delaysNext(before) {
                continue
            } else if let start = before.start, let length = before.length {
                let begin = start + length - fade - timeline.entry(of: run)
                slots[index].timing.begin(
                    at: anchor.delayed.map { $0.run == run ? max(begin, $0.begin) : begin } ?? begin)
            } else {
                slots[index].timing.begin(at: nil)
            }
        }
    }

    /// Returns the time at which the next iteration of the A-B loop or of the group takes over from the slot.
    func cut(of slot: Slot, _ group: Group) -> Time? {
        if let offset = slot.shortenedTo { return slot.start.map { $0 + offset } }
        return [abLoop.map { $0.end(ofABIteration: slot.abIteration) }, cutByIteration(of: slot, group)].compactMap {
            $0
        }.min()
    }

    private func cutByIteration(of slot: Slot, _ group: Group) -> Time? {
        guard group.isTogether, group.until == .shortest else { return nil }
        return start(ofIteration: slot.run.iteration + 1, abIteration: slot.abIteration, group).map {
            $0 + timeline.fade(before: RunID(iteration: slot.run.iteration + 1))
        }
    }

    /// Returns the start of an iteration of the group in an iteration of its A-B loop; nil if it is not known.
    func start(ofIteration iteration: Int, abIteration: Int, _ group: Group) -> Time? {
        let start = group.iterations(ofABIteration: abIteration).start(of: iteration)
        guard let abLoop, abIteration != 0 else { return start }
        return start.map { $0 + abLoop.length * Int64(abIteration) }
    }

    /// Adds the next slot when its time has come. Returns true if it did.
    private mutating func extend(_ context: PlaybackContext, keepingABLoop: Bool, _ effects: inout Effects) -> Bool {
        guard let last = slots.last, slots.count < 64,
            last.isWhole || !isLive && (!mayBeLive || last.isSkipped)
        else { return false }
        let ahead = buffered(after: context.dueTime) - context.hold
        if slots.count(where: { !$0.isBeside }) == 1 {
            if let end = last.end, end > context.dueTime + Self.prepareAhead, !last.isWhole { return false }
        } else {
            // An A-B loop is replayed a whole iteration ahead, before any of its slots is dropped.
            guard last.isWhole || last.isBeside, ahead <= max(depth, abLoop?.length ?? .zero) else { return false }
        }
        if case .failed = last.loading, onError(in: last.run) == .stop { return false }
        guard let next = successor(of: last, context.group) else { return false }
        // A live run would begin with its first frame, too early.
        if slots.count > 1, isLive(next.run) { return false }
        // One attempt counts for all slots of a source that does not answer, so few of them are planned.
        let alike = slots.lazy.filter { $0.isSkipped && $0.isUnopened && $0.location == next.location }
        if let first = alike.first, next.run.iteration != first.run.iteration || alike.count >= Self.mostAlikeUnanswered
        {
            return false
        }
        if next.run.iteration != last.run.iteration, next.abIteration == last.abIteration,
            timeline.iterationLength == .zero
        {
            // A source of this iteration may still answer.
            guard slots.allSatisfy(\.isWhole) else { return false }
            giveUpIteration(at: context.now, &effects)
            return false
        }
        if abLoop != nil {
            if let index = slots.lastIndex(where: { isReplayed(by: next, $0) }) {
                slots.append(slots[index].replayed(inPlaceOf: next))
                return true
            }
            guard slots.count == 1 || ahead <= depth,
                !keepingABLoop || !slots.contains(where: { willBeReplayed(by: next, $0) })
            else { return false }
        } else if !sources.isOutdated(last.id), isReplayable(slots.count - 1), timeline.repeats(last.run, next.run) {
            guard case .whole = last.loading else { return false }
            slots.append(last.replayed(as: next.run, id: next.id))
            return true
        }
        slots.append(next)
        return true
    }

    /// Returns the last round if the item failed and has one source. Its rounds are not tried one by one.
    private func lastRound(of slot: Slot) -> RunID {
        var run = slot.run
        guard slot.hasFailed, slot.length == .zero, let item = timeline.item(of: run), item.segments.count == 1
        else { return run }
        run.round = max(run.round, item.rounds - 1)
        return run
    }

    /// Returns the run after a slot's that its group plays, over the end of its iteration too.
    func followingRun(_ last: Slot, _ group: Group) -> RunID? {
        guard let next = following(lastRound(of: last)) else { return nil }
        // If a break has shortened the slot, the break follows.
        guard group.isTogether, group.until == .shortest, next.iteration == last.run.iteration,
            let cut = last.shortenedTo == nil ? last.cut : cutByIteration(of: last, group), let end = last.end,
            end >= cut - timeline.fade(before: RunID(iteration: next.iteration + 1))
        else { return next }
        return timeline.takesPart(inIteration: next.iteration + 1) ? RunID(iteration: next.iteration + 1) : nil
    }

    /// True if the run is followed by itself and fits into the depth, so that it is kept whole.
    func isReplayable(_ index: Int) -> Bool {
        let slot = slots[index]
        guard slot.entry == .zero, let length = slot.length, length <= Depth.usual, length > .zero, !isPolled(slot)
        else {
            return false
        }
        return following(slot.run).map { timeline.repeats(slot.run, $0) } ?? false
    }

    private var hasServers: Bool {
        timeline.items.contains { $0.segments.contains { SourceName.path(of: $0.source) == nil } }
    }

    /// Called when nothing in a whole iteration could be played. Schedules a retry with growing delay.
    private mutating func giveUpIteration(at now: Time, _ effects: inout Effects) {
        if isHopeless {
            phase = .hopeless(trouble.latest ?? SourceTrouble(.damaged, "every item has length 0"))
        } else {
            let retry = now + trouble.waitAfterBarrenIteration(ofServers: hasServers, at: now)
            phase = .barren(until: retry)
            anchor.set(slots.first?.run.iteration ?? 0, at: anchor.origin)
        }
        dropSlots(&effects)
    }
}
