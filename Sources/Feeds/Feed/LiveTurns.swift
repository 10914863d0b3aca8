import Base
import Layout

/// Turns of live sources in one sequence: each source is shown for its duration.
///
/// The source of the next turn is opened before the turn begins. With a pipeline to spare, its frames are decoded, too.
/// The source on the screen plays on until the next one is open, or has a frame if another pipeline decodes it. A turn
/// that begins late is shorter, so that tiles with equal durations change at the same time. If a source can't be played,
/// its time falls to the source that follows. Until it has been opened again, it is tried before each of its turns, and
/// passed over early enough for the source that follows to be open in time (`passOver`).
struct LiveTurns {
    let reel: Reel

    /// Longest time for which a source plays on after its turn. A source that does not open is given up before.
    private static var longestExtension: Time { .seconds(15) }

    /// True if all sources of the sequence are live, as far as they are known, and each has a duration.
    private var hasTurns: Bool {
        let runs = reel.timeline.allRuns
        return reel.timeline.layer == nil && runs.count > 1
            && runs.allSatisfy { run in
                reel.timeline.stillLength(of: run) != nil
                    && reel.sources.facts(of: reel.timeline.segment(of: run).source).map { $0.live != nil } ?? true
            }
    }

    // MARK: the end of a turn

    /// Ends a live run when its duration is over, even if its source sends nothing.
    func endLive(_ context: PlaybackContext) {
        guard let end = reel.endOfLiveRun, end <= context.dueTime, !playsOn(context), let front = reel.slots.first
        else { return }
        reel.sources.retire(front)
        reel.slots[0].end(id: reel.slots.makeID())
        // The run after it may have its first frame already.
        reel.begin(context)
        reel.sources.outbox.wakeScreen()
    }

    /// True if the live front plays on although its duration is over: what follows has nothing to show yet, and does not
    /// wait for the front's pipeline.
    func playsOn(_ context: PlaybackContext) -> Bool {
        guard let front = reel.slots.first, reel.timeline.layer == nil, let end = front.end,
            context.dueTime < end + Self.longestExtension
        else { return false }
        guard let index = reel.slots.indices.dropFirst().first(where: { !reel.slots[$0].hasFailed }) else {
            guard let last = reel.slots.last, reel.course.following(last.run) != nil else { return false }
            return !last.hasFailed || reel.course.onError(in: last.run) != .stop
        }
        switch reel.slots[index].loading {
        case .planned, .opening: return !reel.slots.inherits(index)
        case .leased: return reel.slots[index].frames.isEmpty
        case .ready, .whole, .failed: return false
        }
    }

    /// True if the live front is about to end, so that the source after it is opened.
    func isEnding(_ context: PlaybackContext) -> Bool { liveOpening.map { $0 <= context.dueTime } ?? false }

    /// Group time at which the source after the live front is opened; nil if none is opened ahead.
    var liveOpening: Time? {
        guard reel.isLive, reel.slots.count == 1, reel.timeline.layer == nil, let front = reel.slots.first,
            !front.isWhole, front.start != nil, let end = front.end, let next = reel.course.following(front.run)
        else { return nil }
        return end - openingLead(of: next)
    }

    /// Returns the time before the end of the live front at which the source of `run`, which follows, is opened. The
    /// time suffices to pass over failed sources one by one. The source of the front is open already.
    private func openingLead(of run: RunID) -> Time {
        guard let front = reel.slots.first?.run else { return .zero }
        var lead = Time.zero
        var next: RunID? = run
        while let run = next, lead < Self.longestExtension, run.place != front.place || run.segment != front.segment {
            lead += reel.sources.openingLead(of: reel.timeline.segment(of: run).source)
            next = hasFailed(run) ? reel.course.following(run) : nil
        }
        return lead
    }

    // MARK: sources that are passed over

    /// Shortest attempt to open a source that has failed, unless its turn begins before.
    private static var shortestAttempt: Time { .seconds(2) }

    /// True if nothing of the run's source could be played at the last attempt, and the next source plays instead.
    private func hasFailed(_ run: RunID) -> Bool {
        reel.sources.failed.contains(reel.timeline.segment(of: run).source) && reel.course.onError(in: run) == .next
    }

    /// True if the run's source was never open, and the next source plays instead.
    private func isUnknown(_ run: RunID) -> Bool {
        hasTurns && reel.sources.facts(of: reel.timeline.segment(of: run).source) == nil
            && reel.course.onError(in: run) == .next
    }

    /// The slot after the live front if its source is not open and need not be awaited; nil otherwise.
    private var passable: Slot? {
        guard reel.timeline.layer == nil, let slot = reel.slots.dropFirst().first(where: { !$0.hasFailed }),
            slot.isUnopened, slot.reconnectsAt == nil, hasFailed(slot.run) || isUnknown(slot.run)
        else { return nil }
        return slot
    }

    /// Wall time at which the source after the live front is passed over; nil if it is awaited, or while the clock is
    /// paused. A source that was never open has five seconds from its first attempt on.
    func passingTime(_ context: PlaybackContext) -> Time? {
        guard let end = reel.endOfLiveRun, let slot = passable, let last = context.wallTime(of: end) else { return nil }
        let (run, asked) = (slot.run, slot.times.asked)
        guard hasFailed(run) else { return asked.map { max(last, $0 + FeedSources.prepareAhead) } }
        let lead = reel.course.following(run).map { openingLead(of: $0) } ?? .zero
        guard let asked, let due = context.wallTime(of: end - lead) else { return last }
        return min(last, max(due, asked + Self.shortestAttempt))
    }

    /// Passes over the source after the live front if it is not open in time. Its opening goes on: if it succeeds, the
    /// source is awaited at its next turn.
    func passOver(_ context: PlaybackContext, _ trouble: FeedTrouble) {
        guard let slot = passable, let instant = passingTime(context), instant <= context.now else { return }
        reel.course.timeline.learn(.zero, of: slot.run)
        reel.sources.failed.insert(slot.location)
        slot.passOver(trouble.trouble(of: slot.location) ?? OpenRequests.noAnswer, id: reel.slots.makeID())
    }

    /// Gives the live front another turn if everything between its turns has failed. `next`: the run that would follow.
    /// Returns false if `next` is to be opened.
    func goOnLive(as next: Slot) -> Bool {
        guard reel.isLive, reel.slots.count > 1, let front = reel.slots.first, !front.isWhole,
            let length = front.length, next.run.place == front.run.place, next.run.segment == front.run.segment,
            reel.slots.dropFirst().allSatisfy(\.hasFailed), let own = reel.course.liveLength(of: next.run)
        else { return false }
        let turns = lengthOfFailedTurns(before: reel.slots.count) + own
        _ = reel.slots.remove(from: 1)
        front.run = next.run
        front.timing.length = length + turns
        reel.liveness.turnEnd? += turns
        return true
    }

    // MARK: the beginning of a turn

    /// Gives a live slot its place when its first frame is decoded. `offset`: place of that frame in the source.
    func beginLive(slot index: Int, at offset: Time, _ context: PlaybackContext) {
        let slot = reel.slots[index], now = context.dueTime
        let isAhead = index > 0 && reel.slots[..<index].contains { !$0.isWhole }
        if index > 0, let live = reel.sources.live(slot.location) {
            let isOld = (slot.times.leased ?? .zero) - (slot.times.opened ?? .zero) > Self.unreadIsOld
            let edge = LiveEdge(live, drainsUntil: isOld ? context.now + Self.drainTime : nil)
            if isAhead { reel.liveness.prepare(edge, slot: slot.id) } else { reel.liveness.edge = edge }
        }
        let cushion = reel.liveness[edgeOfSlot: slot.id]?.cushion ?? .zero
        let start = now + cushion - offset
        slot.timing.start = start
        if index > 0, !slot.isReconnecting, let end = reel.slots[0].end, isAhead || end > now {
            slot.timing.takesOverAt = end
        }
        guard let length = slot.length ?? reel.course.liveLength(of: slot.run) else { return }
        guard hasTurns else {
            slot.timing.length = offset + length
            return
        }
        let end = turnEnd(ofSlot: index, lasting: length, context)
        reel.liveness.noteTurn(to: end, ofSlot: isAhead ? slot.id : nil)
        slot.timing.length = end - start
    }

    /// Returns the group time at which the turn ends that begins now: after its duration from the planned end of the turn
    /// before. If less than half of the duration is left, the turn lasts for one duration more.
    private func turnEnd(ofSlot index: Int, lasting length: Time, _ context: PlaybackContext) -> Time {
        let now = context.dueTime
        var begin: Time
        if let before = reel.liveness.turnEnd {
            begin = before + lengthOfFailedTurns(before: index)
        } else {
            // Turns of all tiles count from the beginning of the group's clock. A tile that is added later begins with its
            // first item.
            let asked = reel.slots[index].times.asked.map { context.now - $0 } ?? .zero
            begin = length * max(0, ((now - asked).ticks + length.ticks / 2) / length.ticks)
        }
        let left = begin + length - now
        if left < length / 2 {
            let missing = length / 2 - left
            begin += length * ((missing.ticks + length.ticks - 1) / length.ticks)
        }
        return begin + length
    }

    /// Returns the durations of the sources before a slot that have failed.
    private func lengthOfFailedTurns(before index: Int) -> Time {
        guard hasTurns else { return .zero }
        return reel.slots[..<index].filter(\.hasFailed).reduce(.zero) {
            $0 + (reel.timeline.stillLength(of: $1.run) ?? .zero)
        }
    }

    /// If a source is open for longer than this before a pipeline reads it, its first frames are old.
    private static var unreadIsOld: Time { .milliseconds(500) }
    /// Time in which a pipeline reads what a source has sent before.
    private static var drainTime: Time { .seconds(2) }
}
