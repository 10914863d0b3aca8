import Base
import Feeds
import Layout

// Sources are opened early, each on its own short-lived thread, and handed over whole.
extension DecodeSupply {
    /// Requests a source for each slot that has none, and for the preview. Returns the wall time at which to ask again.
    @discardableResult mutating func askForSources(_ feed: FeedID, _ playout: Playout) -> Time? {
        let own = playout.feeds[feed]
        let now = playout.now
        var next = Earliest()
        for index in own.slots.indices where own.hasSeat {
            // A slot that failed, or was entered past its end, may have removed the slots after it.
            guard index < own.slots.count else { break }
            let slot = own.slots[index]
            guard case .planned = slot.loading else { continue }
            guard own.reel.settleOpening(slot: index, playout.transport.context(of: feed, at: now)) else {
                // `settleOpening` has given up the rest of a run that is over.
                if slot.isWhole { next.add(now) }
                continue
            }
            if own.trouble.isHopeless(slot.location) {
                let trouble = own.trouble.reason(of: slot.location)
                playout.fail(feed, slot: index, trouble)
                next.add(now)
            } else if let trouble = own.slots.failureBefore(slot: index) {
                // The failed attempt was reported with the slot before.
                let groupTime = playout.transport.context(of: feed, at: now).dueTime
                _ = own.supply.fail(slot: index, trouble, at: groupTime)
                next.add(now)
            } else if own.reel.takeParked(slot: index, playout.transport.context(of: feed, at: now)) {
                settleEntry(feed, slot: index, playout)
            } else if let until = pool.awaitReturn(of: slot.location, to: feed, playout.transport, at: now) {
                next.add(until)
            } else {
                next.add(open(slot.run, of: feed, for: .slot(slot.id), playout).asksAgain)
            }
        }
        guard case .planned = own.preview.loading else { return next.instant }
        if openRequests.isBusy(at: now), !openRequests.concern(feed) {
            next.add(now + OpenRequests.whileBusy)
        } else if let preview = own.preview.slot {
            next.add(open(preview.run, of: feed, for: .preview(preview.id), playout).asksAgain)
        }
        return next.instant
    }

    private mutating func settleEntry(_ feed: FeedID, slot index: Int, _ playout: Playout) {
        let playback = playout.transport.context(of: feed, at: playout.now)
        if playout.feeds[feed].supply.settleEntry(slot: index, playback) { askForSources(feed, playout) }
    }

    /// Requests the length of a source if it must be known. Returns the wall time at which to ask again.
    mutating func askForLength(_ feed: FeedID, _ playout: Playout) -> Time? {
        let own = playout.feeds[feed]
        let (group, hasSeat) = (playout.transport.group(of: feed), own.hasSeat)
        guard !openRequests.isProbing(feed), let unknown = own.reel.unknownLength(group, hasSeat: hasSeat) else {
            return nil
        }
        let opening = open(unknown, of: feed, for: .probe, playout)
        if openRequests.isProbing(feed) || own.timeline.length(of: unknown) != nil {
            own.reel.sources.noteProbe(unknown)
        }
        return opening.asksAgain
    }

    /// Opens the image on screen again if it must be larger or keep its samples. The same plan is not tried again if it
    /// failed.
    /// Returns the wall time at which to try again.
    mutating func sharpenStill(_ feed: FeedID, _ playout: Playout) -> Time? {
        guard let front = playout.feeds[feed].slots.first, case .still(let asked) = front.content,
            let frame = front.frames.first?.frame
        else { return nil }
        let isSideways = playout.feeds[feed].timeline.item(of: front.run)?.turn.isSideways ?? false
        let natural = frame.natural
        let upright = isSideways ? Size(natural.height, natural.width) : natural
        let plan = DecodeSizes(playout).stillPlan(upright, of: feed, item: front.run.place)
        let isLarger = plan.size.width > frame.size.width + 1 || plan.size.height > frame.size.height + 1
        guard isLarger || !frame.keeps(plan.keeping), plan != asked else { return nil }
        let opening = open(front.run, of: feed, for: .reopenedStill(front.id), playout)
        if !opening.isBusy { front.noteAsked(plan) }
        return opening.asksAgain
    }

    /// Result of a request for an opening.
    private enum Opening {
        case isUnderWay
        /// The source hangs, and its slot has failed: the source of another slot may be opened.
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

    /// Requests an opening, takes over an opening under way that no slot awaits, or fails if the source hangs.
    private mutating func open(_ run: RunID, of feed: FeedID, for purpose: OpenRequest.Purpose, _ playout: Playout)
        -> Opening
    {
        let own = playout.feeds[feed]
        let (now, timeline) = (playout.now, own.timeline)
        let opening = OpenRequest(of: run, in: timeline, for: feed, purpose, since: now)
        if let trouble = openRequests.refusal(of: opening.location) {
            playout.settle(opening, failed: trouble, item: run.place)
            return .refused(at: now)
        }
        let owner = own
        if purpose != .probe, let since = openRequests.takeOver(opening, unless: { owner.supply.awaits($0) }) {
            own.supply.noteOpening(purpose, since: since)
            return .isUnderWay
        }
        let tileSize = DecodeSizes(playout).decodeSize(.unlimited, of: feed, item: run.place)
        switch openRequests.start(opening, limit: playout.limits.frame, tileSize: tileSize, at: now) {
        case .busy(let until): return .busy(until: until)
        case .ordered(let order):
            own.supply.noteOpening(purpose, since: now)
            playout.outbox.open(order)
            return .isUnderWay
        }
    }

    // MARK: answers

    /// Takes an opened source.
    mutating func take(_ opened: OpenedSource, _ ticket: Int, _ playout: Playout) -> Bool {
        guard let opening = openRequests.end(ticket) else {
            playout.outbox.close(opened.id)
            return false
        }
        let (feed, facts) = (opening.feed, opened.facts)
        if playout.feeds[feed].sources.hasEnded(opening.location, facts) {
            playout.outbox.close(opened.id)
            if !opening.hangs { playout.settle(opening, failed: FeedTrouble.streamEnded) }
            return true
        }
        playout.feeds[feed].reel.learn(facts, of: opening.location, openedIn: playout.now - opening.since)
        playout.transport.settleDueTolerances()
        let item = playout.feeds[feed].timeline.runs(of: opening.location).first?.place ?? ItemPlace(0)
        playout.report(.cutOff, isThere: facts.isCutOff, of: feed, opening.location, item: item)
        switch opening.hangs ? .unneeded : playout.hand(opened, to: opening) {
        case .unneeded:
            // Keep a video open for another run. A still image is closed: its frame would be decoded again.
            if facts.kind == .video {
                playout.feeds[feed].reel.sources.park(opened.id, of: nil, at: opening.location)
            } else {
                playout.outbox.close(opened.id)
            }
        case .taken(slot: nil): break
        case .taken(slot: let index?):
            if opened.stillness != .unknown { playout.note(opened.stillness, of: feed, opening.location) }
            settleEntry(feed, slot: index, playout)
        }
        return true
    }

    mutating func fail(_ ticket: Int, _ trouble: SourceTrouble, _ playout: Playout) -> Bool {
        guard let opening = openRequests.end(ticket) else { return false }
        // An opening that hung was settled as failed before (`cancel`): settle only the others.
        if !opening.hangs {
            // A pushed stream may be something else next time.
            let isLasting = trouble.kind == .unsupported && !SourceName.isPushed(opening.location)
            if isLasting, !opening.isForMore { playout.feeds[opening.feed].trouble.giveUp(opening.location) }
            playout.settle(opening, failed: trouble)
        }
        return true
    }

    /// Fails the openings that got no answer in time.
    /// Returns the wall time at which the next one fails.
    mutating func cancelOpenRequests(_ playout: Playout) -> Time? {
        let (late, next) = openRequests.giveUp(at: playout.now)
        for opening in late { playout.settle(opening, failed: OpenRequests.noAnswer) }
        return next
    }
}
