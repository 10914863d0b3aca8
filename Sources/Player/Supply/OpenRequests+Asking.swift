import Base
import Feeds
import Layout
import Scene

// Sources are opened early, each on its own short-lived thread, and handed over whole.
extension OpenRequests {
    /// Requests a source for each slot that has none, and for the preview. `pool`: pipelines that may still have one of
    /// these sources.
    /// Returns the wall time at which to ask again.
    @discardableResult
    mutating func ask(
        for feed: FeedID, _ pool: inout Pool, _ playbacks: inout Playbacks, _ context: WallContext
    ) -> Time? {
        let now = context.now
        var next = Earliest()
        for index in playbacks.feeds[feed].slots.indices where playbacks.feeds[feed].hasSeat {
            // A slot that failed, or was entered past its end, may have removed the slots after it.
            guard index < playbacks.feeds[feed].slots.count else { break }
            let slot = playbacks.feeds[feed].slots[index]
            guard case .planned = slot.loading,
                playbacks.feeds[feed].reel.settleOpening(slot: index, playbacks.context(of: feed, at: now))
            else {
                // `settleOpening` has given up the rest of a run that is over.
                if case .planned = slot.loading, playbacks.feeds[feed].slots[index].isWhole { next.add(now) }
                continue
            }
            if playbacks.feeds[feed].trouble.isHopeless(slot.location) {
                let trouble = playbacks.feeds[feed].trouble.reason(of: slot.location)
                playbacks.fail(feed, slot: index, trouble, context)
                next.add(now)
            } else if let trouble = playbacks.feeds[feed].slots.failureBefore(slot: index) {
                // The failed attempt was reported with the slot before.
                let groupTime = playbacks.context(of: feed, at: now).dueTime
                _ = playbacks.feeds[feed].fail(slot: index, trouble, at: groupTime)
                next.add(now)
            } else if playbacks.feeds[feed].reel.takeParked(slot: index, playbacks.context(of: feed, at: now)) {
                settleEntry(feed, slot: index, &pool, &playbacks, context)
            } else if let until = pool.awaitReturn(of: slot.location, to: feed, playbacks, at: now) {
                next.add(until)
            } else {
                next.add(open(slot.run, of: feed, for: .slot(slot.id), &playbacks, context).asksAgain)
            }
        }
        guard case .planned = playbacks.feeds[feed].preview.loading else { return next.instant }
        if isBusy(at: now), !concern(feed) {
            next.add(now + Self.whileBusy)
        } else if let preview = playbacks.feeds[feed].preview.slot {
            next.add(open(preview.run, of: feed, for: .preview(preview.id), &playbacks, context).asksAgain)
        }
        return next.instant
    }

    private mutating func settleEntry(
        _ feed: FeedID, slot index: Int, _ pool: inout Pool, _ playbacks: inout Playbacks, _ context: WallContext
    ) {
        let playback = playbacks.context(of: feed, at: context.now)
        if playbacks.feeds[feed].settleEntry(slot: index, playback, &playbacks.effects) {
            ask(for: feed, &pool, &playbacks, context)
        }
    }

    /// Returns the wall time at which to ask again.
    mutating func askForLength(_ feed: FeedID, _ playbacks: inout Playbacks, _ context: WallContext) -> Time? {
        let (group, hasSeat) = (playbacks.group(of: feed), playbacks.feeds[feed].hasSeat)
        guard !isProbing(feed),
            let unknown = playbacks.feeds[feed].reel.unknownLength(group, hasSeat: hasSeat)
        else { return nil }
        let opening = open(unknown, of: feed, for: .probe, &playbacks, context)
        if isProbing(feed) || playbacks.feeds[feed].timeline.length(of: unknown) != nil {
            playbacks.feeds[feed].sources.noteProbe(unknown)
        }
        return opening.asksAgain
    }

    /// Opens the image on screen again if it must be larger or keep its samples. The same plan is not tried again if it
    /// failed.
    /// Returns the wall time at which to try again.
    mutating func sharpenStill(_ feed: FeedID, _ playbacks: inout Playbacks, _ context: WallContext) -> Time? {
        guard let front = playbacks.feeds[feed].slots.first, case .still(let asked) = front.content,
            let frame = front.frames.first?.frame
        else { return nil }
        let isSideways = playbacks.feeds[feed].timeline.item(of: front.run)?.turn.isSideways ?? false
        let natural = frame.natural
        let upright = isSideways ? Size(natural.height, natural.width) : natural
        let plan = DecodeSizes(playbacks, context).stillPlan(upright, of: feed, item: front.run.place)
        let isLarger = plan.size.width > frame.size.width + 1 || plan.size.height > frame.size.height + 1
        guard isLarger || !frame.keeps(plan.keeping), plan != asked else { return nil }
        let opening = open(front.run, of: feed, for: .reopenedStill(front.id), &playbacks, context)
        if !opening.isBusy { playbacks.feeds[feed].reel.noteSharpening(plan) }
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
    private mutating func open(
        _ run: RunID, of feed: FeedID, for purpose: OpenRequest.Purpose, _ playbacks: inout Playbacks,
        _ context: WallContext
    ) -> Opening {
        let (now, timeline) = (context.now, playbacks.feeds[feed].timeline)
        let opening = OpenRequest(of: run, in: timeline, for: feed, purpose, since: now)
        if let trouble = refusal(of: opening.location) {
            playbacks.settle(opening, failed: trouble, item: run.place, context)
            return .refused(at: now)
        }
        let owner = playbacks.feeds[feed]
        if purpose != .probe, let since = takeOver(opening, unless: { owner.awaits($0) }) {
            playbacks.feeds[feed].noteOpening(purpose, since: since)
            return .isUnderWay
        }
        let tileSize = DecodeSizes(playbacks, context).decodeSize(.unlimited, of: feed, item: run.place)
        switch start(opening, limit: context.limits.frame, tileSize: tileSize, at: now) {
        case .busy(let until): return .busy(until: until)
        case .ordered(let order):
            playbacks.feeds[feed].noteOpening(purpose, since: now)
            playbacks.effects.open(order)
            return .isUnderWay
        }
    }

    // MARK: answers

    /// Takes an opened source.
    mutating func take(
        _ opened: OpenedSource, _ ticket: Int, _ pool: inout Pool, _ playbacks: inout Playbacks, _ context: WallContext
    ) -> Bool {
        guard let opening = end(ticket) else {
            playbacks.effects.close(opened.id)
            return false
        }
        let (feed, facts) = (opening.feed, opened.facts)
        if playbacks.feeds[feed].sources.hasEnded(opening.location, facts) {
            playbacks.effects.close(opened.id)
            if !opening.hangs { playbacks.settle(opening, failed: FeedTrouble.streamEnded, context) }
            return true
        }
        playbacks.feeds[feed].reel.learn(facts, of: opening.location, openedIn: context.now - opening.since)
        playbacks.settleDueTolerances()
        let item = playbacks.feeds[feed].timeline.runs(of: opening.location).first?.place ?? ItemPlace(0)
        playbacks.report(.cutOff, isThere: facts.isCutOff, of: feed, opening.location, item: item, context)
        switch opening.hangs ? .unneeded : playbacks.hand(opened, to: opening, at: context.now) {
        case .unneeded:
            // Keep a video open for another run. A still image is closed: its frame would be decoded again.
            if facts.kind == .video {
                playbacks.feeds[feed].sources.park(opened.id, of: nil, at: opening.location, &playbacks.effects)
            } else {
                playbacks.effects.close(opened.id)
            }
        case .taken(slot: nil): break
        case .taken(slot: let index?):
            if opened.stillness != .unknown { playbacks.note(opened.stillness, of: feed, opening.location, context) }
            settleEntry(feed, slot: index, &pool, &playbacks, context)
        }
        return true
    }

    mutating func fail(
        _ ticket: Int, _ trouble: SourceTrouble, _ playbacks: inout Playbacks, _ context: WallContext
    ) -> Bool {
        guard let opening = end(ticket) else { return false }
        // An opening that hung was settled as failed before (`cancel`): settle only the others.
        if !opening.hangs {
            // A pushed stream may be something else next time.
            let isLasting = trouble.kind == .unsupported && !SourceName.isPushed(opening.location)
            if isLasting, !opening.isForMore { playbacks.feeds[opening.feed].trouble.giveUp(opening.location) }
            playbacks.settle(opening, failed: trouble, context)
        }
        return true
    }

    /// Fails the openings that got no answer in time.
    /// Returns the wall time at which the next one fails.
    mutating func cancel(_ playbacks: inout Playbacks, _ context: WallContext) -> Time? {
        let (late, next) = giveUp(at: context.now)
        for opening in late { playbacks.settle(opening, failed: Self.noAnswer, context) }
        return next
    }
}
