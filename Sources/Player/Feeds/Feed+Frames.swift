import Base
import Layout
import Scene

// The number of frames that an item should have shown.
extension Feed {
    /// Returns frames and length of an item of the feed's sequence, with all its rounds.
    func due(of item: PlayedItem) -> PlayedItem.Due {
        guard let whole = timeline.item(of: item.run) else { return PlayedItem.Due() }
        var due = PlayedItem.Due(frames: 0, length: .zero)
        for run in timeline.runs(ofItemAt: item.run.place) {
            let facts = sources.facts(of: timeline.segment(of: run).source)
            var length = timeline.length(of: run)
            // The run failed in another iteration since this one was shown.
            if length == .zero, item.distinct > 0, let whole = facts?.length {
                length = played(to: min(timeline.segment(of: run).end ?? whole, whole), of: run)
            }
            if facts == nil || facts?.kind == .video && length == .zero { due.isBroken = true }
            let frames = facts.flatMap { self.frames(of: run, $0) }
            due.frames = due.frames.flatMap { sum in frames.map { sum + $0 } }
            due.length = due.length.flatMap { sum in length.map { sum + $0 } }
        }
        // A still of several rounds is one frame.
        if !item.isStill { due.frames = due.frames.map { $0 * whole.rounds } }
        if due.length != nil { due.length = timeline.span(at: item.run.place) }
        return due
    }

    /// Returns the frames of one run; nil for a variable frame rate, a live source or an unknown length, which only
    /// playing shows.
    private func frames(of run: RunID, _ facts: OpenedFacts) -> Int? {
        switch facts.kind {
        case .still: return 1
        case .sound: return 0
        case .video: break
        }
        guard facts.live == nil, let frame = facts.frameLength, frame > .zero, let length = timeline.length(of: run)
        else { return nil }
        let segment = timeline.segment(of: run)
        var end = segment.start + length.played(at: timeline.rate(of: run))
        // A source that lacks parts ends earlier than its container promises.
        let lacks = length == .zero || trouble.lacksParts(of: segment.source)
        let whole = facts.promisedLength ?? (lacks ? facts.length : nil)
        guard facts.hasEvenRate || whole != nil else { return nil }
        if let whole { end = max(end, min(segment.end ?? whole, whole)) }
        // The frame at the in-point may begin before it.
        let slack = frame / 16
        let first = max(0, (segment.start + slack).ticks / frame.ticks)
        return max(0, Int((end - slack).ticks / frame.ticks + 1 - first))
    }

    /// Called when a run leaves the screen. Counts the frames that were never due because they lie before or after the
    /// iteration of its group.
    mutating func noteCut(of slot: Slot, isTogether: Bool) {
        guard let start = slot.start, let length = slot.length, slot.shortenedTo == nil,
            let facts = sources.facts(of: slot.location), facts.live == nil,
            let frame = facts.frameLength?.lasting(at: timeline.rate(of: slot.run)), frame > .zero
        else { return }
        // The source broke, and the run ended at its last frame.
        if let whole = timeline.length(of: slot.run), case let lost = whole - length, lost > frame / 2 {
            screen.noteLoss(Int((lost.ticks + frame.ticks / 2) / frame.ticks), of: slot.run)
        }
        let tail = slot.cut.map { max(.zero, start + length - max($0, start)) } ?? .zero
        var head = slot.arrival == .follows ? slot.takesOverAt.map { $0 > start ? $0 - start : .zero } ?? .zero : .zero
        // The first iteration is entered at the offset.
        if isTogether, slot.arrival == .entered, slot.entry <= anchor.offset { head = slot.entry }
        let frames = Int(min(head, length).ticks / frame.ticks) + Int(tail.ticks / frame.ticks)
        if frames > 0 { screen.noteCut(frames, of: slot.run) }
    }

    /// Returns `.none` unless the run is an item of one still image; `.again` if that image was shown before.
    func still(of slot: Slot) -> FeedScreen.Still {
        func isSingle(_ run: RunID) -> Bool {
            timeline.item(of: run)?.segments.count == 1
        }
        guard slot.isStill, !slot.frames.isEmpty, isSingle(slot.run) else { return .none }
        guard let before = screen.lastRun, isSingle(before), timeline.repeats(before, slot.run) else { return .new }
        return .again
    }
}
