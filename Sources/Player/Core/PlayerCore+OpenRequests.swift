import Base
import Layout
import Scene

// Sources are opened early, each on its own short-lived thread, and handed over whole.
extension PlayerCore {
    // MARK: requests

    /// Requests a source for each slot that has none, and for the preview.
    /// Returns the wall time at which to ask again.
    @discardableResult
    mutating func askForSources(_ feed: FeedID, at now: Time) -> Time? {
        var next = Earliest()
        for index in playbacks.feeds[feed].slots.indices where playbacks.feeds[feed].hasSeat {
            // A slot that failed, or was entered past its end, may have removed the slots after it.
            guard index < playbacks.feeds[feed].slots.count else { break }
            let slot = playbacks.feeds[feed].slots[index]
            guard case .planned = slot.loading,
                playbacks.feeds[feed].reel.settleOpening(slot: index, context(of: feed, at: now))
            else {
                // The rest of a run that is over was given up.
                if case .planned = slot.loading, playbacks.feeds[feed].slots[index].isWhole { next.add(now) }
                continue
            }
            if playbacks.feeds[feed].trouble.isHopeless(slot.location) {
                fail(feed, slot: index, playbacks.feeds[feed].trouble.reason(of: slot.location), at: now)
                next.add(now)
            } else if let trouble = playbacks.feeds[feed].slots.failureBefore(slot: index) {
                // The failed attempt was reported with the slot before.
                _ = playbacks.feeds[feed].fail(slot: index, trouble, at: context(of: feed, at: now).dueTime)
                next.add(now)
            } else if let source = playbacks.feeds[feed].reel.sources.unpark(slot.location) {
                playbacks.feeds[feed].reel.slots[index].take(source, at: now)
                playbacks.feeds[feed].reel.beginLateRun(slot: index, context(of: feed, at: now))
                settleEntry(feed, slot: index, at: now)
            } else if let until = comesBack(slot.location, to: feed, at: now) {
                next.add(until)
            } else {
                next.add(open(slot.run, of: feed, for: .slot(slot.id), at: now).asksAgain)
            }
        }
        guard case .planned = playbacks.feeds[feed].preview.loading else { return next.instant }
        if openRequests.isBusy(at: now), !openRequests.concern(feed) {
            next.add(now + OpenRequests.whileBusy)
        } else if let preview = playbacks.feeds[feed].preview.slot {
            next.add(open(preview.run, of: feed, for: .preview(preview.id), at: now).asksAgain)
        }
        return next.instant
    }

    /// Returns the wall time at which to ask again.
    mutating func askForLength(_ feed: FeedID, at now: Time) -> Time? {
        guard !openRequests.isProbing(feed), let unknown = playbacks.feeds[feed].reel.unknownLength(group(of: feed))
        else {
            return nil
        }
        let opening = open(unknown, of: feed, for: .probe, at: now)
        if openRequests.isProbing(feed) || playbacks.feeds[feed].timeline.length(of: unknown) != nil {
            playbacks.feeds[feed].reel.sources.noteProbe(unknown)
        }
        return opening.asksAgain
    }

    /// Result of a request for an opening.
    enum Opening {
        case isUnderWay
        /// The source hangs, and its slot has failed: another one may be opened.
        case refused(at: Time)
        case busy(until: Time)

        /// Wall time at which to ask again; nil if the opening is under way.
        var asksAgain: Time? {
            switch self {
            case .isUnderWay: nil
            case .refused(let instant), .busy(let instant): instant
            }
        }

        var isBusy: Bool { if case .busy = self { true } else { false } }
    }

    /// Requests an opening, takes over one under way that no slot awaits, or fails if the source hangs.
    mutating func open(_ run: RunID, of feed: FeedID, for purpose: OpenRequest.Purpose, at now: Time) -> Opening {
        let timeline = playbacks.feeds[feed].timeline
        let opening = OpenRequest(of: run, in: timeline, for: feed, purpose, since: now)
        if let trouble = openRequests.refusal(of: opening.location) {
            settle(opening, failed: trouble, item: run.place, at: now)
            return .refused(at: now)
        }
        let owner = playbacks.feeds[feed]
        if purpose != .probe, let since = openRequests.takeOver(opening, unless: { owner.awaits($0) }) {
            playbacks.feeds[feed].noteOpening(purpose, since: since)
            return .isUnderWay
        }
        switch openRequests.start(
            opening, limit: layout.frameLimit, room: sizes.decodeSize(.unlimited, of: feed, item: run.place), at: now)
        {
        case .busy(let until): return .busy(until: until)
        case .ordered(let order):
            playbacks.feeds[feed].noteOpening(purpose, since: now)
            playbacks.effects.open(order)
            return .isUnderWay
        }
    }

    /// Longest wait for a pipeline to leave a live source before the source is opened again: a second receiver on the
    /// same port is refused.
    private static var longestLiveWait: Time { .seconds(2) }

    /// Returns the wall time until which a pipeline that has this source for a dropped slot is waited for. It leaves the
    /// source at its next frame, and the decoder continues from there. The wait is limited, since a read may block. nil
    /// if no pipeline has the source.
    private mutating func comesBack(_ location: String, to feed: FeedID, at now: Time) -> Time? {
        for pipeline in pool.pipelines.indices {
            guard let lease = pool.lease(of: pipeline), lease.feed == feed,
                playbacks.feeds[feed].slot(of: lease) == nil,
                lease.location == location
            else { continue }
            let patience =
                playbacks.feeds[feed].sources.isKnownLive(location) ? Self.longestLiveWait : Playbacks.longestSeekWait
            let until = pool.noteAbandoned(pipeline, at: now) + patience
            if now < until { return until }
        }
        return nil
    }

    // MARK: answers

    /// Takes an opened source. `frame`: the frame of a still image; nil if the source is none.
    public mutating func opened(
        _ ticket: Int, _ source: OpenSourceID, _ facts: OpenedFacts, frame: Frame?, at now: Time
    ) {
        guard let opening = openRequests.end(ticket) else { return playbacks.effects.close(source) }
        playbacks.feeds[opening.feed].reel.learn(facts, of: opening.location)
        playbacks.settleDueTolerances()
        if facts.kind == .still {
            playbacks.feeds[opening.feed].reel.sources.noteFetch(of: opening.location, lasting: now - opening.since)
        }
        let item = playbacks.feeds[opening.feed].timeline.runs(of: opening.location).first?.place ?? ItemPlace(0)
        report(.cutOff, isThere: facts.isCutOff, of: opening.feed, opening.location, item: item, at: now)
        if opening.hangs || !take(source, facts, frame, for: opening, at: now) {
            keep(source, facts, opening)
        }
        update(at: now)
    }

    /// Hands an opened source to the slot or preview that it was opened for. Returns false if that does not need it any
    /// more.
    private mutating func take(
        _ source: OpenSourceID, _ facts: OpenedFacts, _ frame: Frame?, for opening: OpenRequest,
        at now: Time
    ) -> Bool {
        let feed = opening.feed
        switch opening.purpose {
        case .probe, .ahead: return false
        case .sharper(let id):
            if let frame {
                playbacks.feeds[feed].reel.slots.replaceStill(
                    ofSlot: id, item: opening.item, of: playbacks.feeds[feed].timeline, with: frame)
            }
            playbacks.effects.close(source)
        case .preview(let id):
            guard playbacks.feeds[feed].preview.isFor(id) else { return false }
            if facts.kind == .video {
                playbacks.feeds[feed].preview.change { $0.take(source, at: now) }
            } else {
                playbacks.feeds[feed].preview.change { $0.end() }
                if let frame { showPreview(frame, of: feed) }
                playbacks.effects.close(source)
            }
        case .slot(let id):
            guard playbacks.feeds[feed].slots.index(ofSlot: id) != nil else { return false }
            playbacks.settleClock(of: feed, at: now)
            // `settleClock` plans the slots anew if the source turns out to be live.
            guard let index = playbacks.feeds[feed].slots.index(ofSlot: id) else { return false }
            playbacks.feeds[feed].reel.slots[index].take(source, at: now)
            playbacks.feeds[feed].reel.beginLateRun(slot: index, context(of: feed, at: now))
            if facts.kind != .video {
                playbacks.effects.close(source)
                playbacks.feeds[feed].reel.slots.fill(index, with: frame, of: playbacks.feeds[feed].timeline, at: now)
            }
            settleEntry(feed, slot: index, at: now)
        }
        return true
    }

    /// Parks a film that no slot needs now. The source of a still image is closed: its frame would be decoded again.
    private mutating func keep(_ source: OpenSourceID, _ facts: OpenedFacts, _ opening: OpenRequest) {
        guard facts.kind == .video else { return playbacks.effects.close(source) }
        playbacks.feeds[opening.feed].reel.sources.park(source, of: nil, at: opening.location, &playbacks.effects)
    }

    mutating func settleEntry(_ feed: FeedID, slot index: Int, at now: Time) {
        if playbacks.feeds[feed].settleEntry(slot: index, context(of: feed, at: now), &playbacks.effects) {
            askForSources(feed, at: now)
        }
    }

    mutating func showPreview(_ frame: Frame, of feed: FeedID) {
        playbacks.feeds[feed].preview.show(frame, serial: playbacks.feeds[feed].reel.slots.makeSerial())
    }

    // MARK: failures

    public mutating func failedToOpen(_ ticket: Int, _ trouble: SourceTrouble, at now: Time) {
        guard let opening = openRequests.end(ticket) else { return }
        // An opening that hung has failed already. The source may be retried now.
        if !opening.hangs {
            // A pushed stream may be something else next time.
            let isLasting = trouble.kind == .unsupported && !SourceName.isPushed(opening.location)
            if isLasting, !opening.isForMore { playbacks.feeds[opening.feed].trouble.giveUp(opening.location) }
            settle(opening, failed: trouble, at: now)
        }
        update(at: now)
    }

    /// Fails the openings that got no answer in time.
    /// Returns the wall time at which the next one fails.
    mutating func cancelOpenRequests(at now: Time) -> Time? {
        let (late, next) = openRequests.giveUp(at: now)
        for opening in late { settle(opening, failed: OpenRequests.noAnswer, at: now) }
        return next
    }

    private mutating func settle(
        _ opening: OpenRequest, failed trouble: SourceTrouble, item: ItemPlace? = nil, at now: Time
    ) {
        // The frame on the screen stays.
        if opening.isForMore { return }
        let (feed, location) = (opening.feed, opening.location)
        // A source that is opened ahead reports its failure when it is to be played.
        if case .ahead = opening.purpose { return }
        let item = item ?? playbacks.feeds[feed].timeline.runs(of: location).first?.place ?? ItemPlace(0)
        report(trouble, of: feed, location, item: item, at: now)
        switch opening.purpose {
        case .probe: playbacks.feeds[feed].reel.noteUnknown(location)
        case .sharper, .ahead: break
        case .preview: playbacks.feeds[feed].preview.change { $0.fail(trouble, lasting: nil) }
        case .slot(let id):
            guard let index = playbacks.feeds[feed].slots.index(ofSlot: id) else { break }
            if playbacks.feeds[feed].reconnectLive(slot: index, after: trouble, at: now, &playbacks.effects) { break }
            if playbacks.feeds[feed].slots[index].frames.isEmpty {
                fail(feed, slot: index, trouble, at: now)
            } else {
                playbacks.feeds[feed].breakOff(slot: index, trouble, context(of: feed, at: now), &playbacks.effects)
            }
        }
    }

    mutating func fail(_ feed: FeedID, slot index: Int, _ trouble: SourceTrouble, at now: Time) {
        let groupTime = context(of: feed, at: now).dueTime
        emit(playbacks.feeds[feed].fail(slot: index, trouble, at: groupTime), of: feed, at: now)
    }
}
