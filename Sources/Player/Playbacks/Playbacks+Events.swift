import Base
import Feeds
import Layout
import Scene

// Events of feeds, which are emitted with the name of the focused tile.
extension Playbacks {
    mutating func emit(_ what: Event.What, _ context: WallContext) {
        effects.emit(what, at: context.now, focus: context.focusName)
    }

    /// Emits an event for each tile of a feed.
    mutating func emit(of feed: FeedID, _ context: WallContext, _ what: (String) -> Event.What) {
        for tile in feeds[feed].tiles { emit(what(context.tiles[tile].name), context) }
    }

    // MARK: items

    mutating func emit(_ changes: [ShownItems.Change], of feed: FeedID, _ context: WallContext) {
        for change in changes {
            switch change {
            case .began(let run, var source):
                if let song = feeds[feed].timeline.item(of: run)?.song {
                    feeds[feed].screen.items.name(song)
                    source = song
                }
                emit(of: feed, context) { .itemStart(tile: $0, run: run, source: source) }
            case .ended(let item, let reason):
                let reported = ended(item, of: feed, isWhole: reason == .eof, context)
                emit(of: feed, context) { .itemEnd(reported, tile: $0, reason: reason) }
            case .left(let item):
                let reported = settled(item, of: feed, context)
                emit(of: feed, context) { .left(reported, tile: $0) }
            case .stands(let item):
                let reported = settled(item, of: feed, context)
                emit(of: feed, context) { .stands(reported, tile: $0) }
            }
        }
    }

    // MARK: troubles

    /// Emits a trouble once for each source, until the source has played or fails in another way. The trace thus has
    /// the text of each card.
    mutating func report(
        _ trouble: SourceTrouble, of feed: FeedID, _ source: String, item: ItemPlace, pts: Time? = nil,
        _ context: WallContext
    ) {
        guard feeds[feed].trouble.note(trouble, of: source) else { return }
        let since = absenceBegin(of: source, feeds[feed], at: context.now)
        feeds[feed].liveness.noteLoss(of: source, since: since, at: context.now)
        let place = context.place(ofItem: item, of: feeds[feed])
        // A tile whose sound failed in the same way has emitted the trouble already.
        for tile in feeds[feed].tiles where context.tiles[tile].troubledSounds[source] != trouble {
            let name = context.tiles[tile].name
            emit(.trouble(tile: name, source: source, item: place, pts: pts, trouble: trouble), context)
        }
    }

    /// Emits the damage of a source that plays nevertheless, once until the damage is gone.
    mutating func report(
        _ damage: FilmDamage, isThere: Bool, of feed: FeedID, _ source: String, item: ItemPlace,
        _ context: WallContext
    ) {
        guard feeds[feed].trouble.note(damage, isThere: isThere, in: source) else { return }
        let place = context.place(ofItem: item, of: feeds[feed])
        emit(of: feed, context) {
            .trouble(tile: $0, source: source, item: place, pts: nil, trouble: damage.trouble)
        }
    }

    /// Emits the failure of a slot without frames.
    mutating func fail(_ feed: FeedID, slot index: Int, _ trouble: SourceTrouble, _ context: WallContext) {
        let groupTime = self.context(of: feed, at: context.now).dueTime
        emit(feeds[feed].fail(slot: index, trouble, at: groupTime), of: feed, context)
    }
}

extension PlaybackParts {
    /// Returns an item that ends, with the time in which it was neither seen nor heard: while the wall rested, or
    /// another tile filled it. `isWhole`: true if the item came to its end.
    func ended(
        _ item: PlayedItem, of feed: FeedID, isWhole: Bool = false, _ context: WallContext
    ) -> PlayedItem {
        var item = item
        if let since = [context.restsSince, feeds[feed].screen.unseenSince].compactMap({ $0 }).min() {
            item.noteRest(since: since, until: context.now)
        }
        return settled(item, of: feed, isWhole: isWhole, context)
    }

    /// Returns the item with the number of frames that were due, at most what the display can show in its time.
    fileprivate func settled(
        _ item: PlayedItem, of feed: FeedID, isWhole: Bool = false, _ context: WallContext
    ) -> PlayedItem {
        var item = item
        item.settle(
            feeds[feed].expected(of: item), at: group(of: feed).clock.rate, refresh: context.output.refreshInterval,
            isWhole: isWhole, until: context.now)
        return item
    }
}
