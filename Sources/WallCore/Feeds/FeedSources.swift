/// The sources of a feed: what is known of them, and those that stay open.
struct FeedSources {
    /// By source: what it turned out to be when it was opened.
    private var facts: [String: OpenedFacts] = [:]
    /// Those that were read and may be wanted again. Newest last.
    private var parked: [(location: String, source: any WallSource)] = []
    /// Slots whose file is another one by now: nothing else is to be read from it.
    private var outdated: Set<Int> = []
    /// Segments that were opened for their lengths alone: some never say.
    private var probed: Set<RunID> = []

    /// By source: how long the last opening of its image took.
    private var fetchTimes: [String: Time] = [:]

    private static let mostParked = 4
    private static let mostOutdated = 256

    init() {}

    /// What is known of them is known of those of another feed, too.
    init(known other: FeedSources) { facts = other.facts }

    // MARK: what is known

    func facts(of location: String) -> OpenedFacts? { facts[location] }
    mutating func learn(_ facts: OpenedFacts, of location: String) { self.facts[location] = facts }

    /// Nothing is known of the others any more. What is live stays known: a pipeline may have its source still, which
    /// is closed when it comes back.
    mutating func keepFacts(where isWanted: (String) -> Bool) {
        facts = facts.filter { isWanted($0.key) || $0.value.live != nil }
        fetchTimes = fetchTimes.filter { isWanted($0.key) }
    }

    func wasProbed(_ run: RunID) -> Bool { probed.contains(run) }
    mutating func noteProbe(_ run: RunID) { probed.insert(run) }
    mutating func forgetProbes() { probed = [] }

    func fetchTime(of location: String) -> Time? { fetchTimes[location] }
    mutating func noteFetch(of location: String, lasting time: Time) { fetchTimes[location] = time }

    // MARK: what stays open

    /// `slot`: which it was opened for; nil: none.
    mutating func park(_ source: any WallSource, of slot: Int?, at location: String, _ effects: inout Effects) {
        let isOutdated = slot.map { outdated.remove($0) != nil } ?? false
        // A live source would go on where it was left. A source without facts has left the sequence.
        guard !isOutdated, let facts = facts[location], facts.live == nil else { return effects.close(source) }
        parked.append((location, source))
        while parked.count > Self.mostParked { effects.close(parked.removeFirst().source) }
    }

    mutating func unpark(_ location: String) -> (any WallSource)? {
        guard let index = parked.lastIndex(where: { $0.location == location }) else { return nil }
        return parked.remove(at: index).source
    }

    /// The others are closed.
    mutating func keep(where isWanted: (String) -> Bool, _ effects: inout Effects) {
        for (location, source) in parked where !isWanted(location) { effects.close(source) }
        parked.removeAll { !isWanted($0.location) }
    }

    // MARK: files that are replaced

    mutating func outdate(_ slot: Int) {
        outdated.insert(slot)
        // Most of them never come back.
        if outdated.count > Self.mostOutdated, let oldest = outdated.min() { outdated.remove(oldest) }
    }

    func isOutdated(_ slot: Int) -> Bool { outdated.contains(slot) }
}
