import Base
import Commands
import Scene

/// Marks of A-B loops that users set.
struct ABLoops {
    func mark(
        _ change: Command.ABLoopChange, of tile: TileID, _ group: GroupID, _ snapshot: Snapshot
    ) -> CommandAnswer {
        let feed = snapshot.feeds[snapshot.tiles[tile].feed]
        var marks = snapshot.clocks[group].marks
        switch change {
        case .next where marks.a != nil && marks.b != nil: marks = ABLoopMarks()
        case .next where marks.a == nil: marks.a = frameOnScreen(of: feed, snapshot)
        case .next: marks.b = frameOnScreen(of: feed, snapshot)
        case .a(let time): marks.a = time.flatMap { instant($0, inItemOf: feed) }
        case .b(let time): marks.b = time.flatMap { instant($0, inItemOf: feed) }
        }
        return .done(.setABLoop(of: group, marks, shortest: snapshot.frameLength(of: tile) ?? .milliseconds(40)))
    }

    /// Extent of the frame on the screen; if there is none, the clock's position as an empty range.
    private func frameOnScreen(of feed: Feed, _ snapshot: Snapshot) -> Range<Time> {
        let groupTime = snapshot.context(of: feed.id, at: snapshot.now).groupTime, phase = feed.framePhase
        guard let begin = feed.beginningOfFrame(at: groupTime), let end = feed.endOfFrame(at: groupTime), begin < end,
            groupTime < end
        else { return snapshot.clocks[feed.group].clock.instant(at: snapshot.now) }
        return begin - phase..<end - phase
    }

    /// Group time of a place in the item that a feed plays.
    private func instant(_ place: Time, inItemOf feed: Feed) -> Range<Time>? {
        guard let front = feed.slots.first, let start = front.start else { return nil }
        let instant = max(.zero, start - feed.timeline.length(ofSegmentsBefore: front.run) + max(.zero, place))
        return instant..<instant
    }

    /// Text on the marks that were set.
    func notice(of tile: TileID, _ snapshot: Snapshot) -> Edit {
        let feed = snapshot.feeds[snapshot.tiles[tile].feed], marks = snapshot.clocks[feed.group].marks
        let texts = [("A", marks.a?.lowerBound), ("B", marks.b?.upperBound)].compactMap { name, time in
            time.flatMap { snapshot.placeInItem($0, of: feed) }.map { "\(name) \($0.clockText(.milliseconds))" }
        }
        return .notice(texts.isEmpty ? "no A-B loop" : texts.joined(separator: "  "))
    }
}
