import Base
import Layout
import Scene

/// Items as events report them: with the frames that were due, and numbered without the items of a break.
struct ReportedItems: Report {
    let snapshot: Snapshot

    /// Returns the item with the number of frames that were due, at most what the display can show in its time.
    /// `isWhole`: true if the item came to its end.
    func settled(
        _ item: PlayedItem, of feed: FeedID, isWhole: Bool = false
    ) -> PlayedItem {
        var item = item
        let due = item.due ?? feeds[feed].due(of: item)
        // Length on the wall, at the rate of the group's clock.
        let length = due.length?.lasting(at: group(of: feed).clock.rate)
        (item.length, item.isBroken) = (length, due.isBroken)
        if item.isHeld {
            item.frames = 0
        } else if item.isInterrupted, !item.isStill {
            // The rest of the item is reported after the break.
            item.frames = item.distinct
        } else if let frames = due.frames {
            item.frames = max(0, frames - item.cut - (item.isStill ? 0 : item.before))
            if frames > 1, let length {
                item.frames = min(item.frames, Int(length.ticks / max(1, output.refreshInterval.ticks)) + 1)
            }
        } else {
            item.frames = item.distinct + item.dropped + item.lost
            // While an item that came to its end was not seen, its frames were due at the same rate.
            let seen = item.shown(until: now)
            if isWhole, let length, seen > .zero, seen < length * 99 / 100 {
                item.frames = Int(Double(item.frames) * length.seconds / seen.seconds)
            }
        }
        return item
    }

    /// Returns an item with its run as `reported` numbers it. An item of a break that is over keeps its place in the
    /// break.
    func standing(_ item: PlayedItem, on tile: TileID) -> PlayedItem {
        var item = item
        if let place = item.placeInBreak { item.run.item = place } else { item.run = reported(item.run, on: tile) }
        return item
    }

    /// Returns a run numbered without the break among a tile's items. Items of the break count from 0.
    func reported(_ run: RunID, on tile: TileID) -> RunID {
        guard let onBreak = breaks.onTiles[tile] else { return run }
        if let placed = onBreak.placed(run) { return placed }
        var run = run
        if onBreak.items.contains(run.item) { run.item -= onBreak.items.lowerBound }
        return run
    }

    /// Returns the place of an item as events report it. A break is not part of the sequence.
    func place(ofItem item: Int, of feed: FeedID) -> Event.TroublePlace {
        guard let onBreak = feeds[feed].tiles.lazy.compactMap({ breaks.onTiles[$0] }).first else {
            return .item(item)
        }
        if onBreak.items.contains(item) { return .ofBreak(onBreak.name) }
        return .item(onBreak.placed(RunID(iteration: onBreak.run.iteration, item: item))?.item ?? item)
    }

    /// Returns an item that ends, with the time noted in which it was not seen or heard: while the wall rested, or
    /// other tiles filled it.
    func ended(_ item: PlayedItem, of feed: FeedID) -> PlayedItem {
        guard let since = [restsSince, feeds[feed].screen.unseenSince].compactMap({ $0 }).min() else {
            return item
        }
        var item = item
        item.noteRest(since: since, until: now)
        return item
    }
}
