import Base

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

    /// Beginnings of the tiles that have shown a frame.
    public var beginnings: [TileBeginning] {
        tiles.order.compactMap { tile in
            let feed = feed(of: tile)
            guard let shown = feed.screen.presented else { return nil }
            let run = shown.run
            return TileBeginning(
                tile: tiles[tile].name, source: feed.timeline.segment(of: run).name,
                position: feed.timeline.length(ofSegmentsBefore: run) + shown.offset,
                iteration: feed.phase == .ended ? .over : run.iteration > 0 ? .later : .first)
        }
    }

    /// Files that tiles and breaks play or read lyrics from, as the layout writes them.
    public var files: Set<String> {
        let items = tiles.playing.flatMap { tiles[$0].play } + layout.breaks.flatMap(\.play)
        let sources = items.flatMap { $0.segments.map(\.source) }
        return lyricsFiles.union(sources.filter { !SourceName.isURL($0) })
    }
}

/// The frame that a tile shows first if the wall does not start at its beginning.
public struct TileBeginning: Sendable, Equatable {
    public var tile: String
    /// Name for the user, without secrets.
    public var source: String
    /// Position in its item, in group time.
    public var position: Time
    public var iteration: Iteration

    public enum Iteration: Sendable { case first, later, over }
}
