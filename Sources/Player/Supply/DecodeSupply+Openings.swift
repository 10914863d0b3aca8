import Base
import Feeds
import Layout

// Sources are opened early, each on its own short-lived thread, and handed over whole.
extension DecodeSupply {
    /// Requests a source for each slot that has none, and for the preview. Returns the wall time at which to ask again.
    @discardableResult mutating func askForSources(_ feed: Feed, _ playout: Playout) -> Time? {
        let now = playout.now
        var next = Earliest()
        for index in feed.slots.indices where feed.hasSeat {
            // A slot that failed, or was entered past its end, may have removed the slots after it.
            guard index < feed.slots.count else { break }
            let slot = feed.slots[index]
            guard case .planned = slot.loading else { continue }
            guard feed.reel.settleOpening(slot: index, playout.context(of: feed)) else {
                // `settleOpening` has given up the rest of a run that is over.
                if slot.isWhole { next.add(now) }
                continue
            }
            if feed.trouble.isHopeless(slot.location) {
                playout.fail(feed, slot: index, feed.trouble.reason(of: slot.location))
                next.add(now)
            } else if let trouble = feed.slots.failureBefore(slot: index) {
                // The failed attempt was reported with the slot before.
                _ = feed.supply.fail(slot: index, trouble, at: playout.context(of: feed).dueTime)
                next.add(now)
            } else if feed.reel.takeParked(slot: index, playout.context(of: feed)) {
                settleEntry(feed, slot: index, playout)
            } else if let until = pool.awaitReturn(of: slot.location, to: feed, playout.transport, at: now) {
                next.add(until)
            } else {
                next.add(open(slot.run, of: feed, for: .slot(slot.id), playout).asksAgain)
            }
        }
        guard case .planned = feed.preview.loading else { return next.instant }
        if openRequests.isBusy(at: now), !openRequests.concern(feed.id) {
            next.add(now + OpenRequests.whileBusy)
        } else if let preview = feed.preview.slot {
            next.add(open(preview.run, of: feed, for: .preview(preview.id), playout).asksAgain)
        }
        return next.instant
    }

    private mutating func settleEntry(_ feed: Feed, slot index: Int, _ playout: Playout) {
        if feed.supply.settleEntry(slot: index, playout.context(of: feed)) { askForSources(feed, playout) }
    }

    /// Requests the length of a source if it must be known. Returns the wall time at which to ask again.
    mutating func askForLength(_ feed: Feed, _ playout: Playout) -> Time? {
        guard !openRequests.isProbing(feed.id),
            let unknown = feed.reel.unknownLength(playout.transport.group(of: feed), hasSeat: feed.hasSeat)
        else { return nil }
        let opening = open(unknown, of: feed, for: .probe, playout)
        let isKnown = feed.timeline.length(of: unknown) != nil
        if isKnown || openRequests.isProbing(feed.id) { feed.reel.sources.probed.insert(unknown) }
        return opening.asksAgain
    }

    /// Opens the image on screen again if it must be larger or keep its samples. The same plan is not tried again if it
    /// failed.
    /// Returns the wall time at which to try again.
    mutating func sharpenStill(_ feed: Feed, _ playout: Playout) -> Time? {
        guard let front = feed.slots.first, case .still(let asked) = front.content,
            let frame = front.frames.first?.frame
        else { return nil }
        let natural = frame.natural.turned(feed.timeline.item(of: front.run)?.turn ?? .none)
        let plan = playout.stillPlan(natural, of: feed, item: front.run.place)
        guard !frame.reaches(plan.size) || !frame.keeps(plan.keeping), plan != asked else { return nil }
        let opening = open(front.run, of: feed, for: .reopenedStill(front.id), playout)
        if !opening.isBusy { front.noteAsked(plan) }
        return opening.asksAgain
    }

    /// Requests an opening, takes over an opening under way that no slot awaits, or fails if the source hangs.
    /// `asksAgain`: wall time at which to ask again; nil if the opening is under way. `isBusy`: true if no more sources
    /// may be opened at once.
    private mutating func open(_ run: RunID, of feed: Feed, for purpose: OpenRequest.Purpose, _ playout: Playout)
        -> (asksAgain: Time?, isBusy: Bool)
    {
        let now = playout.now
        let opening = OpenRequest(of: run, in: feed.timeline, for: feed.id, purpose, since: now)
        if let trouble = openRequests.refusal(of: opening.location) {
            playout.settle(opening, failed: trouble, item: run.place)
            // The slot has failed: the source of another slot may be opened.
            return (now, isBusy: false)
        }
        if purpose != .probe, let since = openRequests.takeOver(opening, unless: { feed.supply.awaits($0) }) {
            feed.supply.noteOpening(purpose, since: since)
            return (nil, isBusy: false)
        }
        let tileSize = playout.decodeSize(.unlimited, of: feed, item: run.place)
        guard let order = openRequests.start(opening, limit: playout.limits.frame, tileSize: tileSize, at: now) else {
            return (now + OpenRequests.whileBusy, isBusy: true)
        }
        feed.supply.noteOpening(purpose, since: now)
        playout.outbox.open(order)
        return (nil, isBusy: false)
    }

    // MARK: answers

    /// Takes an opened source.
    mutating func take(_ opened: OpenedSource, for opening: OpenRequest, _ playout: Playout) {
        let feed = playout.feeds[opening.feed], facts = opened.facts
        if feed.sources.hasEnded(opening.location, facts) {
            playout.outbox.close(opened.id)
            if !opening.hangs { playout.settle(opening, failed: FeedTrouble.streamEnded) }
            return
        }
        feed.reel.learn(facts, of: opening.location, openedIn: playout.now - opening.since)
        playout.transport.settleDueTolerances()
        let item = feed.timeline.firstPlace(of: opening.location)
        playout.report(.cutOff, isThere: facts.isCutOff, of: feed, opening.location, item: item)
        guard let index = playout.hand(opened, to: opening) else { return }
        if opened.stillness != .unknown { playout.note(opened.stillness, of: feed, opening.location) }
        settleEntry(feed, slot: index, playout)
    }

    func fail(_ opening: OpenRequest, _ trouble: SourceTrouble, _ playout: Playout) {
        // An opening that hung was settled as failed before (`cancel`): settle only the others.
        if opening.hangs { return }
        // A pushed stream may be something else next time.
        let isLasting = trouble.kind == .unsupported && !SourceName.isPushed(opening.location)
        if isLasting, !opening.isForMore { playout.feeds[opening.feed].trouble.giveUp(opening.location) }
        playout.settle(opening, failed: trouble)
    }

    /// Fails the openings that got no answer in time.
    /// Returns the wall time at which the next one fails.
    mutating func cancelOpenRequests(_ playout: Playout) -> Time? {
        let (late, next) = openRequests.giveUp(at: playout.now)
        for opening in late { playout.settle(opening, failed: OpenRequests.noAnswer) }
        return next
    }
}
