import Base
import Layout
import Scene

// Liveness: detects live tiles that do not show what their sources show now.
extension Wall {
    /// Reason why the frame of a live tile may be outdated.
    enum Staleness: Equatable {
        /// Other tiles have the pipelines. `age`: time since the newest frame was presented; nil until the first.
        case waits(age: Time?)
        case noFrame(age: Time?)
        /// The source has repeated one frame for this long.
        case frozen(Time)
    }

    func staleLimit(of tile: TileID) -> Time? { (tiles[tile].layout.staleAfter ?? layout.staleAfter).time }

    private func frozenLimit(of tile: TileID) -> Time? {
        (tiles[tile].layout.frozenAfter ?? layout.frozenAfter).time
    }

    /// Returns the time since the newest frame of a live feed was presented, without the time in which its clock was
    /// paused. If none was presented, returns the time since one is due. nil if none is missing.
    func age(of feed: Feed, showing source: String, at now: Time) -> Time? {
        guard let newest = feed.liveness.newest, newest.source == source else {
            return (feed.screen.dueSince ?? feed.screen.lack?.since).map { max(.zero, now - $0) }
        }
        guard newest.group == feed.group else { return now - newest.now }
        return max(.zero, clocks[feed.group].liveClock.position(at: now) - newest.live)
    }

    /// Returns why a tile's frame may be outdated. nil if the tile is fresh or not live. `next`: wall time at which
    /// that changes without an event.
    func staleness(of tile: TileID, _ feed: Feed, at now: Time) -> (Staleness?, next: Time?) {
        guard let source = feed.liveSource else { return (nil, nil) }
        let age = age(of: feed, showing: source, at: now)
        if !feed.hasSeat, feed.phase != .ended {
            guard isOnStage(feed.id) else { return (nil, nil) }
            return (.waits(age: age), age.flatMap { nextSecond(after: $0, of: feed, at: now) })
        }
        let limit = staleLimit(of: tile)
        var next = isLiveClockRunning(feed) ? limit.map { now + $0 } : nil
        // A frame that is about to be presented is new already.
        if !feed.showsNewFrame, let limit {
            if let age, age >= limit { return (.noFrame(age: age), nextSecond(after: age, of: feed, at: now)) }
            next = isLiveClockRunning(feed) ? age.map { now + (limit - $0) } : nil
            // The frame is from before the seat was lost, or was decoded while the feed waited for one.
            if feed.liveness.hasLostSeat || feed.screen.last == nil { return (.noFrame(age: nil), next) }
        }
        guard let still = stillFor(feed, tile, at: now) else { return (nil, next) }
        return (.frozen(still), nextSecond(after: still, of: feed, at: now))
    }

    /// Returns how long the source of a tile has repeated one frame. nil unless that was reported.
    private func stillFor(_ feed: Feed, _ tile: TileID, at now: Time) -> Time? {
        guard let since = feed.liveness.stillSince, frozenLimit(of: tile) != nil,
            feed.liveness.frozenTiles.contains(tile)
        else { return nil }
        return max(.zero, clocks[feed.group].liveClock.position(at: now) - since)
    }

    private func isLiveClockRunning(_ feed: Feed) -> Bool { clocks[feed.group].liveClock.motion == .running }

    /// Returns the wall time at which the text of an age changes. nil while the clock is paused.
    private func nextSecond(after age: Time, of feed: Feed, at now: Time) -> Time? {
        guard isLiveClockRunning(feed) else { return nil }
        let second = Time.ticksPerSecond
        return now + Time(ticks: second - age.ticks % second)
    }

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

    // MARK: more live tiles than pipelines

    /// Announces on the wall, once for each layout, that not all of its live tiles can play at once.
    mutating func announceShortage(at now: Time) {
        guard !isShortageAnnounced, beganAt != nil, pool.seats < feeds.count, !layout.hidesMessages,
            feeds.allSatisfy({ !$0.plays || $0.isKnownLive }), case let playing = feeds.count(where: \.plays),
            playing > pool.seats
        else { return }
        isShortageAnnounced = true
        let many = "\(playing) live tiles share"
        let text: String
        if pool.seats < pool.limit {
            text = "\(many) what the processor decodes: \(pool.seats) at a time"
        } else {
            let pipelines = "\(pool.limit) pipeline\(pool.limit == 1 ? "" : "s")"
            let remedy =
                playing <= 64 ? "--pipelines \(playing) plays all of them" : "at most 64 play at once"
            text = "\(many) \(pipelines); \(remedy)"
        }
        announcement = Notice(text: text, until: now + Self.announcementStays)
        effects.wakeScreen()
    }

    mutating func forgetShortage() { (isShortageAnnounced, announcement) = (false, nil) }

    private static var announcementStays: Time { .seconds(10) }
}

extension Feed {
    /// True if tiles view the feed and it has not ended.
    fileprivate var plays: Bool { !tiles.isEmpty && phase != .ended }

    /// True if every source of the feed is known to be live.
    fileprivate var isKnownLive: Bool {
        timeline.items.allSatisfy { $0.segments.allSatisfy { isKnownLive($0.source) } }
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
