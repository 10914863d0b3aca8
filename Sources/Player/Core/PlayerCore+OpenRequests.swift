import Base
import Layout
import Scene

// Sources are opened early, each on its own short-lived thread, and handed over whole.
extension PlayerCore {
    // MARK: requests

    /// Requests a source for each slot that has none, and for the preview.
    mutating func askForSources(_ feed: FeedID, at now: Time) {
        for index in feeds[feed].slots.indices where feeds[feed].hasSeat {
            // A slot that failed, or was entered past its end, may have removed the slots after it.
            guard index < feeds[feed].slots.count else { break }
            let slot = feeds[feed].slots[index]
            guard case .planned = slot.loading,
                feeds[feed].isToBeOpened(slot: index, context(of: feed, at: now), &effects)
            else { continue }
            if feeds[feed].trouble.isHopeless(slot.location) {
                fail(feed, slot: index, feeds[feed].trouble.reason(of: slot.location), at: now)
                effects.scheduleUpdate(at: now)
            } else if let trouble = feeds[feed].failureBefore(slot: index) {
                // The failed attempt was reported with the slot before.
                _ = feeds[feed].fail(slot: index, trouble, at: context(of: feed, at: now).groupTime)
                effects.scheduleUpdate(at: now)
            } else if let source = feeds[feed].sources.unpark(slot.location) {
                feeds[feed].slots[index].take(source, at: now)
                settleEntry(feed, slot: index, at: now)
            } else if !isComingBack(slot.location, to: feed, at: now) {
                open(slot.run, of: feed, for: .slot(slot.id), at: now)
            }
        }
        guard case .planned = feeds[feed].preview.loading else { return }
        if openRequests.isBusy(at: now), !openRequests.concern(feed) {
            effects.scheduleUpdate(at: now + OpenRequests.whileBusy)
        } else if let preview = feeds[feed].preview.slot {
            open(preview.run, of: feed, for: .preview(preview.id), at: now)
        }
    }

    mutating func askForLength(_ feed: FeedID, at now: Time) {
        guard !openRequests.isProbing(feed), let unknown = feeds[feed].unknownLength(group(of: feed)) else {
            return
        }
        open(unknown, of: feed, for: .probe, at: now)
        if openRequests.isProbing(feed) || feeds[feed].timeline.length(of: unknown) != nil {
            feeds[feed].sources.noteProbe(unknown)
        }
    }

    /// Requests an opening, takes over one under way that no slot awaits, or fails if the source hangs. Returns false
    /// if the caller must ask again.
    @discardableResult
    mutating func open(_ run: RunID, of feed: FeedID, for purpose: OpenRequest.Purpose, at now: Time) -> Bool {
        let timeline = feeds[feed].timeline
        let opening = OpenRequest(of: run, in: timeline, for: feed, purpose, since: now)
        if let trouble = openRequests.refusal(of: opening.location) {
            settle(opening, failed: trouble, item: run.item, at: now)
            effects.scheduleUpdate(at: now)
            return true
        }
        let owner = feeds[feed]
        if purpose != .probe, let since = openRequests.takeOver(opening, unless: { owner.awaits($0) }) {
            feeds[feed].noteOpening(purpose, since: since)
            return true
        }
        switch openRequests.start(
            opening, limit: layout.frameLimit, room: decodeSize(.unlimited, of: feed, item: run.item), at: now)
        {
        case .busy(let until):
            effects.scheduleUpdate(at: until)
            return false
        case .ordered(let order):
            feeds[feed].noteOpening(purpose, since: now)
            effects.open(order)
            return true
        }
    }

    /// Longest wait for a pipeline to leave a live source before the source is opened again: a second receiver on the
    /// same port is refused.
    private static var longestLiveWait: Time { .seconds(2) }

    /// Returns true while a pipeline has this source for a dropped slot, and will leave it at its next frame. The
    /// decoder continues from there. The wait is limited, since a read may block.
    private mutating func isComingBack(_ location: String, to feed: FeedID, at now: Time) -> Bool {
        for pipeline in pool.pipelines.indices {
            guard let lease = pool.lease(of: pipeline), lease.feed == feed, feeds[feed].slot(of: lease) == nil,
                lease.location == location
            else { continue }
            let patience = feeds[feed].isKnownLive(location) ? Self.longestLiveWait : Self.longestSeekWait
            let until = pool.noteAbandoned(pipeline, at: now) + patience
            if now >= until { continue }
            effects.scheduleUpdate(at: until)
            return true
        }
        return false
    }

    // MARK: answers

    /// Takes an opened source. `frame`: the frame of a still image; nil if the source is none.
    public mutating func opened(
        _ ticket: Int, _ source: any WallSource, _ facts: OpenedFacts, frame: (any WallFrame)?, at now: Time
    ) {
        guard let opening = openRequests.end(ticket) else { return effects.close(source) }
        feeds[opening.feed].learn(facts, of: opening.location)
        settleDueTolerances()
        if facts.kind == .still {
            feeds[opening.feed].sources.noteFetch(of: opening.location, lasting: now - opening.since)
        }
        let item = feeds[opening.feed].timeline.runs(of: opening.location).first?.item ?? 0
        report(.cutOff, isThere: facts.isCutOff, of: opening.feed, opening.location, item: item, at: now)
        if opening.hangs || !take(source, facts, frame, for: opening, at: now) {
            keep(source, facts, opening)
        }
        update(at: now)
    }

    /// Hands an opened source to the slot or preview that it was opened for. Returns false if that does not need it any
    /// more.
    private mutating func take(
        _ source: any WallSource, _ facts: OpenedFacts, _ frame: (any WallFrame)?, for opening: OpenRequest,
        at now: Time
    ) -> Bool {
        let feed = opening.feed
        switch opening.purpose {
        case .probe, .breakAhead: return false
        case .sharper(let id):
            if let frame { feeds[feed].replaceStill(ofSlot: id, item: opening.item, with: frame) }
            effects.close(source)
            effects.wakeScreen()
        case .preview(let id):
            guard feeds[feed].preview.isFor(id) else { return false }
            if facts.kind == .video {
                feeds[feed].preview.change { $0.take(source, at: now) }
            } else {
                feeds[feed].preview.change { $0.end() }
                if let frame { showPreview(frame, of: feed) }
                effects.close(source)
            }
        case .slot(let id):
            guard feeds[feed].index(ofSlot: id) != nil else { return false }
            settleClock(of: feed, at: now)
            // `settleClock` plans the slots anew if the source turns out to be live.
            guard let index = feeds[feed].index(ofSlot: id) else { return false }
            feeds[feed].slots[index].take(source, at: now)
            feeds[feed].beginLateRun(slot: index, context(of: feed, at: now))
            if facts.kind != .video {
                effects.close(source)
                feeds[feed].fill(slot: index, with: frame, at: now)
                effects.wakeScreen()
            }
            settleEntry(feed, slot: index, at: now)
        }
        return true
    }

    /// Parks a film that no slot needs now. The source of a still image is closed: its frame would be decoded again.
    private mutating func keep(_ source: any WallSource, _ facts: OpenedFacts, _ opening: OpenRequest) {
        guard facts.kind == .video else { return effects.close(source) }
        feeds[opening.feed].sources.park(source, of: nil, at: opening.location, &effects)
    }

    mutating func settleEntry(_ feed: FeedID, slot index: Int, at now: Time) {
        if feeds[feed].settleEntry(slot: index, context(of: feed, at: now), &effects) { askForSources(feed, at: now) }
    }

    mutating func showPreview(_ frame: any WallFrame, of feed: FeedID) {
        feeds[feed].preview.show(frame, serial: feeds[feed].newFrameSerial())
        effects.wakeScreen()
    }

    // MARK: failures

    public mutating func failedToOpen(_ ticket: Int, _ trouble: SourceTrouble, at now: Time) {
        guard let opening = openRequests.end(ticket) else { return }
        // An opening that hung has failed already. The source may be retried now.
        if !opening.hangs {
            // A pushed stream may be something else next time.
            let isLasting = trouble.kind == .unsupported && !SourceName.isPushed(opening.location)
            if isLasting, !opening.isForMore { feeds[opening.feed].trouble.giveUp(opening.location) }
            settle(opening, failed: trouble, at: now)
        }
        update(at: now)
    }

    /// Fails the openings that got no answer in time.
    mutating func cancelOpenRequests(at now: Time) {
        let (late, next) = openRequests.giveUp(at: now)
        for opening in late { settle(opening, failed: OpenRequests.noAnswer, at: now) }
        effects.scheduleUpdate(at: next)
    }

    private mutating func settle(
        _ opening: OpenRequest, failed trouble: SourceTrouble, item: Int? = nil, at now: Time
    ) {
        // The frame on the screen stays.
        if opening.isForMore { return }
        let (feed, location) = (opening.feed, opening.location)
        // A break that is opened ahead reports its failure when it comes.
        if case .breakAhead = opening.purpose { return }
        let item = item ?? feeds[feed].timeline.runs(of: location).first?.item ?? 0
        report(trouble, of: feed, location, item: item, at: now)
        switch opening.purpose {
        case .probe: feeds[feed].noteUnknown(location)
        case .sharper, .breakAhead: break
        case .preview: feeds[feed].preview.change { $0.fail(trouble, lasting: nil) }
        case .slot(let id):
            guard let index = feeds[feed].index(ofSlot: id) else { break }
            if feeds[feed].reconnectLive(slot: index, after: trouble, at: now, &effects) { break }
            if feeds[feed].slots[index].frames.isEmpty {
                fail(feed, slot: index, trouble, at: now)
            } else {
                feeds[feed].breakOff(slot: index, trouble, context(of: feed, at: now), &effects)
            }
        }
        effects.wakeScreen()
    }

    private mutating func fail(_ feed: FeedID, slot index: Int, _ trouble: SourceTrouble, at now: Time) {
        let groupTime = context(of: feed, at: now).groupTime
        emit(feeds[feed].fail(slot: index, trouble, at: groupTime), of: feed, at: now)
    }

    // MARK: breaks

    /// Time after which a due item of a break that is not open is skipped, with the next items from its server.
    static var breakPatience: Time { .seconds(2) }

    mutating func giveUpBreakItems(_ feed: FeedID, at now: Time) {
        guard feeds[feed].hasSeat, feeds[feed].breakItems != nil else { return }
        let context = context(of: feed, at: now)
        for index in feeds[feed].slots.indices {
            let slot = feeds[feed].slots[index]
            guard feeds[feed].isBreak(slot.run), slot.isUnopened else { continue }
            if feeds[feed].followsSilence(slot: index) {
                giveUpBreakItem(feed, slot: index, at: now)
                continue
            }
            // The start is unknown after a skipped item.
            let due = slot.start == nil ? slot.times.asked : slot.start.flatMap { context.wallTime(of: $0) }
            guard let end = due.map({ $0 + Self.breakPatience }) else { continue }
            if now >= end { giveUpBreakItem(feed, slot: index, at: now) } else { effects.scheduleUpdate(at: end) }
        }
    }

    private mutating func giveUpBreakItem(_ feed: FeedID, slot index: Int, at now: Time) {
        let slot = feeds[feed].slots[index]
        openRequests.giveUp(.slot(slot.id), of: feed)
        report(OpenRequests.noAnswer, of: feed, slot.location, item: slot.run.item, at: now)
        fail(feed, slot: index, OpenRequests.noAnswer, at: now)
        effects.wakeScreen()
    }

    /// Returns true if a break may begin. A break that interrupts begins when its first source is open; until then its
    /// tile plays on. If the source is not open in time, the break begins and skips it.
    mutating func isPrepared(_ playing: Breaks.Break, of feed: FeedID, at now: Time) -> Bool {
        let (due, purpose) = (playing.layout, OpenRequest.Purpose.breakAhead(playing.layout.name))
        guard due.when == .now, feeds[feed].phase == .playing, feeds[feed].hasSeat,
            let location = due.play.first?.segments.first?.source, !SourceName.isPushed(location),
            feeds[feed].sources.facts(of: location).map({ $0.kind == .video && $0.live == nil }) ?? true
        else { return true }
        if let since = openRequests.began(purpose, of: feed) {
            let end = since + Self.breakPatience
            guard now >= end else {
                effects.scheduleUpdate(at: end)
                return false
            }
            openRequests.giveUp(purpose, of: feed)
            return true
        }
        guard !playing.tried.contains(feed), openRequests.refusal(of: location) == nil else { return true }
        let opening = OpenRequest(ahead: due, for: feed, since: now)
        let room = decodeSize(.unlimited, of: feed, item: 0)
        switch openRequests.start(opening, limit: layout.frameLimit, room: room, at: now) {
        case .busy(let until): effects.scheduleUpdate(at: until)
        case .ordered(let order):
            breaks.noteTried(feed, by: due.name)
            effects.open(order)
        }
        return false
    }
}
