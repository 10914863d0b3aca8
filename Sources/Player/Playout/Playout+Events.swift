import Base
import Feeds
import Layout

// Events of feeds, which are emitted with the name of the focused tile.
extension Playout {
    func emit(_ what: Event.What) { outbox.emit(what, at: now, focus: tiles.focusName) }

    /// Emits an event for each tile of a feed.
    func emit(of feed: Feed, _ what: (String) -> Event.What) {
        for tile in feed.tiles { emit(what(tiles[tile].name)) }
    }

    // MARK: items

    func emit(_ changes: [ShownItems.Change], of feed: Feed) {
        for change in changes {
            switch change {
            case .began(let run, var source):
                if let song = feed.timeline.item(of: run)?.song {
                    feed.screen.items.name(song)
                    source = song
                }
                emit(of: feed) { .itemStart(tile: $0, run: run, source: source) }
            case .ended(let item, let reason):
                // The last frame that is held after a break does not count.
                if reason == .eof, !item.isOnTop, item.beginning != .break {
                    for tile in feed.tiles { transport.itemEnds[tile, default: 0] += 1 }
                }
                let reported = ended(item, of: feed, isWhole: reason == .eof)
                emit(of: feed) { .itemEnd(reported, tile: $0, reason: reason) }
            case .left(let item): emit(of: feed) { .left(settled(item, of: feed), tile: $0) }
            case .stands(let item): emit(of: feed) { .stands(settled(item, of: feed), tile: $0) }
            }
        }
    }

    // MARK: troubles

    /// Emits a trouble once for each source, until the source has played or fails in another way. The trace thus has
    /// the text of each card.
    func report(_ trouble: SourceTrouble, of feed: Feed, _ source: String, item: ItemPlace, pts: Time? = nil) {
        guard feed.trouble.note(trouble, of: source) else { return }
        let since = transport.absenceBegin(of: source, feed, at: now)
        feed.reel.liveness.noteLoss(of: source, since: since, at: now)
        let place = place(ofItem: item, of: feed)
        // A tile whose sound failed in the same way has emitted the trouble already.
        for tile in feed.tiles where tiles[tile].troubledSounds[source] != trouble {
            emit(.trouble(tile: tiles[tile].name, source: source, item: place, pts: pts, trouble: trouble))
        }
    }

    /// Emits the damage of a source that plays nevertheless, once until the damage is gone.
    func report(_ damage: FilmDamage, isThere: Bool, of feed: Feed, _ source: String, item: ItemPlace) {
        guard feed.trouble.note(damage, isThere: isThere, in: source) else { return }
        let place = place(ofItem: item, of: feed)
        emit(of: feed) { .trouble(tile: $0, source: source, item: place, pts: nil, trouble: damage.trouble) }
    }

    /// Emits the failure of a slot without frames.
    func fail(_ feed: Feed, slot index: Int, _ trouble: SourceTrouble) {
        emit(feed.supply.fail(slot: index, trouble, at: context(of: feed).dueTime), of: feed)
    }

    /// Returns an item that ends, with the time in which it was neither seen nor heard: while the wall rested, or
    /// another tile filled it. `isWhole`: true if the item came to its end.
    func ended(_ item: ItemRecord, of feed: Feed, isWhole: Bool = false) -> ItemRecord {
        var item = item
        if let since = [restsSince, feed.screen.unseenSince].compactMap({ $0 }).min() {
            item.noteUnseen(since: since, until: now)
        }
        return settled(item, of: feed, isWhole: isWhole)
    }

    /// Returns the item with the number of frames that were due, at most what the display can show in its time.
    private func settled(_ item: ItemRecord, of feed: Feed, isWhole: Bool = false) -> ItemRecord {
        var item = item
        item.settle(
            feed.expected(of: item), at: transport.group(of: feed).clock.rate, refresh: output.refreshInterval,
            isWhole: isWhole, until: now)
        return item
    }

    // MARK: presented frames

    /// Notes that a drawn frame is on the screen. Returns the changes of the items on the screen.
    func notePresented(_ drawn: DrawnFrame) -> [ShownItems.Change] {
        let feed = feeds[drawn.feed]
        if let (slot, frame) = feed.seam.newFrame(drawn) { reportLeaving(frame, of: feed, slot) }
        guard let (slot, frame) = feed.slots.newFrame(drawn, on: feed.screen) else { return [] }
        return report(frame, of: feed, slot: slot)
    }

    /// Reports a frame that is new on the screen. Returns the changes of items: the first frame of an item begins that
    /// item, and ends the one before.
    private func report(_ place: Int, of feed: Feed, slot index: Int) -> [ShownItems.Change] {
        let slot = feed.slots[index], frame = slot.frames[place]
        noteLiveFrame(of: feed, slot)
        let clock = transport.group(of: feed).clock
        let (due, late, isLate) = lateness(of: frame, slot, clock, feed.watched.pairShift)
        let shownBefore = feed.screen.lastRun
        let presentation = feed.notePresented(place, ofSlot: index, isLate: isLate && clock.motion == .running, at: now)
        emit(presentation.changes, of: feed)
        // A still that is shown again is the same frame.
        let isSameStill = slot.isStill && shownBefore.map { feed.timeline.repeats($0, slot.run) } ?? false
        guard feed.screen.isSeen else { return presentation.changes }
        if presentation.isSeam, !isSameStill {
            let delay = slot.delay.lasting(at: clock.rate)
            let isNoted = isLate || delay > output.refreshInterval
            let reason = isNoted ? reason(of: slot, due: (due ?? now) - delay) : nil
            emit(of: feed) { .seam(tile: $0, run: slot.run, how: slot.seamManner, late: late + delay, reason: reason) }
        }
        emit(of: feed) { .frame(tile: $0, run: slot.run, pts: frame.pts, due: due ?? now) }
        return presentation.changes
    }

    /// Reports a frame of the item that a fade takes off the screen.
    private func reportLeaving(_ place: Int, of feed: Feed, _ slot: Slot) {
        let clock = transport.group(of: feed).clock, frame = slot.frames[place]
        let (due, _, isLate) = lateness(of: frame, slot, clock, feed.watched.pairShift)
        feed.notePresentedLeaving(place, isLate: isLate && clock.motion == .running)
        guard feed.screen.isSeen else { return }
        emit(of: feed) { .frame(tile: $0, run: slot.run, pts: frame.pts, due: due ?? now) }
    }

    /// Returns the wall time at which a frame was due, and how much later it came.
    private func lateness(of frame: Slot.TimedFrame, _ slot: Slot, _ clock: Clock, _ phase: Time) -> (
        due: Time?, late: Time, isLate: Bool
    ) {
        let due = slot.start.flatMap { clock.wallTime(of: max($0 + frame.offset, $0 + slot.entry) - phase) }
        let late = due.map { max(.zero, now - $0) } ?? .zero
        return (due, late, late > output.refreshInterval)
    }

    /// Returns why a seam was late.
    private func reason(of slot: Slot, due: Time) -> String {
        if let opened = slot.times.opened, opened > due { return "its source was not open in time" }
        if let leased = slot.times.leased, leased > due { return "no pipeline was free in time" }
        if let ready = slot.times.firstDecoded, ready > due { return "its first frame was not decoded in time" }
        return "the display was late"
    }
}
