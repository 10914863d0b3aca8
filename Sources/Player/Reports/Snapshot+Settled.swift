import Base
import Feeds

// Decides whether all frames that are due at this instant are decoded. `render` waits until they are.
extension Snapshot {
    /// Returns true if every clock runs, and every tile has the frame that is due now or will never have one. The
    /// frames on screen then depend on the layout and the instant alone.
    public func isSettled() -> Bool {
        tiles.order.allSatisfy { tiles[$0].poster.isSettled } && feeds.allSatisfy(isSettled)
    }

    /// True while a source is being opened, whether it is due or not. Time that passes meanwhile would count as the time
    /// that the source takes to answer. Live sources are not waited for.
    public var isOpening: Bool {
        openRequests.awaited.contains { opening in
            feeds.contains(opening.feed) && !feeds[opening.feed].isLive && !SourceName.isPushed(opening.location)
        }
    }

    /// True if all clocks have started.
    public var hasBegun: Bool { clocks.allSatisfy { $0.phase == .going } }

    /// Names of the tiles in groups with a waiting clock.
    public var waitingTiles: [String] {
        tiles.order.filter { clocks[feed(of: $0).group].phase != .going }.map { tiles[$0].name }
    }

    /// Returns the names of the tiles that are not settled, and the pipelines that work for them.
    public func unsettled() -> (tiles: [String], pipelines: [Int]) {
        let waiting = feeds.filter { !isSettled($0) }.map(\.id)
        return (
            tiles.order.filter { waiting.contains(tiles[$0].feed) }.map { tiles[$0].name },
            pool.pipelines.indices.filter { pool.lease(of: $0).map { waiting.contains($0.feed) } ?? false }
        )
    }

    private func isSettled(_ feed: Feed) -> Bool {
        guard feed.phase == .playing, !feed.tiles.isEmpty, !feed.isLive else { return true }
        guard feed.hasSeat else { return isPreviewSettled(feed) }
        // Iterations that begin together depend on the lengths of all members.
        let isTogether = clocks[feed.group].isTogether
        if isTogether, openRequests.isProbing(feed.id) { return false }
        let groupTime = context(of: feed).dueTime
        guard let current = feed.slots.lastIndex(where: { $0.takesOverFrom.map { $0 <= groupTime } ?? false }) else {
            // Before its beginning a tile shows its first frame.
            guard let front = feed.slots.first, front.start != nil else { return false }
            return !front.frames.isEmpty || front.isWhole
        }
        guard feed.slots[..<current].allSatisfy(\.isWhole) else { return false }
        let slot = feed.slots[current]
        if let end = slot.end, end <= groupTime, slot.isWhole {
            guard let next = feed.course.following(slot),
                !(feed.course.onError(in: slot.run) == .stop && slot.hasFailed)
            else { return true }
            // The tile waits for the others of its group, or for the start of its next run.
            return isTogether
                && (next.iteration > clocks[feed.group].iterations.number
                    || feed.slots[(current + 1)...].first?.start != nil)
        }
        if slot.isWhole { return true }
        guard let start = slot.start, let first = slot.frames.first else { return false }
        return start + first.offset <= max(groupTime, start + slot.entry) && groupTime < start + slot.decodedTo
    }

    private func isPreviewSettled(_ feed: Feed) -> Bool {
        if feed.screen.last != nil || feed.preview.frame != nil { return true }
        switch feed.preview.loading {
        case .planned, .opening, .ready, .leased: return false
        case .whole, .failed, nil: return true
        }
    }
}
