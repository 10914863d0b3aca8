import Base
import Decoded
import Layout
import Opened

/// Age of a live feed's frame, and the sources that are away.
///
/// A live source plays for its item's `duration` (`Course.liveLength`, `LiveTurns.endLive`), or until it ends or fails.
/// The next run starts when its own first frame is decoded. A source that was reported as away is back when a frame of
/// a later connection is presented (`comeBack`).
public struct Liveness {
    /// Mapping of live frames to the clock, from the next frame on; nil while the current item is finite.
    public internal(set) var edge: LiveEdge?
    /// The slot that is decoded before its turn; nil if there is none.
    private var coming: Coming?
    /// Planned end of the present turn, on the live clock; nil if the sequence has no turns.
    public internal(set) var turnEnd: Time?
    /// The newest frame of a live source that was presented; nil until the first.
    public private(set) var newest: Frame?
    /// Longest recent time between two presented frames of the source; zero until two were presented. A high value decays
    /// slowly.
    private var longestInterval = Time.zero
    /// True if the feed has lost its seat since that frame.
    public private(set) var hasLostSeat = false
    /// Wall time since when the feed waits for a seat; nil while it has one, or needs none.
    public private(set) var waitsSince: Time?
    /// Wall time at which the feed got its seat; nil while it has none.
    public private(set) var seatedAt: Time?
    /// Reported absences, by source.
    private var away: [String: Absence] = [:]
    /// Frames of playlists, by source.
    private var playlists: [String: PlaylistFrames] = [:]
    /// Start of the current series of identical frames, on the live clock; nil while frames are not compared.
    public private(set) var stillSince: Time?
    /// Tiles for which identical frames were reported.
    public private(set) var frozenTiles: [TileID] = []

    public struct Frame {
        public let source: String
        /// Wall time, and time of the group's live clock.
        public let now: Time
        public let live: Time
        public let group: GroupID
    }

    private struct Coming {
        let slot: Int
        var edge: LiveEdge
        var turnEnd: Time?
    }

    private struct Absence {
        /// Wall time since when no frame of the source was presented.
        let since: Time
        /// Wall time at which a connection was lost or refused; nil if frames only stopped coming.
        var lostAt: Time?
        /// True if it was reported that no new frame came for the tile's limit.
        var isStale = false
    }

    // MARK: the edge

    /// The current item is finite, or no pipeline decodes it.
    mutating func end() { (edge, coming, turnEnd) = (nil, nil, nil) }

    /// The slot is decoded while another live source is on the screen.
    mutating func prepare(_ edge: LiveEdge, slot: Int) { coming = Coming(slot: slot, edge: edge, turnEnd: nil) }

    /// The slot is the front now.
    mutating func promote(slot: Int) {
        guard let coming, coming.slot == slot else { return }
        (edge, turnEnd, self.coming) = (coming.edge, coming.turnEnd, nil)
    }

    /// The edge of the source of a slot; nil while the current item is finite.
    subscript(edgeOfSlot slot: Int) -> LiveEdge? {
        get { coming?.slot == slot ? coming?.edge : edge }
        set { if coming?.slot == slot, let newValue { coming?.edge = newValue } else { edge = newValue } }
    }

    /// A turn lasts to this time. `slot`: the slot that is decoded before its turn; nil for the present turn.
    mutating func noteTurn(to end: Time, ofSlot slot: Int?) {
        if slot == nil { turnEnd = end } else { coming?.turnEnd = end }
    }

    /// Returns true if a decoded frame of a playlist is new (`PlaylistFrames`).
    mutating func admit(_ time: Int128, of source: String, slot: Int, at now: Time) -> Bool {
        playlists[source, default: PlaylistFrames()].admit(time, of: slot, at: now)
    }

    // MARK: frames on the screen

    /// A frame of a live source was presented.
    mutating func notePresented(_ frame: Frame) {
        if let newest, newest.source == frame.source, newest.group == frame.group {
            longestInterval = max(min(frame.live - newest.live, Self.longestAwaited), longestInterval * 7 / 8)
        } else {
            longestInterval = .zero
        }
        (newest, hasLostSeat) = (frame, false)
    }

    /// Longest interval between frames that is taken for the source's own. A longer one is a disturbance.
    private static let longestAwaited = Time.seconds(5)
    private static let unmeasured = Time.seconds(2)

    /// Time for which a frame may be missing, by the source's own intervals, before the tile waits. Containers state the
    /// rates of slow streams wrongly.
    public var patience: Time { edge == nil ? .zero : longestInterval == .zero ? Self.unmeasured : longestInterval * 2 }

    /// The feed plays another sequence. `isPlayed`: true if a source belongs to it.
    mutating func follow(_ isPlayed: (String) -> Bool) {
        away = away.filter { isPlayed($0.key) }
        playlists = playlists.filter { isPlayed($0.key) }
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

    /// Notes whether the feed waits for a seat.
    public mutating func awaitSeat(_ waits: Bool, at now: Time) {
        if waits { waitsSince = waitsSince ?? now } else if waitsSince != nil { waitsSince = nil }
    }

    // MARK: sources that are away

    /// The connection to a source was lost or refused at this wall time, which is reported. No frame of it was
    /// presented since `since`.
    public mutating func noteLoss(of source: String, since: Time, at now: Time) {
        away[source, default: Absence(since: since)].lostAt = now
    }

    /// No frame of a source was presented since `since`, which is reported as too long.
    public mutating func noteStale(_ source: String, since: Time) {
        away[source, default: Absence(since: since)].isStale = true
    }

    /// True if the source was reported as stale, and has not come back since.
    public func isStale(_ source: String) -> Bool { !away.isEmpty && away[source]?.isStale == true }

    /// A frame of the slot's source was presented. Returns the wall time since when the source was away; nil if it was
    /// not, or if the frame was decoded before the connection was lost.
    mutating func comeBack(with slot: Slot) -> Time? {
        guard !away.isEmpty, let absence = away[slot.location] else { return nil }
        if slot.isWhole || slot.isReconnecting, let lostAt = absence.lostAt, slot.times.opened ?? .zero <= lostAt {
            return nil
        }
        away[slot.location] = nil
        return absence.since
    }

    // MARK: identical frames

    public mutating func forgetStillness() { (stillSince, frozenTiles) = (nil, []) }

    /// A frame differs from the identical frames before it. Returns the tiles for which those frames were reported as
    /// frozen.
    public mutating func noteMotion(at live: Time) -> [TileID] {
        defer { (stillSince, frozenTiles) = (live, []) }
        return frozenTiles
    }

    /// A frame is identical to the ones before.
    public mutating func noteStillness(at live: Time) { stillSince = stillSince ?? live }

    /// Identical frames were reported for the tile.
    public mutating func noteFrozen(_ tile: TileID) { frozenTiles.append(tile) }
}

extension Feed {
    /// The live source on the screen, or the first to come; nil if that source is finite or has no frames. An image of a
    /// server is live, since it is fetched again and again.
    public var liveSource: String? {
        guard !playsOnlySound, let location = sourceShown else { return nil }
        return sources.isKnownLive(location) || sources.isPolled(location) ? location : nil
    }

    /// Time by which the frame on the screen may be older than the frame of a stream: the time from one fetch of a
    /// server's image to the next; zero for a stream.
    public var fetchInterval: Time {
        guard let run = screen.last?.origin?.run, timeline.has(run), sources.isPolled(timeline.segment(of: run).source)
        else { return .zero }
        return timeline.stillLength(of: run) ?? Timeline.usualStill
    }

    /// True if the frame in the scene was not presented before.
    public var showsNewFrame: Bool {
        guard let shown = screen.last, let front = slots.first, front.frames.indices.contains(front.dueIndex) else {
            return false
        }
        let due = front.frames[front.dueIndex]
        return due.serial == shown.serial && !due.isPresented
    }

    private var sourceShown: String? {
        if let shown = screen.last, let item = shown.item.flatMap(timeline.item(at:)) {
            let segments = item.segments
            let segment = shown.origin?.run.segment ?? 0
            return segments.indices.contains(segment) ? segments[segment].source : segments.first.source
        }
        return slots.first?.location ?? timeline.items.first?.segments.first.source
    }
}
