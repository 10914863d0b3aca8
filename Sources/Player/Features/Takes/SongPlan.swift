import Base
import Layout

/// The song of a recording: the known runs of a tile, and their clock.
public struct SongPlan: Sendable, Equatable {
    public var runs: [Run]
    public var clock: Clock

    public struct Run: Sendable, Equatable {
        public var id: RunID
        public var source: String
        /// Media time at `start`.
        public var from: Time
        /// In group time.
        public var start: Time
        /// Group time at which the run takes over from the run before.
        public var begins: Time
        /// In group time; nil until known.
        public var end: Time?
        /// Rate of the item, without the group's rate.
        public var rate: Rate
        /// Transposition of the item, in semitones.
        public var key = 0
        /// True if `from` counts on the timeline that all segments of the item share.
        public var isSong = false

        public init(
            _ id: RunID, source: String, from: Time = .zero, start: Time, begins: Time? = nil, end: Time? = nil,
            rate: Rate = .one
        ) {
            (self.id, self.source, self.from, self.start) = (id, source, from, start)
            (self.begins, self.end, self.rate) = (begins ?? start, end, rate)
        }

        /// True if one recording continues from this run into `other`.
        func isOneSong(with other: Run) -> Bool {
            guard key == other.key else { return false }
            if id == other.id { return source == other.source }
            return isSong && other.isSong
                && (id.iteration, id.item, id.round) == (other.id.iteration, other.id.item, other.id.round)
        }
    }

    /// A place in a song.
    public struct Place: Sendable, Equatable {
        public let run: Run
        public let media: Time
        /// Rate of the item times rate of the group.
        public let rate: Rate
    }

    /// Returns the place in the song at `now`; nil if the clock is paused or not started yet, or nothing plays.
    public func place(at now: Time) -> Place? {
        guard clock.isMoving(at: now) else { return nil }
        let position = clock.position(at: now)
        guard let run = runs.last(where: { $0.begins <= position }), run.end.map({ position < $0 }) ?? true else {
            return nil
        }
        return Place(
            run: run, media: run.from + (position - run.start).played(at: run.rate), rate: run.rate * clock.rate)
    }

    /// Returns the next wall time at which a run begins or ends, or the clock starts; nil if there is none.
    public func nextChange(after now: Time) -> Time? {
        if let begins = clock.beginsAt, now < begins { return begins }
        guard clock.isMoving(at: now) else { return nil }
        let position = clock.position(at: now)
        let next = (runs.map(\.begins) + runs.compactMap(\.end)).filter { $0 > position }.min()
        return next.flatMap(clock.wallTime)
    }
}

/// Plans of the recent past, noted in each update while a recording is on. A sample from a microphone arrives when the
/// song has moved on, and belongs to the plan of the time at which it was sung.
public struct SongHistory: Sendable, Equatable {
    /// Oldest first. The plan is nil while nothing plays.
    private var plans: [Entry] = []
    /// Age up to which plans are kept. A recorder lags less than this, even on a slow disk.
    static let memory = Time.seconds(90)

    private struct Entry: Equatable {
        let since: Time
        let plan: SongPlan?
    }

    mutating func note(_ plan: SongPlan?, at now: Time) {
        if let last = plans.last, last.plan == plan { return }
        plans.append(Entry(since: now, plan: plan))
        while plans.count > 1, plans[1].since < now - Self.memory { plans.removeFirst() }
    }

    /// Returns the plan in force at `now` and the time at which the next one replaces it; `until` is nil for the latest
    /// plan.
    public func plan(at now: Time) -> (plan: SongPlan?, until: Time?) {
        guard let index = plans.lastIndex(where: { $0.since <= now }) else { return (nil, plans.first?.since) }
        return (plans[index].plan, index + 1 < plans.count ? plans[index + 1].since : nil)
    }

    /// Returns the place in the song at `now`, with the changes of the clock that were made until `heard`.
    func place(at now: Time, heardAt heard: Time) -> SongPlan.Place? {
        guard let last = plans.lastIndex(where: { $0.since <= heard }), let plan = plans[last].plan else { return nil }
        if let place = plan.place(at: now) { return place }
        // A run that has ended is heard to its end.
        var next = plans[last]
        for former in plans[..<last].reversed() where next.since > now {
            guard former.plan?.clock == plan.clock else { return nil }
            if let place = former.plan?.place(at: now) { return place }
            next = former
        }
        return nil
    }
}

extension Snapshot {
    /// Returns the plan of the song that a take of a tile is sung to; nil if nothing plays.
    func songPlan(of tile: TileID) -> SongPlan? {
        let playing = tiles.playingTile(for: tile)
        let feed = feeds[tiles[playing].feed]
        guard feed.phase == .playing else { return nil }
        if let front = feed.slots.first, feed.reel.isLive(front.run) {
            // A live source has no time of its own. A lost connection, or an edge that moves, does not end the file.
            let run = SongPlan.Run(
                RunID(iteration: 0, item: front.run.item), source: front.location, start: .zero, begins: -.distantFuture
            )
            return SongPlan(runs: [run], clock: group(of: feed).clock)
        }
        let runs = feed.slots.compactMap { slot -> SongPlan.Run? in
            guard let start = slot.start, !slot.hasFailed else { return nil }
            let segment = feed.timeline.segment(of: slot.run)
            let source = feed.timeline.item(of: slot.run)?.song ?? slot.location
            var run = SongPlan.Run(
                slot.run, source: source, from: segment.songStart ?? segment.start, start: start,
                begins: slot.takesOverAt ?? slot.begin, end: slot.end, rate: feed.timeline.rate(of: slot.run))
            (run.key, run.isSong) = (tiles[playing].look(ofItem: slot.run.place).key, segment.songStart != nil)
            return run
        }
        return runs.isEmpty ? nil : SongPlan(runs: runs, clock: group(of: feed).clock)
    }
}
