/// The pipelines and who has them.
struct Pool {
    struct Pipeline {
        fileprivate(set) var lease: Lease?
        /// What goes with a lease that the pipeline has not begun yet.
        fileprivate var source: (any WallSource)?
        /// The feed that its open decoder last worked for: it continues there without reopening.
        fileprivate(set) var lastFeed: FeedID?
        fileprivate(set) var hasDecoder = false
        /// Asked to let go at the next frame.
        fileprivate(set) var mustYield = false
        /// When it was first asked for its source, since its slot is gone.
        fileprivate var abandonedAt: Time?
        /// When it is asked the next time to come back from a read for a slot that is gone.
        fileprivate var interruptAt: Time?
    }

    private(set) var pipelines: [Pipeline]
    /// Most video decoders that were ever open at once.
    private(set) var mostOpen = 0

    /// Nothing is lent any more.
    private(set) var isClosed = false
    /// When a seat changes hands, so many previews come before the new frames.
    private var previewCredit = 0

    /// So many may be lent. Those beyond give back what they have and close their decoders.
    private(set) var limit: Int

    private var seatBudget: SeatBudget

    init(count: Int, cores: Double?) {
        seatBudget = SeatBudget(cores: cores)
        pipelines = Array(repeating: Pipeline(), count: count)
        limit = count
    }

    /// How many feeds may have one.
    var seats: Int { seatBudget.seats(ofPipelines: limit) }

    /// What decoding costs the feeds that were measured, in parts of a core.
    mutating func learn(costs: [Double]) { seatBudget.learn(costs) }

    mutating func setLimit(_ count: Int, cores: Double? = nil) {
        seatBudget.set(cores: cores)
        limit = count
        while pipelines.count < count { pipelines.append(Pipeline()) }
        for index in pipelines.indices { pipelines[index].mustYield = index >= count }
    }

    /// The pipeline is one too many, and holds a decoder for nobody.
    func mustClose(_ pipeline: Int) -> Bool {
        pipeline >= limit && pipelines.indices.contains(pipeline) && pipelines[pipeline].hasDecoder
            && pipelines[pipeline].lease == nil
    }

    var leased: Int { pipelines.count { $0.lease != nil } }
    /// How many more may be lent: those beyond the limit count until they are back.
    var idleCount: Int { max(0, limit - leased) }
    var hasIdle: Bool { idleCount > 0 }

    mutating func close() { isClosed = true }

    /// An idle pipeline for this feed: the one that served it last, else one without a decoder, else any.
    func idle(for feed: FeedID) -> Int? {
        guard hasIdle else { return nil }
        let free = pipelines.indices.prefix(limit).filter { pipelines[$0].lease == nil }
        return free.first { pipelines[$0].lastFeed == feed }
            ?? free.first { !pipelines[$0].hasDecoder }
            ?? free.first
    }

    func lease(of pipeline: Int) -> Lease? { pipelines[pipeline].lease }

    mutating func give(_ lease: Lease, _ source: any WallSource) {
        precondition(pipelines[lease.pipeline].lease == nil, "pipeline \(lease.pipeline) is leased already")
        (pipelines[lease.pipeline].lease, pipelines[lease.pipeline].source) = (lease, source)
        pipelines[lease.pipeline].lastFeed = lease.feed
        pipelines[lease.pipeline].mustYield = false
        (pipelines[lease.pipeline].abandonedAt, pipelines[lease.pipeline].interruptAt) = (nil, nil)
    }

    /// The lease that this pipeline is to begin, once.
    mutating func takeLease(_ pipeline: Int) -> (Lease, any WallSource)? {
        // A thread may ask before the pool knows of it.
        guard pipelines.indices.contains(pipeline), let lease = pipelines[pipeline].lease,
            let source = pipelines[pipeline].source
        else { return nil }
        pipelines[pipeline].source = nil
        return (lease, source)
    }

    /// Some pipeline works for the feed.
    func works(for feed: FeedID) -> Bool { pipelines.contains { $0.lease?.feed == feed } }

    /// Some pipeline was asked back, and is not back yet.
    var isYielding: Bool { pipelines.contains { $0.mustYield && $0.lease != nil } }

    /// The next preview comes before the frames of a feed that has just got a seat.
    mutating func putPreviewFirst() { previewCredit = 1 }

    mutating func spendPreviewCredit() -> Bool {
        guard previewCredit > 0 else { return false }
        previewCredit -= 1
        return true
    }

    /// Since when its source is waited for.
    mutating func noteAbandoned(_ pipeline: Int, at now: Time) -> Time {
        let since = pipelines[pipeline].abandonedAt ?? now
        pipelines[pipeline].abandonedAt = since
        return since
    }

    /// What it works for is gone. Whether its read is to be interrupted now, and when to ask again: most come back by
    /// themselves, with their next frame.
    mutating func interrupts(_ pipeline: Int, at now: Time, patience: Time) -> (Bool, next: Time) {
        let due = pipelines[pipeline].interruptAt ?? now + patience
        let next = now >= due ? now + patience : due
        pipelines[pipeline].interruptAt = next
        return (now >= due, next)
    }

    mutating func takeBack(_ pipeline: Int) { pipelines[pipeline].lease = nil }

    mutating func askBack(_ pipeline: Int) { pipelines[pipeline].mustYield = true }

    mutating func note(_ pipeline: Int, hasDecoder: Bool) {
        pipelines[pipeline].hasDecoder = hasDecoder
        mostOpen = max(mostOpen, pipelines.count { $0.hasDecoder })
    }
}

/// The use of one pipeline by one slot.
public struct Lease: Hashable, Sendable {
    public let pipeline: Int
    public let feed: FeedID
    public let slot: Int
    public let run: RunID
    /// What it reads.
    public let location: String
    public let purpose: Purpose
    public enum Purpose: Sendable { case play, preview }
}
