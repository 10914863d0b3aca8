import Base
import Feeds

// State of the whole wall, seen from outside.
extension Snapshot {
    public enum Outlook: Sendable {
        /// A tile has nothing to show yet, but may have a frame soon.
        case incomplete
        case playing
        /// The last frame of each tile is over.
        case over
        /// Every source failed its first opening.
        case barren
    }

    public var outlook: Outlook {
        if isBarren { return .barren }
        if feeds.allSatisfy({ $0.phase == .ended }) { return .over }
        let isComplete = feeds.allSatisfy { feed in
            feed.screen.last != nil || feed.preview.frame != nil || feed.phase != .playing || feed.trouble.latest != nil
                || feed.playsOnlySound || feed.tiles.allSatisfy { tiles[$0].poster.image != nil }
        }
        return isComplete ? .playing : .incomplete
    }

    /// True if the wall cannot show anything: every source failed its first opening.
    public var isBarren: Bool {
        feeds.contains { !$0.timeline.items.isEmpty }
            && feeds.allSatisfy { feed in
                guard !feed.timeline.items.isEmpty else { return true }
                guard feed.screen.health.startup == nil, feed.preview.frame == nil else { return false }
                switch feed.phase {
                case .barren, .hopeless: return true
                case .ended: return feed.trouble.latest != nil
                case .playing: return false
                }
            }
    }

    /// True if a tile has frames to come, at once or after a jump.
    public var isMoving: Bool { feeds.contains { $0.phase == .playing && clocks[$0.group].motionToCome == .running } }

    /// Returns true if every tile that plays has its due frame.
    public func isWarm() -> Bool {
        feeds.allSatisfy {
            !$0.hasSeat || $0.phase != .playing || $0.isLive
                || $0.slots.covers(context(of: $0).dueTime, of: $0.course)
        }
    }

    /// True while the first film of a seated feed is still being opened, if the film is a local file.
    public var awaitsShapes: Bool {
        feeds.contains { feed in
            guard feed.hasSeat, feed.trouble.latest == nil, let source = feed.firstSource else { return false }
            return feed.sources.facts(of: source) == nil && SourceName.path(of: source) != nil
        }
    }

    /// Lines on the tiles that are past the end of their first iteration: where they are.
    public var wordsOnLaterIterations: [String] {
        tiles.order.compactMap { tile in
            let feed = feed(of: tile), name = tiles[tile].name
            guard let shown = feed.screen.presented, case let run = shown.run else { return nil }
            if feed.phase == .ended { return "\(name): it has ended by then, and shows its last frame" }
            if run.iteration == 0 { return nil }
            let position = feed.timeline.length(ofSegmentsBefore: run) + shown.offset
            return "\(name): it has begun again by then, and is at \(fixed(position.seconds, 3)) s of "
                + feed.timeline.segment(of: run).name
        }
    }

    /// Files that tiles and breaks play or read lyrics from, as the layout writes them.
    public var files: Set<String> {
        let items = tiles.playing.flatMap { tiles[$0].play } + layout.breaks.flatMap(\.play)
        let sources = items.flatMap { $0.segments.map(\.source) }
        return lyricsFiles.union(sources.filter { !SourceName.isURL($0) })
    }

    // MARK: frames that are due

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
