import Base
import Layout
import Opened

/// The sources of a feed: their facts, and those that are kept open.
///
/// A feed keeps up to four sources open. If the run before has the same source, its open source is handed on.
public struct FeedSources {
    let outbox: Outbox
    /// Facts of the sources that were opened, by source.
    private var facts: [String: OpenedFacts] = [:]
    /// Open sources that may be needed again, newest last.
    private(set) var parked: [(location: String, source: OpenSourceID)] = []
    /// Slots with a file that was replaced meanwhile. Their sources are closed, not parked.
    private var outdated: Set<Int> = []
    /// Sources of which nothing could be played at the last attempt, and that were not opened since.
    private var failed: Set<String> = []
    /// Runs opened only to learn their length. For some it stays unknown.
    private var probed: Set<RunID> = []

    /// Duration of the last fetch of a server's image, or of the last opening of a live source, by source.
    private var fetchTimes: [String: Time] = [:]

    /// Assumed time to fetch an image, until one was fetched.
    private static let usualFetch = Time.milliseconds(700)
    private static let fetchMargin = Time.milliseconds(150)
    private static let openMargin = Time.milliseconds(500)
    /// Time before the start of a run at which its source is opened.
    static let prepareAhead = Time.seconds(5)
    private static let mostParked = 4
    private static let mostOutdated = 256

    init(_ outbox: Outbox) { self.outbox = outbox }

    /// Starts with the facts of another feed's sources.
    init(known other: FeedSources) { (outbox, facts, failed) = (other.outbox, other.facts, other.failed) }

    // MARK: facts

    public func facts(of location: String) -> OpenedFacts? { facts[location] }
    mutating func learn(_ facts: OpenedFacts, of location: String) {
        self.facts[location] = facts
        failed.remove(location)
    }

    /// True if nothing of the source could be played at the last attempt, and it was not opened since.
    public func hasFailed(_ location: String) -> Bool { failed.contains(location) }

    mutating func noteFailure(of location: String) { failed.insert(location) }

    /// Forgets the facts of all other sources. Live sources stay known: a pipeline may still have such a source, which
    /// is closed when the pipeline returns it.
    mutating func keepFacts(where isWanted: (String) -> Bool) {
        facts = facts.filter { isWanted($0.key) || $0.value.live != nil }
        fetchTimes = fetchTimes.filter { isWanted($0.key) }
        failed = failed.filter(isWanted)
    }

    func wasProbed(_ run: RunID) -> Bool { probed.contains(run) }

    /// The length of a run is being looked up, or was found.
    public mutating func noteProbe(_ run: RunID) { probed.insert(run) }
    mutating func forgetProbes() { probed = [] }

    /// Returns the time before its start at which a source's image is fetched.
    func fetchLead(of location: String) -> Time {
        min((fetchTimes[location] ?? Self.usualFetch) * 3 / 2 + Self.fetchMargin, Self.prepareAhead)
    }

    /// Returns the time before the end of a live run at which the source after it is opened.
    func openingLead(of location: String) -> Time {
        isPolled(location)
            ? fetchLead(of: location)
            : fetchTimes[location].map { min($0 * 3 / 2 + Self.openMargin, Self.prepareAhead) } ?? Self.prepareAhead
    }

    mutating func noteFetch(of location: String, lasting time: Time) { fetchTimes[location] = time }

    // MARK: sources that stay open

    /// Keeps an open source that no slot needs now. `slot`: the slot for which it was opened; nil if for none.
    public mutating func park(_ source: OpenSourceID, of slot: Int?, at location: String) {
        let isOutdated = slot.map { outdated.remove($0) != nil } ?? false
        // Close a live source, which would go on where it was left, and a source without facts, which has left the
        // sequence.
        guard !isOutdated, let facts = facts[location], facts.live == nil else { return outbox.close(source) }
        parked.append((location, source))
        while parked.count > Self.mostParked { outbox.close(parked.removeFirst().source) }
    }

    /// Keeps the source of a dropped slot for another run, or wakes the pipeline that has it.
    mutating func retire(_ slot: Slot) {
        switch slot.loading {
        case .ready(let source): park(source, of: slot.id, at: slot.location)
        case .leased(let pipeline): outbox.wakePipeline(pipeline)
        case .planned, .opening, .whole, .failed: break
        }
    }

    mutating func unpark(_ location: String) -> OpenSourceID? {
        guard let index = parked.lastIndex(where: { $0.location == location }) else { return nil }
        return parked.remove(at: index).source
    }

    /// Closes the parked sources that are not wanted.
    mutating func keep(where isWanted: (String) -> Bool) {
        for (location, source) in parked where !isWanted(location) { outbox.close(source) }
        parked.removeAll { !isWanted($0.location) }
    }

    // MARK: files that are replaced

    mutating func outdate(_ slot: Int) {
        outdated.insert(slot)
        // Most of these slots never return their source.
        if outdated.count > Self.mostOutdated, let oldest = outdated.min() { outdated.remove(oldest) }
    }

    func isOutdated(_ slot: Int) -> Bool { outdated.contains(slot) }
}
