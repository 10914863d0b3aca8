import Base
import Layout

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
