import Base
import Layout
import Scene

// Events of live tiles that stopped showing new frames, froze, or recovered.
extension PlayerCore {
    // MARK: reports

    /// Notes that a frame of a slot was presented. Emits a recovery if its source was reported as away.
    mutating func noteLiveFrame(of feed: FeedID, _ slot: Slot, at now: Time) {
        let source = slot.location
        if let since = playbacks.feeds[feed].reel.liveness.comeBack(with: slot) {
            emit(of: feed, at: now) {
                .recovered(tile: $0, source: source, after: max(.zero, now - since), from: .absence)
            }
        }
        guard playbacks.feeds[feed].sources.isKnownLive(source) else { return }
        let group = playbacks.feeds[feed].group
        playbacks.feeds[feed].reel.liveness.present(
            Liveness.Frame(
                source: source, now: now, live: playbacks.clocks[group].liveClock.position(at: now), group: group))
    }

    private func leastStaleLimit(of feed: FeedID) -> Time? {
        playbacks.feeds[feed].tiles.compactMap { staleLimit(of: $0) }.min()
    }

    /// Returns the wall time since which no frame of a source was presented. The source is now reported as away.
    func absenceBegin(of source: String, _ feed: Feed, at now: Time) -> Time {
        guard let newest = feed.liveness.newest, newest.source == source,
            let age = age(of: feed, showing: source, at: now)
        else { return feed.screen.dueSince ?? now }
        return now - age
    }

    /// Reports live sources that have sent no frame for the tile's limit.
    /// Returns the wall time of the next check. A steady stream causes no update by itself.
    mutating func reportStale(at now: Time) -> Time? {
        var next = Earliest()
        for feed in feeds.ids {
            if playbacks.feeds[feed].isLive, playbacks.feeds[feed].liveness.newest == nil {
                next.add(leastStaleLimit(of: feed).map { now + $0 })
            }
            guard let newest = playbacks.feeds[feed].liveness.newest, playbacks.feeds[feed].hasSeat,
                playbacks.feeds[feed].phase != .ended,
                !playbacks.feeds[feed].liveness.isAway(newest.source),
                playbacks.feeds[feed].liveSource == newest.source,
                isLiveClockRunning(playbacks.feeds[feed]),
                let limit = leastStaleLimit(of: feed),
                let age = age(of: playbacks.feeds[feed], showing: newest.source, at: now)
            else { continue }
            // Without a pipeline the feed could not present a frame.
            let since = max(now - age, playbacks.feeds[feed].liveness.seatedAt ?? now - age)
            guard now - since >= limit else {
                next.add(since + limit)
                continue
            }
            playbacks.feeds[feed].reel.liveness.leave(newest.source, since: now - age)
            emit(of: feed, at: now) { .stale(tile: $0, source: newest.source, for: age) }
        }
        return next.instant
    }

    /// Returns true if the frames of a lease are to be compared with those before them.
    public func watchesStillness(_ lease: Lease) -> Bool {
        guard lease.purpose == .play, playbacks.feeds[lease.feed].isLive else { return false }
        return playbacks.feeds[lease.feed].tiles.contains { frozenLimit(of: $0) != nil }
            && playbacks.feeds[lease.feed].sources.live(lease.location) != nil
    }

    /// Notes whether a delivered frame equals the one before it. Emits the start and end of a freeze.
    mutating func note(_ stillness: Stillness, of lease: Lease, at now: Time) {
        let feed = lease.feed, source = lease.location
        let live = playbacks.clocks[playbacks.feeds[feed].group].liveClock.position(at: now)
        switch stillness {
        case .unknown: break
        case .moved:
            let since = playbacks.feeds[feed].liveness.stillSince ?? live
            for tile in playbacks.feeds[feed].reel.liveness.move(at: live) where tiles.contains(tile) {
                emit(
                    .recovered(tile: tiles[tile].name, source: source, after: live - since, from: .freeze), at: now)
            }
        case .same:
            playbacks.feeds[feed].reel.liveness.stay(at: live)
            let still = live - (playbacks.feeds[feed].liveness.stillSince ?? live)
            for tile in playbacks.feeds[feed].tiles where !playbacks.feeds[feed].liveness.frozenTiles.contains(tile) {
                guard let limit = frozenLimit(of: tile), still >= limit else { continue }
                playbacks.feeds[feed].reel.liveness.noteFrozen(tile)
                emit(.frozen(tile: tiles[tile].name, source: source, for: still), at: now)
            }
        }
    }

    /// Emits the end of a freeze for tiles that are not watched any more.
    mutating func endFreeze(of feed: FeedID, at now: Time) {
        guard let since = playbacks.feeds[feed].liveness.stillSince,
            let source = playbacks.feeds[feed].liveness.newest?.source
        else {
            return
        }
        let live = playbacks.clocks[playbacks.feeds[feed].group].liveClock.position(at: now)
        for tile in playbacks.feeds[feed].liveness.frozenTiles where tiles.contains(tile) {
            emit(.recovered(tile: tiles[tile].name, source: source, after: live - since, from: .freeze), at: now)
        }
    }

    /// Ends the freeze of tiles that are not watched any more.
    mutating func settleStillness(at now: Time) {
        for feed in feeds.ids where playbacks.feeds[feed].liveness.stillSince != nil {
            if !playbacks.feeds[feed].tiles.contains(where: { frozenLimit(of: $0) != nil }) {
                endFreeze(of: feed, at: now)
                playbacks.feeds[feed].reel.liveness.forgetStillness()
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
