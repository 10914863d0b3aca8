import Base
import Layout
import Scene

// Liveness: detects live tiles that do not show what their sources show now.
extension PlayerCore {
    // MARK: reports

    /// Notes that a frame of a slot was presented. Emits a recovery if its source was reported as away.
    mutating func noteLiveFrame(of feed: FeedID, _ slot: Slot, at now: Time) {
        let source = slot.location
        if let since = feeds[feed].liveness.comeBack(with: slot) {
            emit(of: feed, at: now) {
                .recovered(tile: $0, source: source, after: max(.zero, now - since), from: .absence)
            }
        }
        guard feeds[feed].isKnownLive(source) else { return }
        let group = feeds[feed].group
        feeds[feed].liveness.present(
            Liveness.Frame(
                source: source, now: now, live: clocks[group].liveClock.position(at: now), group: group))
        // A steady stream causes no update by itself.
        if let limit = leastStaleLimit(of: feed) { effects.scheduleUpdate(at: now + limit) }
    }

    private func leastStaleLimit(of feed: FeedID) -> Time? {
        feeds[feed].tiles.compactMap { staleLimit(of: $0) }.min()
    }

    /// Returns the wall time since which no frame of a source was presented. The source is now reported as away.
    func absenceBegin(of source: String, _ feed: Feed, at now: Time) -> Time {
        guard let newest = feed.liveness.newest, newest.source == source,
            let age = age(of: feed, showing: source, at: now)
        else { return feed.screen.dueSince ?? now }
        return now - age
    }

    /// Reports live sources that have sent no frame for the tile's limit.
    mutating func reportStale(at now: Time) {
        for feed in feeds.ids {
            guard let newest = feeds[feed].liveness.newest, feeds[feed].hasSeat, feeds[feed].phase != .ended,
                !feeds[feed].liveness.isAway(newest.source), feeds[feed].liveSource == newest.source,
                isLiveClockRunning(feeds[feed]),
                let limit = leastStaleLimit(of: feed),
                let age = age(of: feeds[feed], showing: newest.source, at: now)
            else { continue }
            // Without a pipeline the feed could not present a frame.
            let since = max(now - age, feeds[feed].liveness.seatedAt ?? now - age)
            guard now - since >= limit else {
                effects.scheduleUpdate(at: since + limit)
                continue
            }
            feeds[feed].liveness.leave(newest.source, since: now - age)
            emit(of: feed, at: now) { .stale(tile: $0, source: newest.source, for: age) }
        }
    }

    /// Returns true if the frames of a lease are to be compared with those before them.
    public func watchesStillness(_ lease: Lease) -> Bool {
        guard lease.purpose == .play, feeds[lease.feed].isLive else { return false }
        return feeds[lease.feed].tiles.contains { frozenLimit(of: $0) != nil } && feeds[lease.feed].isLive(lease)
    }

    /// Notes whether a delivered frame equals the one before it. Emits the start and end of a freeze.
    mutating func note(_ stillness: Stillness, of lease: Lease, at now: Time) {
        let feed = lease.feed, source = lease.location
        let live = clocks[feeds[feed].group].liveClock.position(at: now)
        switch stillness {
        case .unknown: break
        case .moved:
            let since = feeds[feed].liveness.stillSince ?? live
            for tile in feeds[feed].liveness.move(at: live) where tiles.contains(tile) {
                emit(
                    .recovered(tile: tiles[tile].name, source: source, after: live - since, from: .freeze), at: now)
            }
        case .same:
            feeds[feed].liveness.stay(at: live)
            let still = live - (feeds[feed].liveness.stillSince ?? live)
            for tile in feeds[feed].tiles where !feeds[feed].liveness.frozenTiles.contains(tile) {
                guard let limit = frozenLimit(of: tile), still >= limit else { continue }
                feeds[feed].liveness.noteFrozen(tile)
                emit(.frozen(tile: tiles[tile].name, source: source, for: still), at: now)
                effects.wakeScreen()
            }
        }
    }

    /// Emits the end of a freeze for tiles that are not watched any more.
    mutating func endFreeze(of feed: FeedID, at now: Time) {
        guard let since = feeds[feed].liveness.stillSince, let source = feeds[feed].liveness.newest?.source else {
            return
        }
        let live = clocks[feeds[feed].group].liveClock.position(at: now)
        for tile in feeds[feed].liveness.frozenTiles where tiles.contains(tile) {
            emit(.recovered(tile: tiles[tile].name, source: source, after: live - since, from: .freeze), at: now)
        }
    }

    /// Ends the freeze of tiles that are not watched any more.
    mutating func settleStillness(at now: Time) {
        for feed in feeds.ids where feeds[feed].liveness.stillSince != nil {
            if !feeds[feed].tiles.contains(where: { frozenLimit(of: $0) != nil }) {
                endFreeze(of: feed, at: now)
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
