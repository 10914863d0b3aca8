import Base
import Feeds

/// Decides whether all frames that are due at this instant are decoded. `render` waits until they are.
public struct SettledReport {
    let snapshot: Snapshot

    public init(_ snapshot: Snapshot) { self.snapshot = snapshot }

    /// Returns true if every clock runs, and every tile has the frame that is due now or will never have one. The
    /// frames on screen then depend on the layout and the instant alone.
    public func isSettled() -> Bool {
        snapshot.tiles.order.allSatisfy { snapshot.tiles[$0].poster.isSettled }
            && snapshot.feeds.ids.allSatisfy { isSettled($0) }
    }

    /// True while a source is being opened, whether it is due or not. Time that passes meanwhile would count as the time
    /// that the source takes to answer. Live sources are not waited for.
    public var isOpening: Bool {
        snapshot.openRequests.awaited.contains { opening in
            snapshot.feeds.ids.contains(opening.feed) && !snapshot.feeds[opening.feed].isLive
                && !SourceName.isPushed(opening.location)
        }
    }

    /// True if all clocks have started.
    public var hasBegun: Bool { snapshot.clocks.allSatisfy { $0.phase == .going } }

    /// Names of the tiles in groups with a waiting clock.
    public var waitingTiles: [String] {
        snapshot.tiles.order.filter { snapshot.clocks[snapshot.feeds[snapshot.tiles[$0].feed].group].phase != .going }
            .map { snapshot.tiles[$0].name }
    }

    /// Returns the names of the tiles that are not settled, and the pipelines that work for them.
    public func unsettled() -> (tiles: [String], pipelines: [Int]) {
        let waiting = snapshot.feeds.ids.filter { !isSettled($0) }
        return (
            snapshot.tiles.order.filter { waiting.contains(snapshot.tiles[$0].feed) }.map { snapshot.tiles[$0].name },
            snapshot.pool.pipelines.indices.filter {
                snapshot.pool.lease(of: $0).map { waiting.contains($0.feed) } ?? false
            }
        )
    }

    private func isSettled(_ index: FeedID) -> Bool {
        let feed = snapshot.feeds[index]
        guard feed.phase == .playing, !feed.tiles.isEmpty, !feed.isLive else { return true }
        guard feed.hasSeat else { return isPreviewSettled(feed) }
        // Iterations that begin together depend on the lengths of all members.
        let isTogether = snapshot.clocks[feed.group].isTogether
        if isTogether, snapshot.openRequests.isProbing(index) { return false }
        let groupTime = snapshot.transport.context(of: index, at: snapshot.now).dueTime
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
            else {
                return true
            }
            // The tile waits for the others of its group, or for the start of its next run.
            return isTogether
                && (next.iteration > snapshot.clocks[feed.group].iterations.number
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
