/// How fresh the frame of a live feed is, and which of its sources are away.
struct Liveness {
    /// The newest frame of a live source that was presented; nil until the first.
    private(set) var newest: Frame?
    /// The feed has lost its seat since that frame.
    private(set) var hasLostSeat = false
    /// Wall time since when the feed waits for a seat; nil while it has one, or needs none.
    private(set) var waitsSince: Time?
    /// Wall time at which the feed got its seat; nil until then.
    private(set) var seatedAt: Time?
    /// By source: those whose absence was reported.
    private var away: [String: Absence] = [:]
    /// Start of the frames that show one frame, on the live clock; nil while they are not compared.
    private(set) var stillSince: Time?
    /// Tiles for which that was reported.
    private(set) var frozenTiles: [TileID] = []

    struct Frame {
        let source: String
        /// In wall time, and on the live clock of the group.
        let now: Time
        let live: Time
        let group: GroupID
    }

    private struct Absence {
        /// Wall time since when nothing of it was presented.
        let since: Time
        /// Wall time at which a connection to it was lost, or refused; nil: nothing came, and no more is known.
        var lostAt: Time?
    }

    /// A frame of a live source was presented.
    mutating func present(_ frame: Frame) { (newest, hasLostSeat) = (frame, false) }

    /// Another sequence is played. `isPlayed`: whether a source belongs to it.
    mutating func follow(_ isPlayed: (String) -> Bool) {
        away = away.filter { isPlayed($0.key) }
        guard let newest, !isPlayed(newest.source) else { return }
        (self.newest, hasLostSeat) = (nil, false)
        forgetStillness()
    }

    // MARK: seats

    mutating func seat(_ has: Bool, at now: Time) {
        seatedAt = has ? now : nil
        if has { return }
        hasLostSeat = newest != nil
        forgetStillness()
    }

    mutating func wait(_ waits: Bool, at now: Time) {
        if waits { waitsSince = waitsSince ?? now } else if waitsSince != nil { waitsSince = nil }
    }

    // MARK: sources that are away

    /// The absence of a source is reported: nothing of it was presented since then.
    mutating func leave(_ source: String, since now: Time, lostAt: Time? = nil) {
        away[source] = Absence(since: away[source]?.since ?? now, lostAt: lostAt ?? away[source]?.lostAt)
    }

    func isAway(_ source: String) -> Bool { !away.isEmpty && away[source] != nil }

    /// A frame of the slot's source was presented. Answers since when the source was away; nil: it was not, or is still:
    /// the frame was decoded before the connection was lost.
    mutating func comeBack(with slot: Slot) -> Time? {
        guard !away.isEmpty, let absence = away[slot.location] else { return nil }
        if slot.isWhole || slot.isReconnecting, let lostAt = absence.lostAt, slot.times.opened ?? .zero <= lostAt {
            return nil
        }
        away[slot.location] = nil
        return absence.since
    }

    // MARK: frames that show one frame

    mutating func forgetStillness() { (stillSince, frozenTiles) = (nil, []) }

    /// A frame shows another frame than those before it. Answers the tiles for which those were reported.
    mutating func move(at live: Time) -> [TileID] {
        defer { (stillSince, frozenTiles) = (live, []) }
        return frozenTiles
    }

    /// A frame shows the same frame as those before it.
    mutating func stay(at live: Time) { stillSince = stillSince ?? live }

    mutating func noteFrozen(_ tile: TileID) { frozenTiles.append(tile) }
}

/// Whether a frame shows the same frame as the frames before it.
public enum Stillness: Sendable {
    case unknown, same, moved
}

extension Feed {
    /// Known to be live since it was opened, or by its scheme.
    func isKnownLive(_ location: String) -> Bool {
        sources.facts(of: location).map { $0.live != nil } ?? SourceName.isPushed(location)
    }

    /// The source on the screen, or the one to come first, where it is live; nil: it is finite, or has no frame.
    var liveSource: String? {
        guard !playsOnlySound, let location = sourceShown, isKnownLive(location) else { return nil }
        return location
    }

    /// The frame in the scene was not presented before.
    var showsNewFrame: Bool {
        guard let shown = screen.last, let front = slots.first, front.frames.indices.contains(front.dueIndex) else {
            return false
        }
        let due = front.frames[front.dueIndex]
        return due.serial == shown.serial && !due.isShown
    }

    private var sourceShown: String? {
        if let shown = screen.last, let item = shown.item, timeline.items.indices.contains(item) {
            let segments = timeline.items[item].segments
            let segment = shown.origin?.run.segment ?? 0
            return segments.indices.contains(segment) ? segments[segment].source : segments.first?.source
        }
        return slots.first?.location ?? timeline.items.first?.segments.first?.source
    }
}
