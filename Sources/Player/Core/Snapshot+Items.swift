import Base
import Feeds
import Layout
import Opened

// The items of tiles, their names, and the times of a feed on its group's clock.
extension Snapshot {
    /// Returns the chapters that begin within the current item, counted from its in-point.
    func chapters(of feed: Feed) -> [Chapter] {
        guard let run = feed.slots.first?.run, let facts = facts(of: feed) else { return [] }
        let segment = feed.timeline.segment(of: run)
        return facts.chapters.filter { $0.start >= segment.start && $0.start < segment.end ?? .distantFuture }.map {
            chapter in
            Chapter(
                start: (chapter.start - segment.start).lasting(at: feed.timeline.rate(of: run)), title: chapter.title)
        }
    }

    /// Returns the file name of the source that a card is about. nil if there is none.
    func fileName(of feed: Feed) -> String? {
        if feed.presentTrouble != nil { return SourceName.fileName(of: feed.trouble.source) }
        let run = feed.slots.first?.run ?? RunID(iteration: 0)
        return feed.timeline.item(of: run).map { SourceName.fileName(of: $0.name(of: run.segment)) }
    }

    /// Returns the title and the artist of an item: its label, a song's own, else those in the item's file.
    func names(of item: Item, in feed: Feed) -> MediaNames? {
        item.ownNames
            ?? feed.sources.facts(of: item.segments.first.source).flatMap {
                MediaNames(title: $0.names.title, artist: $0.names.artist)
            }
    }

    /// Returns the title and the artist of what a tile plays.
    func names(of tile: TileID) -> MediaNames? {
        let feed = feed(of: tile)
        let item = tileFeeds.presentItem(of: tile).flatMap { tiles[tile].item(at: $0) }
        return item?.ownNames ?? facts(of: feed).flatMap { MediaNames(title: $0.names.title, artist: $0.names.artist) }
    }

    /// Files from which lyrics are read.
    var lyricsFiles: Set<String> {
        let ofItems = tiles.playing.flatMap { tiles[$0].items.flatMap(\.lyricsSources) }.flatMap(\.files)
        return Set(ofItems + tiles.playing.compactMap { tiles[$0].layout.subtitles.file })
    }

    /// Facts of the source that a feed plays; nil until it is open.
    func facts(of feed: Feed) -> OpenedFacts? { feed.location.flatMap { feed.sources.facts(of: $0) } }

    // MARK: times

    /// Returns the place in the feed's item by the clock, and the item's length. An item that is over and waits for
    /// other tiles is at its end.
    func placeByClock(of feed: Feed) -> (position: Time, length: Time?)? {
        guard let front = feed.slots.first, let start = front.start else { return nil }
        let before = feed.timeline.length(ofSegmentsBefore: front.run)
        let position = group(of: feed).clock.position(at: now) - start + before
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
        let feed = feed(of: tile)
        guard let front = feed.slots.first, let facts = feed.sources.facts(of: front.location),
            let length = facts.frameLength, length > .zero
        else { return nil }
        return length.lasting(at: feed.timeline.rate(of: front.run))
    }
}

extension Item {
    /// Title and artist that do not come from its file: its label, or those of a song.
    fileprivate var ownNames: MediaNames? { MediaNames(title: look.label, artist: names?.artist) ?? names }
}
