/// What is sung to: a tile's runs as far as they are known, and the clock that they lie on.
public struct SongPlan: Sendable, Equatable {
    public var runs: [Run]
    public var clock: Clock

    public init(runs: [Run], clock: Clock) { (self.runs, self.clock) = (runs, clock) }

    public struct Run: Sendable, Equatable {
        public var id: RunID
        public var source: String
        /// Media time at `start`.
        public var from: Time
        /// In group time.
        public var start: Time
        /// When it takes over from the run before, in group time.
        public var begins: Time
        /// nil: not known.
        public var end: Time?
        /// Of the item, without the group's.
        public var rate: Rate
        /// Of the item, in semitones.
        public var key = 0
        /// Which item of the tile's sequence it is, without breaks.
        public var item: Int
        /// `from` counts on a line that the item's segments have together.
        public var isSong = false

        public init(
            _ id: RunID, source: String, from: Time = .zero, start: Time, begins: Time? = nil, end: Time? = nil,
            rate: Rate = .one
        ) {
            (self.id, self.source, self.from, self.start) = (id, source, from, start)
            (self.begins, self.end, self.rate, item) = (begins ?? start, end, rate, id.item)
        }

        /// A recording of the one goes on in the other, where they meet.
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
        /// Of the item and of its group.
        public let rate: Rate
    }

    /// nil: the clock stands then, or nothing plays.
    public func place(at now: Time) -> Place? {
        guard clock.isMoving(at: now) else { return nil }
        let position = clock.position(at: now)
        guard let run = runs.last(where: { $0.begins <= position }), run.end.map({ position < $0 }) ?? true else {
            return nil
        }
        return Place(
            run: run, media: run.from + (position - run.start).played(at: run.rate), rate: run.rate * clock.rate)
    }

    /// When another run begins or this one ends, or the clock begins to move; nil: nothing of that is to come.
    public func nextChange(after now: Time) -> Time? {
        if let begins = clock.beginsAt, now < begins { return begins }
        guard clock.isMoving(at: now) else { return nil }
        let position = clock.position(at: now)
        let next = (runs.map(\.begins) + runs.compactMap(\.end)).filter { $0 > position }.min()
        return next.flatMap(clock.wallTime)
    }
}

/// What was sung to, and from when on: what a microphone hears comes later than it was sung, and belongs to what played
/// then.
public struct SongHistory: Sendable, Equatable {
    /// Oldest first; nil: nothing plays.
    private var plans: [Entry] = []
    /// What is older is forgotten: a recorder is behind by no more, whatever its disk does.
    static let memory = Time.seconds(90)

    private struct Entry: Equatable {
        let since: Time
        let plan: SongPlan?
    }

    public init() {}

    public mutating func note(_ plan: SongPlan?, at now: Time) {
        if let last = plans.last, last.plan == plan { return }
        plans.append(Entry(since: now, plan: plan))
        while plans.count > 1, plans[1].since < now - Self.memory { plans.removeFirst() }
    }

    /// What played then, and until when that holds; `until` nil: it holds still.
    public func plan(at now: Time) -> (plan: SongPlan?, until: Time?) {
        guard let index = plans.lastIndex(where: { $0.since <= now }) else { return (nil, plans.first?.since) }
        return (plans[index].plan, index + 1 < plans.count ? plans[index + 1].since : nil)
    }

    /// Where the song was at `now`, by what is asked of the clocks until that is heard.
    func place(at now: Time, heardAt heard: Time) -> SongPlan.Place? {
        guard let last = plans.lastIndex(where: { $0.since <= heard }), let plan = plans[last].plan else { return nil }
        if let place = plan.place(at: now) { return place }
        // A run that is over is heard to its end.
        var next = plans[last]
        for former in plans[..<last].reversed() where next.since > now {
            guard former.plan?.clock == plan.clock else { return nil }
            if let place = former.plan?.place(at: now) { return place }
            next = former
        }
        return nil
    }
}
