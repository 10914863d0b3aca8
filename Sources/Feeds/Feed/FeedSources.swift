import Base
import Heard
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
    public internal(set) var failed: Set<String> = []
    /// Runs that are or were opened only to learn their length. For some it stays unknown.
    public var probed: Set<RunID> = []

    /// Duration of the last fetch of a server's image, or of the last opening of a live source, by source.
    var fetchTimes: [String: Time] = [:]

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

    /// Forgets the facts of all other sources. Live sources stay known: a pipeline may still have such a source, which
    /// is closed when the pipeline returns it.
    mutating func keepFacts(where isWanted: (String) -> Bool) {
        facts = facts.filter { isWanted($0.key) || $0.value.live != nil }
        fetchTimes = fetchTimes.filter { isWanted($0.key) }
        failed = failed.filter(isWanted)
    }

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

    // MARK: rules for slots that follow from the facts

    /// Kind of a live source; nil if the source is finite, or until it was opened.
    public func live(_ location: String) -> SourceTraits.Live? { facts(of: location)?.live }

    func isLive(_ location: String) -> Bool { live(location) != nil }

    /// True if the source is live by its facts, or by its scheme until it was opened.
    public func isKnownLive(_ location: String) -> Bool {
        facts(of: location).map { $0.live != nil } ?? SourceName.isPushed(location)
    }

    /// True if a playlist that was live is complete now: `facts`, those of its new connection, state a length. Its last
    /// segments are not played as a film.
    public func hasEnded(_ location: String, _ facts: OpenedFacts) -> Bool {
        live(location) == .listed && facts.live == nil
    }

    /// Tolerance that follows from the length of the source's frames; zero if that is unknown.
    func dueTolerance(of slot: Slot, at rate: Rate) -> Time {
        guard let facts = facts(of: slot.location), facts.kind == .video, facts.live == nil,
            let length = facts.frameLength
        else { return .zero }
        return length.lasting(at: rate).dueTolerance
    }

    /// Returns the number of frames not decoded of a run that is over or fades out.
    func notDecoded(of slot: Slot, at rate: Rate) -> Int {
        guard !slot.isWhole, !slot.isUnopened, let start = slot.start, let end = slot.end,
            let frame = facts(of: slot.location)?.frameLength
        else { return 0 }
        let lasting = frame.lasting(at: rate)
        return lasting > .zero ? max(0, Int((end - start - slot.decodedTo + lasting / 2).ticks / lasting.ticks)) : 0
    }

    /// Returns the frames of a run that is over which were not shown. Frames of a live source that are due later are not
    /// missed.
    func unshown(of slot: Slot, at rate: Rate, until groupTime: Time) -> Missed {
        var missed = slot.unshown(until: isLive(slot.location) ? groupTime : .distantFuture)
        missed.undecoded += notDecoded(of: slot, at: rate)
        return missed
    }

    /// True for a film of known length on a server that went away. A source without a length is opened anew instead, at
    /// its present place.
    func canReconnect(_ slot: Slot, _ trouble: SourceTrouble) -> Bool {
        guard trouble.kind == .timeout || trouble.kind == .unreachable, SourceName.path(of: slot.location) == nil else {
            return false
        }
        return slot.length != nil && facts(of: slot.location)?.length != nil
    }

    // MARK: images of servers

    /// True if the source is a still image of a server.
    public func isPolled(_ location: String) -> Bool {
        guard SourceName.path(of: location) == nil else { return false }
        return facts(of: location).map { $0.kind == .still } ?? SourceName.isImage(location)
    }

    /// Returns the group time at which a slot's image is to be fetched; nil if the slot has no start. `rate`: rate of
    /// the group's clock.
    func fetchTime(of slot: Slot, at rate: Rate) -> Time? {
        slot.start.map { $0 - fetchLead(of: slot.location).played(at: rate) }
    }

    // MARK: sound

    /// Returns the part of a slot that is heard; nil while the slot's start is unknown, or if the slot has failed.
    func heardRun(_ slot: Slot, of timeline: Timeline) -> HeardRun? {
        // A server is asked for the sound only after its source was opened.
        let facts = facts(of: slot.location)
        guard let start = slot.start, !slot.hasFailed, facts != nil || SourceName.path(of: slot.location) != nil else {
            return nil
        }
        // The facts of a live source are those of its last connection until the next one is open.
        if facts?.live != nil, !slot.wasOpened { return nil }
        let segment = timeline.segment(of: slot.run)
        guard let facts, facts.live != nil else {
            let rate = timeline.rate(of: slot.run)
            // The part before its entry was not heard before either.
            let unheard = slot.arrival == .follows ? slot.entry : .zero, left = unheard.played(at: rate)
            var sound = SoundRun(
                source: segment.source, from: segment.start + left, start: start + unheard, end: slot.end, rate: rate)
            sound.fade = slot.fade
            return HeardRun(item: slot.run.place, songStart: segment.songStart.map { $0 + left }, sound: sound)
        }
        var sound = SoundRun(source: segment.source, start: start, end: slot.end)
        (sound.source.origin, sound.source.isPassedOn) = (facts.origin, facts.passesSoundOn)
        return HeardRun(item: slot.run.place, songStart: nil, sound: sound)
    }
}
