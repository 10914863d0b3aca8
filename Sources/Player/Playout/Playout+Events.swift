import Base
import Feeds
import Layout

// Events of feeds, which are emitted with the name of the focused tile.
extension Playout {
    func emit(_ what: Event.What) { outbox.emit(what, at: now, focus: tiles.focusName) }

    /// Emits an event for each tile of a feed.
    func emit(of feed: FeedID, _ what: (String) -> Event.What) {
        for tile in feeds[feed].tiles { emit(what(tiles[tile].name)) }
    }

    // MARK: items

    func emit(_ changes: [ShownItems.Change], of feed: FeedID) {
        for change in changes {
            switch change {
            case .began(let run, var source):
                if let song = feeds[feed].timeline.item(of: run)?.song {
                    feeds[feed].screen.items.name(song)
                    source = song
                }
                emit(of: feed) { .itemStart(tile: $0, run: run, source: source) }
            case .ended(let item, let reason):
                // The last frame that is held after a break does not count.
                if reason == .eof, !item.isOnTop, item.beginning != .break {
                    for tile in feeds[feed].tiles { transport.itemEnds[tile, default: 0] += 1 }
                }
                let reported = ended(item, of: feed, isWhole: reason == .eof)
                emit(of: feed) { .itemEnd(reported, tile: $0, reason: reason) }
            case .left(let item):
                let reported = settled(item, of: feed)
                emit(of: feed) { .left(reported, tile: $0) }
            case .stands(let item):
                let reported = settled(item, of: feed)
                emit(of: feed) { .stands(reported, tile: $0) }
            }
        }
    }

    // MARK: troubles

    /// Emits a trouble once for each source, until the source has played or fails in another way. The trace thus has
    /// the text of each card.
    func report(_ trouble: SourceTrouble, of feed: FeedID, _ source: String, item: ItemPlace, pts: Time? = nil) {
        let own = feeds[feed]
        guard own.trouble.note(trouble, of: source) else { return }
        let since = transport.absenceBegin(of: source, own, at: now)
        own.reel.liveness.noteLoss(of: source, since: since, at: now)
        let place = place(ofItem: item, of: own)
        // A tile whose sound failed in the same way has emitted the trouble already.
        for tile in own.tiles where tiles[tile].troubledSounds[source] != trouble {
            let name = tiles[tile].name
            emit(.trouble(tile: name, source: source, item: place, pts: pts, trouble: trouble))
        }
    }

    /// Emits the damage of a source that plays nevertheless, once until the damage is gone.
    func report(_ damage: FilmDamage, isThere: Bool, of feed: FeedID, _ source: String, item: ItemPlace) {
        guard feeds[feed].trouble.note(damage, isThere: isThere, in: source) else { return }
        let place = place(ofItem: item, of: feeds[feed])
        emit(of: feed) { .trouble(tile: $0, source: source, item: place, pts: nil, trouble: damage.trouble) }
    }

    /// Emits the failure of a slot without frames.
    func fail(_ feed: FeedID, slot index: Int, _ trouble: SourceTrouble) {
        let groupTime = transport.context(of: feed, at: now).dueTime
        emit(feeds[feed].supply.fail(slot: index, trouble, at: groupTime), of: feed)
    }

    /// Returns an item that ends, with the time in which it was neither seen nor heard: while the wall rested, or
    /// another tile filled it. `isWhole`: true if the item came to its end.
    func ended(_ item: ItemRecord, of feed: FeedID, isWhole: Bool = false) -> ItemRecord {
        var item = item
        if let since = [restsSince, feeds[feed].screen.unseenSince].compactMap({ $0 }).min() {
            item.noteRest(since: since, until: now)
        }
        return settled(item, of: feed, isWhole: isWhole)
    }

    /// Returns the item with the number of frames that were due, at most what the display can show in its time.
    fileprivate func settled(_ item: ItemRecord, of feed: FeedID, isWhole: Bool = false) -> ItemRecord {
        var item = item
        item.settle(
            feeds[feed].expected(of: item), at: transport.group(of: feed).clock.rate, refresh: output.refreshInterval,
            isWhole: isWhole, until: now)
        return item
    }
}
