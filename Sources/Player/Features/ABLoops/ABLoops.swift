import Base
import Commands
import Feeds

/// A-B loops: the marks that a command sets. The group keeps them.
struct ABLoops: Feature {
    mutating func carryOut(_ command: Change, of tile: TileID?, _ snapshot: Snapshot) -> FeatureAnswer? {
        guard case .abLoop(let change, let scope) = command else { return nil }
        guard let tile else { return .refused() }
        let marked = scope == .group ? snapshot.tiles.playingTile(for: tile) : snapshot.tiles.tileMovedAlone(for: tile)
        let feed = snapshot.feed(of: marked), group = snapshot.clocks[feed.group]
        if feed.isLive { return .refused("a live source has no A-B loop") }
        guard group.hasStarted else { return .refused() }
        // A tile that is moved alone from now on has no marks yet.
        let isMoved =
            scope == .group || group.isAlone || snapshot.tileFeeds.isOnlyTile(marked, of: feed.group, besideLive: true)
        var marks = isMoved ? group.marks : ABLoopMarks()
        switch change {
        case .next where marks.a != nil && marks.b != nil: marks = ABLoopMarks()
        case .next where marks.a == nil: marks.a = frameOnScreen(of: feed, snapshot)
        case .next: marks.b = frameOnScreen(of: feed, snapshot)
        case .a(let time): marks.a = time.flatMap { instant($0, inItemOf: feed) }
        case .b(let time): marks.b = time.flatMap { instant($0, inItemOf: feed) }
        }
        let shortest = snapshot.frameLength(of: marked) ?? .milliseconds(40)
        return .done(.setABLoop(of: tile, scope, marks, shortest: shortest))
    }

    /// Extent of the frame on the screen; if there is none, the clock's position as an empty range.
    private func frameOnScreen(of feed: Feed, _ snapshot: Snapshot) -> Range<Time> {
        let groupTime = snapshot.context(of: feed).dueTime, phase = feed.watched.pairShift
        guard let (begin, end) = feed.timesOfFrame(at: groupTime), begin < end, groupTime < end
        else { return snapshot.clocks[feed.group].clock.instant(at: snapshot.now) }
        return begin - phase..<end - phase
    }

    /// Group time of a place in the item that a feed plays.
    private func instant(_ place: Time, inItemOf feed: Feed) -> Range<Time>? {
        guard let front = feed.slots.first, let start = front.start else { return nil }
        let instant = max(.zero, start - feed.timeline.length(ofSegmentsBefore: front.run) + max(.zero, place))
        return instant..<instant
    }

    func notice(after command: Change, of tile: TileID?, _ snapshot: Snapshot) -> String? {
        guard case .abLoop(_, let scope) = command, let tile else { return nil }
        let marked = scope == .group ? snapshot.tiles.playingTile(for: tile) : snapshot.tiles.tileMovedAlone(for: tile)
        let feed = snapshot.feed(of: marked), marks = snapshot.clocks[feed.group].marks
        let texts = [("A", marks.a?.lowerBound), ("B", marks.b?.upperBound)].compactMap { name, time in
            time.flatMap { snapshot.placeInItem($0, of: feed) }.map { "\(name) \($0.clockText(.milliseconds))" }
        }
        return texts.isEmpty ? "no A-B loop" : texts.joined(separator: "  ")
    }
}
