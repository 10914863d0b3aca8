import Base
import Layout
import Scene

/// Items as events report them, with the frames that were due.
struct ReportedItems: Report {
    let snapshot: Snapshot

    /// Returns the item with the number of frames that were due, at most what the display can show in its time.
    /// `isWhole`: true if the item came to its end.
    func settled(
        _ item: PlayedItem, of feed: FeedID, isWhole: Bool = false
    ) -> PlayedItem {
        var item = item
        let due = item.due ?? feeds[feed].course.due(of: item, feeds[feed].sources, feeds[feed].trouble)
        // Length on the wall, at the rate of the group's clock.
        let length = due.length?.lasting(at: group(of: feed).clock.rate)
        (item.length, item.isBroken) = (length, due.isBroken)
        if item.interruption.isHeld {
            item.frames = 0
        } else if item.interruption.isCut, !item.isStill {
            // The rest of the item is reported after the break.
            item.frames = item.distinct
        } else if let frames = due.frames {
            item.frames = max(0, frames - item.cut - (item.isStill ? 0 : item.interruption.before))
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

    /// Returns the place of an item as events report it. A break is not part of the sequence.
    func place(ofItem place: ItemPlace, of feed: FeedID) -> Event.TroublePlace {
        guard place.isOnTop, let top = feeds[feed].timeline.top else { return .item(place.item) }
        return .ofBreak(top.name)
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
