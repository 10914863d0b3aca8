import Base
import Decoded
import Layout

// Start times of the runs of a reel, and the runs that follow.
extension Reel {
    /// A run that is prepared slowly is still shown if it has been over for less than this.
    private static var patience: Time { .seconds(2) }

    /// Starts the sequences and runs that have no start until their first frame is decoded, such as a run after a
    /// source that was given up.
    public func begin(_ context: PlaybackContext) {
        if anchor.awaitsFirstFrame, let front = slots.first, front.start == nil, !front.frames.isEmpty || front.isWhole
        {
            course.anchor.awaitsFirstFrame = false
            begin(slot: 0, at: context.position)
        }
        beginAwaited(context)
    }

    /// Begins a slot, and moves the rest of its iteration accordingly.
    private func begin(slot index: Int, at groupTime: Time) {
        let (run, start) = (slots[index].run, groupTime - slots[index].entry)
        slots[index].timing.start = start
        course.begin(run, at: start)
    }

    /// True if the run after `slot` starts when its own first frame is decoded, not when `slot` ends.
    func delaysNext(_ slot: Slot) -> Bool { slot.holdsNext || isLive(slot.run) }

    /// Wall times at which the next runs are planned, and at which runs are over.
    func planTimes(_ context: PlaybackContext, hasSeat: Bool) -> [Time?] {
        let ends = hasSeat ? [slots.first?.end, slots.last?.end] : [slots.first?.end]
        return ends.map { end in
            guard let end else { return nil }
            let ahead = slots.count == 1 || !hasSeat ? FeedSources.prepareAhead : depth.played(at: context.rate)
            let early = end - ahead
            return [early, end].first { $0 > context.dueTime }.flatMap { context.wallTime(of: $0) }
        }
    }

    /// True if the run after the slot, in the same iteration, starts when its own first frame is decoded.
    public func isAwaited(after index: Int) -> Bool {
        guard delaysNext(slots[index]) else { return false }
        guard index + 1 < slots.count else { return timeline.next(after: slots[index].run) != nil }
        return slots[index + 1].start == nil && slots[index + 1].run.iteration == slots[index].run.iteration
    }

    /// True if a run waits for its first frame before it has a start.
    public var awaitsFirstFrame: Bool {
        anchor.awaitsFirstFrame
            || slots.indices.dropFirst().contains { slots[$0].start == nil && delaysNext(slots[$0 - 1]) }
    }

    /// Gives a start to the runs that have awaited their first frame.
    private func beginAwaited(_ context: PlaybackContext) {
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

    /// Largest delay of a run's start that counts as in time. The run drops a frame at most and stays in step with its
    /// group.
    static var unseenLoss: Time { .milliseconds(40) }

    /// Makes a run start when its first frame is decoded if the source is open but the server answers more than a
    /// second late. After a shorter wait frames are dropped, so that the tile stays in step with its group.
    func awaitFirstFrameIfLate(of lease: Lease, _ context: PlaybackContext) {
        guard lease.purpose == .play, let index = slots.index(of: lease), slots[index].times.firstDecoded == nil,
            sources.live(lease.location) == nil, SourceName.path(of: lease.location) == nil
        else { return }
        awaitFirstFrameIfLate(index, context, after: OpenRequests.slowAfter)
    }

    /// Makes a run start when its first frame is decoded, if it was due more than `tolerance` ago. The first run of an
    /// iteration that a group plays together starts in time.
    func awaitFirstFrameIfLate(_ index: Int, _ context: PlaybackContext, after tolerance: Time) {
        let slot = slots[index]
        guard index > 0, slot.frames.isEmpty, anchor.delayed?.run != slot.run,
            slot.abIteration == slots[index - 1].abIteration,
            !context.group.isTogether || slots[index - 1].run.iteration == slot.run.iteration,
            let due = slots.lastTakeOver(ofSlotsTo: index), due + tolerance < context.dueTime,
            !isArriving(before: index, context)
        else { return }
        slots.leaveLate(slot: index - 1)
    }

    /// True if the feed entered the middle of the run before this slot so late that the slot's source could not be
    /// open in time, for example after a jump. The run after it then starts when it is due, without its first frames.
    private func isArriving(before index: Int, _ context: PlaybackContext) -> Bool {
        let before = slots[0].run
        let offset = before.beginsIteration ? anchor.offset : .zero
        let begin = max(timeline.entry(of: before), offset)
        // A slot that takes over the source of the slot before it is not opened itself.
        let (front, next) = (slots[0].times, slots[1].times)
        guard index == 1, slots[0].entry > begin, let asked = next.asked ?? front.asked ?? front.opened else {
            return false
        }
        return context.now < asked + OpenRequests.slowAfter
    }

    /// While a source does not answer, the runs after it are planned and decoded. A source that failed before is
    /// skipped when its turn comes. While a live source plays, no source is opened ahead, so each one is waited for.
    func skipSilent(_ context: PlaybackContext, _ trouble: FeedTrouble) {
        guard !isLive else { return }
        for (index, slot) in slots.enumerated() where slot.isUnopened && !slot.isSkipped && slot.reconnectsAt == nil {
            // The slot before has the same source, which does not answer.
            if index > 0, slots[index - 1].isSkipped, slots[index - 1].location == slot.location {
                slot.skip()
                continue
            }
            guard let asked = slot.times.asked, context.now >= asked + OpenRequests.slowAfter else { continue }
            guard let length = slot.length else {
                slot.skip()
                continue
            }
            guard length == .zero || trouble.trouble(of: slot.location) != nil else { continue }
            let end = slot.start.map { $0 + length }
            // The layout may hold the place of a failed item (`on-error`).
            if length > .zero, let end, end > context.dueTime { continue }
            slot.skip()
            if let end, end < context.dueTime { slots.leaveLate(slot: index) }
        }
    }

    /// True if a whole run after the decoded frames is over, too. After a long stop of the program or a server, and
    /// after a jump in a run of unknown length, the feed goes on at the clock's position. The runs in between are not
    /// decoded.
    func isFarBehind(_ context: PlaybackContext) -> Bool {
        guard !context.group.isTogether, let last = slots.last, last.start != nil, !last.isUnopened, !last.holdsNext,
            !last.awaitsServer, let end = last.end, let next = course.following(last.run),
            let length = timeline.length(of: next), timeline.iterationLength != .zero
        else { return false }
        return end + length + Self.patience <= context.dueTime
    }

    /// True if the due frame is not decoded. Called when the program did not run for a while. A run that was being opened
    /// or decoded then does not begin late: the feed enters again.
    func hasLostPlace(inStop context: PlaybackContext) -> Bool {
        context.isRunning && !context.group.isTogether && !isLive && !slots.isEmpty
            && !slots.covers(context.dueTime, of: course)
    }

    // MARK: frames that were due and not decoded

    /// Returns the due frames that the slots hold and that were not shown, and the place up to which the slots are
    /// decoded; nil if they are live. The slots are about to be dropped.
    func leave(_ context: PlaybackContext) -> (held: MissedFrames, left: CoursePlace?) {
        var held = MissedFrames()
        guard !isLive, let index = slots.firstIndex(where: { !$0.isWhole }) ?? slots.indices.last else {
            return (held, nil)
        }
        for slot in slots[...index] { held.add(slot.unshown(until: context.dueTime), of: slot.run) }
        let slot = slots[index]
        // The frames that follow may be decoded already, but are not due yet.
        if let start = slot.start, start + slot.decodedTo > context.dueTime { return (held, nil) }
        return (held, CoursePlace(run: slot.run, offset: slot.decodedTo, abIteration: slot.abIteration))
    }

    /// Returns the frames from a place to the entries of the slots, which were due and are never shown.
    func missed(since left: CoursePlace, _ group: Group) -> MissedFrames {
        var missed = MissedFrames()
        for (index, slot) in slots.enumerated() where slot.start != nil {
            let entry = CoursePlace(run: slot.run, offset: slot.entry, abIteration: slot.abIteration)
            // During a fade, both runs are entered.
            let begin = index == 0 ? left : CoursePlace(run: slot.run, offset: timeline.entry(of: slot.run))
            missed.add(course.frames(from: begin, to: entry, sources, group))
        }
        return missed
    }

    // MARK: following runs

    /// Derives the start of each slot from the slot before it.
    func chain(_ group: Group) {
        for (index, slot) in slots.enumerated() {
            let run = slot.run
            slot.timing.cutTime = course.cutTime(of: slot, group)
            // A live run starts when its first frame is decoded.
            guard index > 0, !isLive(run) || slot.hasFailed else { continue }
            let before = slots[index - 1]
            // An iteration of the A-B loop begins where it was entered.
            if slot.abIteration != before.abIteration { continue }
            slot.timing.fade = timeline.fade(before: run)
            if group.isTogether, run.iteration != before.run.iteration {
                let start = course.start(ofIteration: run.iteration, abIteration: slot.abIteration, group)
                slot.timing.start = start.map { $0 - anchor.offset }
                slot.timing.takesOverAt = start
            } else if !delaysNext(before) {
                slot.timing.start = course.start(of: run, after: before)
            }
        }
    }

    enum Extension {
        /// A slot was added.
        case extended
        /// No slot is due, or what follows is not known yet.
        case complete
        /// Nothing in a whole iteration could be played.
        case barren
    }

    /// Adds the next slot when its time has come: a copy of a decoded one if the run is repeated, else an empty one.
    func extend(_ context: PlaybackContext, keepingABLoop: Bool) -> Extension {
        let outlook = SlotOutlook(reel: self, context: context)
        guard let last = slots.last, outlook.mayPlan(after: last),
            let next = makeSuccessor(of: last, context.group), !turns.goOnLive(as: next), !outlook.isTooEarly(next)
        else { return .complete }
        if next.run.iteration != last.run.iteration, next.abIteration == last.abIteration,
            let result = outlook.resultOfIteration(of: last)
        {
            return result
        }
        if course.abLoop != nil {
            if let index = slots.lastIndex(where: { isReplayed(by: next, $0) }) {
                slots.append(slots[index].replayed(inPlaceOf: next))
                return .extended
            }
            guard slots.count == 1 || outlook.ahead <= depth.played(at: context.rate),
                !keepingABLoop || !slots.contains(where: { willBeReplayed(by: next, $0) })
            else { return .complete }
        } else if !sources.isOutdated(last.id), isReplayable(slots.count - 1), timeline.repeats(last.run, next.run) {
            guard case .whole = last.loading else { return .complete }
            if hasItsFrames(last) {
                slots.append(last.replayed(as: next.run, id: next.id))
                return .extended
            }
        }
        slots.append(next)
        return .extended
    }

    /// True if the run is followed by itself and at most `Depth.usual` long, so that it is kept whole.
    public func isReplayable(_ index: Int) -> Bool {
        let slot = slots[index]
        guard slot.entry == .zero, let length = slot.length, length <= Depth.usual, length > .zero,
            !sources.isPolled(slot.location)
        else { return false }
        return course.following(slot.run).map { timeline.repeats(slot.run, $0) } ?? false
    }
}

/// Judges whether the next slot of a reel is planned.
struct SlotOutlook {
    let reel: Reel
    let context: PlaybackContext

    /// Most slots of one source that are planned in an iteration while the source does not answer.
    private static var mostAlikeUnanswered: Int { 8 }

    /// Group time for which slots are planned.
    var ahead: Time { reel.slots.buffered(after: context.dueTime) - context.startDelay }

    /// True if the time of the slot after this one, the last, has come.
    func mayPlan(after last: Slot) -> Bool {
        guard reel.slots.count < 64,
            last.isWhole || !reel.isLive && (!reel.mayBeLive || last.isSkipped) || reel.turns.isEnding(context)
        else { return false }
        if case .failed = last.loading, reel.course.onError(in: last.run) == .stop { return false }
        if reel.slots.count(where: { !$0.isBeside }) == 1 {
            return last.isWhole || last.end.map { $0 <= context.dueTime + FeedSources.prepareAhead } ?? true
        }
        // An A-B loop is replayed a whole iteration ahead, before any of its slots is dropped.
        let most = max(reel.depth.played(at: context.rate), reel.course.abLoop?.length ?? .zero)
        return (last.isWhole || last.isBeside) && ahead <= most
    }

    /// True if the slot is not to be planned yet, though its time has come.
    func isTooEarly(_ next: Slot) -> Bool {
        // A live run would start when its first frame is decoded, which is too early.
        if reel.slots.dropFirst().contains(where: { !$0.hasFailed }), reel.isLive(next.run) { return true }
        // One attempt counts for all slots of a source that does not answer, so few of them are planned.
        let alike = reel.slots.lazy.filter { $0.isSkipped && $0.isUnopened && $0.location == next.location }
        return alike.first.map {
            next.run.iteration != $0.run.iteration || alike.count >= Self.mostAlikeUnanswered
        } ?? false
    }

    /// Returns `.barren` if nothing in the iteration that ends with this slot could be played, and `.complete` if that
    /// is not known yet. nil if something could.
    func resultOfIteration(of last: Slot) -> Reel.Extension? {
        let left = reel.slots.filter { !$0.isVoid }
        // A source that was opened again has its length again, whether it can be decoded or not.
        let isTried = left.isEmpty && reel.slots.contains { $0.run == RunID(iteration: last.run.iteration) }
        if reel.timeline.iterationLength == .zero || isTried {
            // A source of this iteration may still answer.
            return reel.slots.allSatisfy(\.isWhole) ? .barren : .complete
        }
        // Nothing can be played but sources of which no frame is decoded yet. They may fail as the others did.
        let mayFail = left.allSatisfy { $0.wasOpened && !$0.isWhole && $0.frames.isEmpty }
        return !left.isEmpty && left.count < reel.slots.count && mayFail ? .complete : nil
    }
}
