import Base
import Feeds
import Layout
import Scene

// Events of live tiles that stopped showing new frames, froze, or recovered.
extension Playbacks {
    // MARK: reports

    /// Notes that a frame of a slot was presented. Emits a recovery if its source was reported as away.
    mutating func noteLiveFrame(of feed: FeedID, _ slot: Slot, _ context: WallContext) {
        let source = slot.location
        let live = clocks[feeds[feed].group].liveClock.position(at: context.now)
        if let newest = feeds[feed].liveness.newest, newest.source != source {
            endFreeze(of: feed, context)
            feeds[feed].liveness.forgetStillness()
        }
        guard let since = feeds[feed].reel.noteLiveFrame(of: slot, live: live, of: feeds[feed].group, at: context.now)
        else { return }
        emit(of: feed, context) {
            .recovered(tile: $0, source: source, after: max(.zero, context.now - since), from: .absence)
        }
    }

    /// Reports live sources that have sent no frame for the tile's limit.
    /// Returns the wall time of the next check. A steady stream causes no update by itself.
    mutating func reportStale(_ context: WallContext) -> Time? {
        var next = Earliest()
        for feed in feeds.ids {
            if feeds[feed].isLive, feeds[feed].liveness.newest == nil {
                next.add(leastStaleLimit(of: feed, context).map { context.now + $0 })
            }
            guard let newest = feeds[feed].liveness.newest, feeds[feed].hasSeat,
                feeds[feed].phase != .ended || feeds[feed].lastingTrouble != nil,
                !feeds[feed].liveness.isStale(newest.source),
                feeds[feed].liveSource == newest.source,
                isLiveClockRunning(feeds[feed]),
                let limit = leastStaleLimit(of: feed, context),
                let age = age(of: feeds[feed], showing: newest.source, at: context.now)
            else { continue }
            // The feed could present no frame before it got its seat.
            let since = max(context.now - age, feeds[feed].liveness.seatedAt ?? context.now - age)
            guard context.now - since >= limit else {
                next.add(since + limit)
                continue
            }
            feeds[feed].liveness.noteStale(newest.source, since: context.now - age)
            emit(of: feed, context) { .stale(tile: $0, source: newest.source, for: age) }
        }
        return next.instant
    }

    /// Notes whether a new frame of a source equals the one before it. Emits the start and end of a freeze.
    mutating func note(_ stillness: Stillness, of feed: FeedID, _ source: String, _ context: WallContext) {
        let live = clocks[feeds[feed].group].liveClock.position(at: context.now)
        switch stillness {
        case .unknown: break
        case .moved:
            let since = feeds[feed].liveness.stillSince ?? live
            for tile in feeds[feed].liveness.noteMotion(at: live) where context.tiles.contains(tile) {
                emit(
                    .recovered(tile: context.tiles[tile].name, source: source, after: live - since, from: .freeze),
                    context)
            }
        case .same:
            feeds[feed].liveness.noteStillness(at: live)
            let still = live - (feeds[feed].liveness.stillSince ?? live)
            for tile in feeds[feed].tiles where !feeds[feed].liveness.frozenTiles.contains(tile) {
                guard let limit = context.frozenLimit(of: tile), still >= limit else { continue }
                feeds[feed].liveness.noteFrozen(tile)
                emit(.frozen(tile: context.tiles[tile].name, source: source, for: still), context)
            }
        }
    }

    /// Emits the end of a freeze for tiles that are not watched any more.
    mutating func endFreeze(of feed: FeedID, _ context: WallContext) {
        guard let since = feeds[feed].liveness.stillSince,
            let source = feeds[feed].liveness.newest?.source
        else {
            return
        }
        let live = clocks[feeds[feed].group].liveClock.position(at: context.now)
        for tile in feeds[feed].liveness.frozenTiles where context.tiles.contains(tile) {
            emit(
                .recovered(tile: context.tiles[tile].name, source: source, after: live - since, from: .freeze), context)
        }
    }

    /// Ends the freeze of tiles that are not watched any more.
    mutating func settleStillness(_ context: WallContext) {
        for feed in feeds.ids where feeds[feed].liveness.stillSince != nil {
            if !feeds[feed].tiles.contains(where: { context.frozenLimit(of: $0) != nil }) {
                endFreeze(of: feed, context)
                feeds[feed].liveness.forgetStillness()
            }
        }
    }
}

extension Time {
    /// "12 s", "2 min 5 s", "3 h 12 min".
    var ageText: String {
        let seconds = max(0, ticks) / Time.ticksPerSecond
        switch seconds {
        case ..<60: return "\(seconds) s"
        case ..<3600: return "\(seconds / 60) min \(seconds % 60) s"
        default: return "\(seconds / 3600) h \(seconds / 60 % 60) min"
        }
    }
}

extension PlaybackParts {
    fileprivate func leastStaleLimit(of feed: FeedID, _ context: WallContext) -> Time? {
        feeds[feed].tiles.compactMap { context.staleLimit(of: $0, feeds[feed]) }.min()
    }
}
