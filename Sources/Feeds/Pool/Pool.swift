import Base
import Layout
import Opened

/// The pipelines and their leases.
///
/// Spare pipelines warm a back slot that needs another decoder. They are asked back as soon as a feed with a seat has
/// no pipeline (`askBackSpares`). If a slot is dropped while its pipeline is blocked in a read, the pipeline is
/// interrupted (`interruptAbandoned`). Before the same feed opens that source again, it waits a limited time for the
/// pipeline to release the source (`awaitReturn`): a live source's port may allow only one receiver.
///
/// A back slot takes its first four frames at once and is filled as the front drains.
public struct Pool {
    /// State of one pipeline, a thread of the shell.
    public struct PipelineState {
        public fileprivate(set) var lease: Lease?
        /// Tile that the lease's trace event named; nil if no event was emitted.
        public fileprivate(set) var tile: String?
        /// Source for a lease that the pipeline has not begun yet; nil otherwise.
        fileprivate(set) var source: OpenSourceID?
        /// Feed that this pipeline decoded last. The pipeline's open decoder can go on with that feed.
        fileprivate(set) var lastFeed: FeedID?
        fileprivate(set) var hasDecoder = false
        /// True if the lease is to end at the next frame.
        public fileprivate(set) var mustYield = false
        /// Wall time at which the feed first waited for this source after the lease's slot was dropped; nil until then.
        fileprivate var abandonedAt: Time?
        /// Wall time of the next attempt to interrupt a read for a slot that was dropped.
        fileprivate var interruptAt: Time?
    }

    public private(set) var pipelines: [PipelineState]
    /// Largest number of video decoders that were open at once.
    public private(set) var mostOpen = 0

    /// True if no more leases are made.
    public private(set) var isClosed = false
    /// True if the next preview gets a pipeline even if a seated feed is more urgent.
    private var hasPreviewCredit = false

    /// Number of pipelines that may be lent. Pipelines beyond this limit give their leases back and close their
    /// decoders.
    public private(set) var limit: Int

    /// For `pipelines: auto`, the cores that decode; nil if there are as many seats as pipelines.
    private var cores: Double?
    /// Number of feeds that the cores can decode at once, by measured costs; nil until measured.
    private var affordable: Int?

    public init(count: Int, cores: Double?) {
        (self.cores, limit) = (cores, count)
        pipelines = Array(repeating: PipelineState(), count: count)
    }

    /// Number of feeds that may play at once.
    public var seats: Int { min(limit, affordable ?? .max) }

    /// `costs`: decoding cost of each measured feed, in cores (0.5 is half a core). The number of seats shrinks at
    /// once, and grows only by more than a quarter. This hysteresis keeps seats from coming and going.
    public mutating func learn(costs: [Double]) {
        guard let cores, !costs.isEmpty else { return }
        let mean = costs.reduce(0, +) / Double(costs.count)
        let count = max(1, Int(cores / max(mean, 0.001)))
        let before = affordable ?? .max
        if count < before || count > before + before / 4 { affordable = count }
    }

    /// Sets the number of pipelines. What was learned is forgotten if the number of cores changes.
    public mutating func setLimit(_ count: Int, cores: Double? = nil) {
        if cores != self.cores { (self.cores, affordable) = (cores, nil) }
        limit = count
        while pipelines.count < count { pipelines.append(PipelineState()) }
        for index in pipelines.indices { pipelines[index].mustYield = index >= count }
    }

    /// True if the pipeline is beyond the limit, and has a decoder and no lease.
    public func mustClose(_ pipeline: Int) -> Bool {
        pipeline >= limit && pipelines.indices.contains(pipeline) && pipelines[pipeline].hasDecoder
            && pipelines[pipeline].lease == nil
    }

    public var leased: Int { pipelines.count { $0.lease != nil } }
    /// Number of pipelines that may still be lent. Leases beyond the limit count until they are taken back.
    public var idleCount: Int { max(0, limit - leased) }
    public var hasIdle: Bool { idleCount > 0 }

    public mutating func close() { isClosed = true }

    /// Returns an idle pipeline for this feed: the one that served it last, else one without a decoder, else any.
    public func idle(for feed: FeedID) -> Int? {
        guard hasIdle else { return nil }
        let free = pipelines.indices.prefix(limit).filter { pipelines[$0].lease == nil }
        return free.first { pipelines[$0].lastFeed == feed } ?? free.first { !pipelines[$0].hasDecoder } ?? free.first
    }

    public func lease(of pipeline: Int) -> Lease? { pipelines[pipeline].lease }

    /// `tile`: name of the tile that the lease is reported for; nil if it is not reported.
    public mutating func give(_ lease: Lease, _ source: OpenSourceID, for tile: String? = nil) {
        precondition(pipelines[lease.pipeline].lease == nil, "pipeline \(lease.pipeline) is leased already")
        pipelines[lease.pipeline] = PipelineState(
            lease: lease, tile: tile, source: source, lastFeed: lease.feed,
            hasDecoder: pipelines[lease.pipeline].hasDecoder)
    }

    /// Returns the lease that this pipeline is to begin, once.
    public mutating func takeLease(_ pipeline: Int) -> (Lease, OpenSourceID)? {
        // A pipeline's thread may ask before the pool contains the pipeline.
        guard pipelines.indices.contains(pipeline), let lease = pipelines[pipeline].lease,
            let source = pipelines[pipeline].source
        else { return nil }
        pipelines[pipeline].source = nil
        return (lease, source)
    }

    /// True if a pipeline works for the feed.
    public func works(for feed: FeedID) -> Bool { pipelines.contains { $0.lease?.feed == feed } }

    /// True if a pipeline was asked back and still has its lease.
    public var isYielding: Bool { pipelines.contains { $0.mustYield && $0.lease != nil } }

    /// Lets the next preview have a pipeline, even if a seated feed is more urgent.
    public mutating func putPreviewFirst() { hasPreviewCredit = true }

    public mutating func spendPreviewCredit() -> Bool {
        defer { hasPreviewCredit = false }
        return hasPreviewCredit
    }

    /// Records, once, that a feed waits for this pipeline's source. Returns the wall time at which that wait began.
    public mutating func noteAbandoned(_ pipeline: Int, at now: Time) -> Time {
        let since = pipelines[pipeline].abandonedAt ?? now
        pipelines[pipeline].abandonedAt = since
        return since
    }

    /// Called while a pipeline works for a slot that was dropped. Returns true if its read must be interrupted now, and
    /// the time to ask again. Most pipelines return by themselves, with their next frame.
    public mutating func scheduleInterrupt(of pipeline: Int, at now: Time, patience: Time) -> (Bool, next: Time) {
        let due = pipelines[pipeline].interruptAt ?? now + patience
        let next = now >= due ? now + patience : due
        pipelines[pipeline].interruptAt = next
        return (now >= due, next)
    }

    /// Ends the pipeline's lease.
    public mutating func takeBack(_ pipeline: Int) { pipelines[pipeline].lease = nil }

    public mutating func askBack(_ pipeline: Int) { pipelines[pipeline].mustYield = true }

    public mutating func note(_ pipeline: Int, hasDecoder: Bool) {
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
    /// Source of the run.
    public let location: String
    public let purpose: Purpose
    public enum Purpose: Sendable { case play, preview }
}
