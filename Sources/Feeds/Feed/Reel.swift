import Base
import Layout
import Opened

/// The runs of a feed in their order: their places on the clock, their decoded frames, and the facts of their sources.
///
/// `Feed.plan` makes the next slot when less than five seconds of the last slot are left, or when that slot is decoded
/// whole. More slots are made only while all together are shorter than the depth. A run that is followed by itself and
/// is at most `Depth.usual` long is decoded once and replayed.
///
/// A source that does not answer is skipped after a second (`Slot.Response`): the slots after it are decoded. If the
/// length of its run is known (zero after a failure), these slots play at their time. Otherwise the next slot starts
/// when the attempt is given up and the slot's first frame is decoded (`Slot.holdsNext`, `beginAwaited`). A run also waits
/// for its first frame if its source was opened after the run was due, or if the server of an open source answers more
/// than a second after the run was due (`awaitFirstFrameIfLate`). The seam is reported with the delay (`SlotTiming.dueAt`).
public final class Reel {
    public var course: Course
    public internal(set) var slots = SlotQueue()
    public var sources: FeedSources
    public var liveness = Liveness()
    public var decoding = DecodeRecord()
    /// The runs that layers have interrupted, one for each layer that waits at most, from the lowest up. Their frames
    /// beyond the cut are decoded already.
    var interrupted = InterruptedRuns()

    init(_ tile: TileLayout, _ outbox: Outbox) { (course, sources) = (Course(tile), FeedSources(outbox)) }

    /// Goes on from the place of a divided feed, with sources of its own. `isDecoded`: true to go on with the decoded
    /// frames of the front, which are shown while the source is opened again.
    init(divided other: Reel, isDecoded: Bool) {
        (course, liveness) = (other.course, other.liveness)
        interrupted = InterruptedRuns(slots: other.interrupted.slots.map { $0.copy() })
        (slots, sources) = (SlotQueue(after: other.slots), FeedSources(known: other.sources))
        guard isDecoded, let front = other.slots.first else {
            liveness.end()
            course.abLoop = nil
            return
        }
        slots.append(front.divided(id: slots.makeID()))
    }

    var timeline: Timeline { course.timeline }
    var anchor: Anchor { course.anchor }
    var turns: LiveTurns { LiveTurns(reel: self) }

    // MARK: slots

    func makeSlot(_ run: RunID, start: Time?, entry: Time = .zero) -> Slot {
        let slot = Slot(id: slots.makeID(), run, of: timeline, start: start, entry: max(entry, timeline.entry(of: run)))
        if let cut = timeline.cutOffset(of: run) { slot.shorten(to: cut) }
        slot.timing.dueTolerance = sources.dueTolerance(of: slot, at: timeline.rate(of: slot.run))
        return slot
    }

    /// Drops all slots from this one on.
    func drop(from index: Int = 0) { for slot in slots.remove(from: index) { sources.retire(slot) } }

    /// Plans the runs of a feed that is heard and not seen. None is opened or decoded.
    public func listen(_ context: PlaybackContext) {
        let groupTime = context.dueTime
        // Both runs are heard during a fade.
        if slots.count > 1, let next = slots[1].fadeEnd ?? slots[1].takesOverFrom, next <= groupTime {
            _ = slots.remove(before: 1)
        }
        if slots.first?.isOver(at: groupTime) ?? true { enter(context) }
        guard let end = slots[0].end, end > groupTime else { return }
        if slots.count == 1, end <= groupTime + FeedSources.prepareAhead,
            let next = makeSuccessor(of: slots[0], context.group)
        {
            slots.append(next)
        }
        chain(context.group)
    }

    // MARK: lengths

    /// Returns the next run to probe for its length. Iterations that begin together need all lengths before the first
    /// iteration is over, also those of a feed without a seat. A scrub on an item of several segments needs the lengths
    /// of the item.
    public func unknownLength(_ group: Group, hasSeat: Bool) -> RunID? {
        let front = slots.first?.run
        guard front != nil || !hasSeat, !mayBeLive else { return nil }
        let runs = group.isTogether ? timeline.allRuns : front.map { timeline.runs(ofItemAt: $0.place) } ?? []
        func isUnknown(_ run: RunID) -> Bool {
            timeline.length(of: run) == nil && !sources.probed.contains(run)
                && !SourceName.isPushed(timeline.segment(of: run).source)
        }
        guard group.isTogether || runs.count > 1, let unknown = runs.first(where: isUnknown) else { return nil }
        let isComing = slots.contains { slot in
            slot.run.place == unknown.place && slot.run.segment == unknown.segment && !slot.isWhole
        }
        return isComing ? nil : unknown
    }

    /// Applies the facts of an opened source to all its segments. `time`: wall time that opening it took.
    public func learn(_ facts: OpenedFacts, of location: String, openedIn time: Time) {
        if facts.kind == .still || facts.live != nil { sources.fetchTimes[location] = time }
        sources.learn(facts, of: location)
        for index in slots.indices where slots[index].location == location {
            let rate = timeline.rate(of: slots[index].run)
            slots[index].timing.dueTolerance = sources.dueTolerance(of: slots[index], at: rate)
        }
        for run in timeline.runs(of: location) { learnLength(facts, of: run) }
    }

    /// Applies the known facts of sources to a new sequence.
    func relearnLengths() {
        for run in timeline.allRuns where timeline.length(of: run) == nil {
            if let facts = sources.facts(of: timeline.segment(of: run).source) { learnLength(facts, of: run) }
        }
    }

    private func learnLength(_ facts: OpenedFacts, of run: RunID) {
        course.learn(facts, of: run)
        // The length of a live slot that has begun follows from its first frame.
        slots.setLengths(of: run, to: timeline.length(of: run)) {
            facts.live == nil || $0.start == nil && !$0.isReconnecting
        }
    }

    /// Called when a source was opened only for its length and failed.
    public func noteUnknown(_ location: String) {
        for run in timeline.runs(of: location) { course.timeline.learn(course.lengthOfFailure(run), of: run) }
    }
}
