import Base
import Layout
import Scene

// Turns of live sources in one sequence: each source is shown for its duration.
//
// The source of the next turn is opened before the turn begins. With a pipeline to spare, its frames are decoded, too.
// The source on the screen plays on until the next one is open, or has a frame if another pipeline decodes it. A turn
// that begins late is shorter, so that tiles with equal durations change at the same time. If a source can't be played,
// its time falls to the source that follows.
extension Reel {
    /// Longest time for which a source plays on after its turn. A source that does not open is given up before.
    private static var longestExtension: Time { .seconds(15) }

    /// True if all sources of the sequence are live, as far as they are known, and each has a duration.
    private var hasTurns: Bool {
        let runs = timeline.allRuns
        return timeline.top == nil && runs.count > 1
            && runs.allSatisfy { run in
                timeline.stillLength(of: run) != nil
                    && sources.facts(of: timeline.segment(of: run).source).map { $0.live != nil } ?? true
            }
    }

    // MARK: the end of a turn

    /// Ends a live run when its duration is over, even if its source sends nothing.
    mutating func endLive(_ context: PlaybackContext, _ effects: inout Effects) {
        guard let end = endOfLiveRun, end <= context.dueTime, !playsOn(context), let front = slots.first else { return }
        sources.retire(front, &effects)
        slots[0].end(id: slots.makeID())
        // The run after it may have its first frame already.
        begin(context)
        effects.wakeScreen()
    }

    /// True if the live front plays on although its duration is over: what follows has nothing to show yet, and does not
    /// wait for the front's pipeline.
    func playsOn(_ context: PlaybackContext) -> Bool {
        guard let front = slots.first, timeline.top == nil, let end = front.end,
            context.dueTime < end + Self.longestExtension
        else { return false }
        guard let index = slots.indices.dropFirst().first(where: { !slots[$0].hasFailed }) else {
            guard let last = slots.last, course.following(last.run) != nil else { return false }
            return !last.hasFailed || course.onError(in: last.run) != .stop
        }
        switch slots[index].loading {
        case .planned, .opening: return !slots.inherits(index)
        case .leased: return slots[index].frames.isEmpty
        case .ready, .whole, .failed: return false
        }
    }

    /// True if the live front is about to end, so that the source after it is opened.
    func isEnding(_ context: PlaybackContext) -> Bool { liveOpening.map { $0 <= context.dueTime } ?? false }

    /// Group time at which the source after the live front is opened; nil if none is opened ahead.
    var liveOpening: Time? {
        guard isLive, slots.count == 1, timeline.top == nil, let front = slots.first, !front.isWhole,
            front.start != nil, let end = front.end, let next = course.following(front.run)
        else { return nil }
        return end - sources.openingLead(of: timeline.segment(of: next).source)
    }

    /// Gives the live front another turn if everything between its turns has failed. `next`: the run that would follow.
    /// Returns false if `next` is to be opened.
    mutating func goOnLive(as next: Slot) -> Bool {
        guard isLive, slots.count > 1, let front = slots.first, !front.isWhole, let length = front.length,
            next.run.place == front.run.place, next.run.segment == front.run.segment,
            slots.dropFirst().allSatisfy(\.hasFailed), let own = course.liveLength(of: next.run)
        else { return false }
        let turns = lengthOfFailedTurns(before: slots.count) + own
        _ = slots.remove(from: 1)
        slots[0].become(next.run)
        slots[0].setLength(length + turns)
        liveness.extendTurn(by: turns)
        return true
    }

    // MARK: the beginning of a turn

    /// Gives a live slot its place when its first frame is decoded. `offset`: place of that frame in the source.
    mutating func beginLive(slot index: Int, at offset: Time, _ context: PlaybackContext) {
        let slot = slots[index], now = context.dueTime
        let isAhead = index > 0 && slots[..<index].contains { !$0.isWhole }
        if index > 0, let live = sources.live(slot.location) {
            let isOld = (slot.times.leased ?? .zero) - (slot.times.opened ?? .zero) > Self.unreadIsOld
            let edge = LiveEdge(live, drainsUntil: isOld ? context.now + Self.drainTime : nil)
            if isAhead { liveness.prepare(edge, slot: slot.id) } else { liveness.begin(edge) }
        }
        let cushion = liveness.edge(ofSlot: slot.id)?.cushion ?? .zero
        let start = now + cushion - offset
        slots[index].timing.begin(at: start)
        if index > 0, !slot.isReconnecting, let end = slots[0].end, isAhead || end > now {
            slots[index].timing.takeOver(at: end)
        }
        guard let length = slot.length ?? course.liveLength(of: slot.run) else { return }
        guard hasTurns else { return slots[index].setLength(offset + length) }
        let end = turnEnd(ofSlot: index, lasting: length, context)
        liveness.noteTurn(to: end, ofSlot: isAhead ? slot.id : nil)
        slots[index].setLength(end - start)
    }

    /// Returns the group time at which the turn ends that begins now: after its duration from the planned end of the turn
    /// before. If less than half of the duration is left, the turn lasts for one duration more.
    private func turnEnd(ofSlot index: Int, lasting length: Time, _ context: PlaybackContext) -> Time {
        let now = context.dueTime
        var begin: Time
        if let before = liveness.turnEnd {
            begin = before + lengthOfFailedTurns(before: index)
        } else {
            // Turns of all tiles count from the beginning of the group's clock. A tile that is added later begins with its
            // first item.
            let asked = slots[index].times.asked.map { context.now - $0 } ?? .zero
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
        return slots[..<index].filter(\.hasFailed).reduce(.zero) {
            $0 + (timeline.stillLength(of: $1.run) ?? .zero)
        }
    }

    /// If a source is open for longer than this before a pipeline reads it, its first frames are old.
    private static var unreadIsOld: Time { .milliseconds(500) }
    /// Time in which a pipeline reads what a source has sent before.
    private static var drainTime: Time { .seconds(2) }
}
