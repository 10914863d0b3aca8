import Base
import Feeds
import Opened

// Events of live tiles that stopped showing new frames, froze, or recovered.
extension Playout {
    // MARK: reports

    /// Notes that a frame of a slot was presented. Emits a recovery if its source was reported as away.
    func noteLiveFrame(of feed: Feed, _ slot: Slot) {
        let source = slot.location
        if let newest = feed.liveness.newest, newest.source != source {
            endFreeze(of: feed)
            feed.reel.liveness.forgetStillness()
        }
        guard let since = feed.reel.noteLiveFrame(of: slot, live: liveTime(of: feed), of: feed.group, at: now)
        else { return }
        emit(of: feed) { .recovered(tile: $0, source: source, after: max(.zero, now - since), from: .absence) }
    }

    /// Position of the clock that the live feeds of a feed's group follow.
    private func liveTime(of feed: Feed) -> Time { transport.clocks[feed.group].liveClock.position(at: now) }

    /// Reports live sources that have sent no frame for the tile's limit.
    /// Returns the wall time of the next check. A steady stream causes no update by itself.
    func reportStale() -> Time? {
        var next = Earliest()
        for feed in feeds {
            if feed.isLive, feed.liveness.newest == nil { next.add(leastStaleLimit(of: feed).map { now + $0 }) }
            guard let newest = feed.liveness.newest, feed.hasSeat, feed.phase != .ended || feed.lastingTrouble != nil,
                !feed.liveness.isStale(newest.source), feed.liveSource == newest.source,
                transport.isLiveClockRunning(feed), let limit = leastStaleLimit(of: feed),
                let age = transport.age(of: feed, showing: newest.source, at: now)
            else { continue }
            // The feed could present no frame before it got its seat.
            let since = max(now - age, feed.liveness.seatedAt ?? now - age)
            guard now - since >= limit else {
                next.add(since + limit)
                continue
            }
            feed.reel.liveness.noteStale(newest.source, since: now - age)
            emit(of: feed) { .stale(tile: $0, source: newest.source, for: age) }
        }
        return next.instant
    }

    /// Notes whether a new frame of a source equals the one before it. Emits the start and end of a freeze.
    func note(_ stillness: Stillness, of feed: Feed, _ source: String) {
        let live = liveTime(of: feed), since = feed.liveness.stillSince ?? live
        switch stillness {
        case .unknown: break
        case .moved: thaw(feed.reel.liveness.noteMotion(at: live), source, after: live - since)
        case .same:
            feed.reel.liveness.noteStillness(at: live)
            let still = live - since
            for tile in feed.tiles where !feed.liveness.frozenTiles.contains(tile) {
                guard let limit = frozenLimit(of: tile), still >= limit else { continue }
                feed.reel.liveness.noteFrozen(tile)
                emit(.frozen(tile: tiles[tile].name, source: source, for: still))
            }
        }
    }

    /// Emits the end of a freeze for tiles that are not watched any more.
    func endFreeze(of feed: Feed) {
        guard let since = feed.liveness.stillSince, let source = feed.liveness.newest?.source else { return }
        thaw(feed.liveness.frozenTiles, source, after: liveTime(of: feed) - since)
    }

    private func thaw(_ frozen: [TileID], _ source: String, after still: Time) {
        for tile in frozen where tiles.contains(tile) {
            emit(.recovered(tile: tiles[tile].name, source: source, after: still, from: .freeze))
        }
    }

    /// Ends the freeze of tiles that are not watched any more.
    func settleStillness() {
        for feed in feeds where feed.liveness.stillSince != nil && !reportsFreezes(of: feed) {
            endFreeze(of: feed)
            feed.reel.liveness.forgetStillness()
        }
    }

    /// Returns true if the frames of a lease are to be judged by those before them.
    func watchesStillness(_ lease: Lease) -> Bool {
        let feed = feeds[lease.feed]
        guard lease.purpose == .play, feed.isLive, feed.slots.first?.id == lease.slot else { return false }
        return reportsFreezes(of: feed) && feed.sources.live(lease.location) != nil
    }

    /// True if a tile of a feed is reported as frozen when the frames are alike for long.
    func reportsFreezes(of feed: Feed) -> Bool { feed.tiles.contains { frozenLimit(of: $0) != nil } }

    private func leastStaleLimit(of feed: Feed) -> Time? { feed.tiles.compactMap { staleLimit(of: $0, feed) }.min() }
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
