/// The pipelines and who has them.
struct Pool {
    struct Pipeline {
        var lease: Lease?
        /// The feed that its open decoder last worked for: it continues there without reopening.
        var lastFeed: FeedID?
        var hasDecoder = false
        /// Asked to let go at the next picture.
        var mustYield = false
        /// When it was first asked for its source, since its slot is gone.
        var abandonedAt: Time?
    }

    private(set) var pipelines: [Pipeline]
    /// Most video decoders that were ever open at once.
    private(set) var mostOpen = 0

    /// So many may be lent. Those beyond give back what they have and close their decoders.
    private(set) var limit: Int

    init(count: Int) {
        pipelines = Array(repeating: Pipeline(), count: count)
        limit = count
    }

    mutating func setLimit(_ count: Int) {
        limit = count
        while pipelines.count < count { pipelines.append(Pipeline()) }
        for index in pipelines.indices { pipelines[index].mustYield = index >= count }
    }

    /// The pipeline is one too many, and holds a decoder for nobody.
    func mustClose(_ pipeline: Int) -> Bool {
        pipeline >= limit && pipelines[pipeline].hasDecoder && pipelines[pipeline].lease == nil
    }

    var leased: Int { pipelines.count { $0.lease != nil } }
    var hasIdle: Bool { pipelines[..<limit].contains { $0.lease == nil } }

    /// An idle pipeline for this feed: the one that served it last, else one without a decoder, else any.
    func idle(for feed: FeedID) -> Int? {
        let free = pipelines.indices.prefix(limit).filter { pipelines[$0].lease == nil }
        return free.first { pipelines[$0].lastFeed == feed }
            ?? free.first { !pipelines[$0].hasDecoder }
            ?? free.first
    }

    func lease(of pipeline: Int) -> Lease? { pipelines[pipeline].lease }

    mutating func give(_ lease: Lease) {
        precondition(pipelines[lease.pipeline].lease == nil, "pipeline \(lease.pipeline) is leased already")
        pipelines[lease.pipeline].lease = lease
        pipelines[lease.pipeline].lastFeed = lease.feed
        (pipelines[lease.pipeline].mustYield, pipelines[lease.pipeline].abandonedAt) = (false, nil)
    }

    /// Since when its source is waited for.
    mutating func noteAbandoned(_ pipeline: Int, at wall: Time) -> Time {
        let since = pipelines[pipeline].abandonedAt ?? wall
        pipelines[pipeline].abandonedAt = since
        return since
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
    public enum Purpose: Sendable { case play, poster }
}
