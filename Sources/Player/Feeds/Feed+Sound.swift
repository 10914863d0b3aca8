import Base
import Layout
import Scene

// Runs of a feed that are heard.
extension Feed {
    /// Keeps slots that are over, since their sound is heard up to `lag` after its instant.
    mutating func keepSound(of slots: [Slot], lag: Time, _ context: PlaybackContext) {
        let kept = context.dueTime - (lag + .milliseconds(100)).played(at: context.rate)
        seam.history.keepSound(of: slots.compactMap(heardRun), since: kept, groupTime: context.dueTime)
    }

    /// Runs with a known beginning. Runs that failed are silent.
    var heardRuns: [HeardRun] {
        let runs = slots.compactMap(heardRun)
        let begin = runs.first?.start ?? .distantFuture
        return seam.history.heard.filter { $0.start < begin } + runs
    }

    private func heardRun(_ slot: Slot) -> HeardRun? {
        // A server is asked for the sound when it has sent frames.
        let facts = sources.facts(of: slot.location)
        guard let start = slot.start, !slot.hasFailed, facts != nil || SourceName.path(of: slot.location) != nil
        else { return nil }
        // The facts of a live source are those of its last connection until the next one is open.
        if facts?.live != nil, !slot.wasOpened { return nil }
        var segment = timeline.segment(of: slot.run)
        guard let facts, facts.live != nil else {
            let rate = timeline.rate(of: slot.run)
            // The part before its entry was not heard before either.
            let unheard = slot.arrival == .follows ? slot.entry : .zero
            segment.start += unheard.played(at: rate)
            segment.songStart = segment.songStart.map { $0 + unheard.played(at: rate) }
            return HeardRun(
                item: slot.run.place, segment: segment, start: start + unheard, end: slot.end, rate: rate, origin: nil,
                fade: slot.fade)
        }
        return HeardRun(
            item: slot.run.place, segment: Item.Segment(source: segment.source), start: start,
            end: slot.end, rate: .one, origin: facts.origin)
    }
}
