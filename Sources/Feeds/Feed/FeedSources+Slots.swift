import Base
import Layout
import Opened

// Rules for the slots of a feed that follow from the facts of its sources.
extension FeedSources {
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
        let lead = fetchLead(of: slot.location)
        return slot.start.map { $0 - lead.played(at: rate) }
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
        var segment = timeline.segment(of: slot.run)
        guard let facts, facts.live != nil else {
            let rate = timeline.rate(of: slot.run)
            // The part before its entry was not heard before either.
            let unheard = slot.arrival == .follows ? slot.entry : .zero
            segment.start += unheard.played(at: rate)
            segment.songStart = segment.songStart.map { $0 + unheard.played(at: rate) }
            return HeardRun(
                item: slot.run.place, segment: segment, start: start + unheard, end: slot.end, rate: rate, origin: nil,
                fade: slot.fade)
        }
        return HeardRun(
            item: slot.run.place, segment: Item.Segment(source: segment.source), start: start, end: slot.end,
            rate: .one, origin: facts.origin, isPassedOn: facts.passesSoundOn)
    }
}
