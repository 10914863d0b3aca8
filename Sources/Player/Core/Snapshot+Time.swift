import Base
import Feeds

// Times of a feed on its group's clock.
extension Snapshot {
    /// Returns the place in the feed's item by the clock, and the item's length. An item that is over and waits for
    /// other tiles is at its end.
    func placeByClock(of feed: Feed, at now: Time) -> (position: Time, length: Time?)? {
        guard let front = feed.slots.first, let start = front.start else { return nil }
        let before = feed.timeline.length(ofSegmentsBefore: front.run)
        let position = transport.group(of: feed).clock.position(at: now) - start + before
        let length = feed.timeline.itemLength(at: front.run.place)
        return (length.map { min(position, $0) } ?? position, length)
    }

    func place(of shown: FeedShowing.Shown, in feed: Feed) -> Time? {
        guard shown.item != nil, let origin = shown.origin, feed.timeline.has(origin.run) else { return nil }
        return feed.timeline.length(ofSegmentsBefore: origin.run) + origin.offset
    }

    /// Converts a group time to a place in the item that a feed plays. The end of an item belongs to that item.
    func placeInItem(_ time: Time, of feed: Feed) -> Time? {
        guard let front = feed.slots.first, let start = front.start else { return nil }
        let place = time - start + feed.timeline.length(ofSegmentsBefore: front.run)
        if place >= .zero, place <= feed.timeline.itemLength(at: front.run.place) ?? .distantFuture { return place }
        return feed.course.placeInItem(time, clocks[feed.group])
    }

    /// Returns the duration of a frame of a tile on its clock. nil if it is unknown.
    func frameLength(of tile: TileID) -> Time? {
        let feed = feeds[tiles[tile].feed]
        guard let front = feed.slots.first, let facts = feed.sources.facts(of: front.location),
            let length = facts.frameLength, length > .zero
        else { return nil }
        return length.lasting(at: feed.timeline.rate(of: front.run))
    }
}
