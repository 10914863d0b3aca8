import Base
import Feeds
import Layout
import Opened

// The items of tiles, and their names.
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
        let feed = feeds[tiles[tile].feed]
        let item = tileFeeds.presentItem(of: tile).flatMap { tiles[tile].item(at: $0) }
        return item?.ownNames ?? facts(of: feed).flatMap { MediaNames(title: $0.names.title, artist: $0.names.artist) }
    }

    func nameOfMember(_ member: TileID) -> String {
        if tiles[member].layout.comparedBy == nil { return tiles[member].name }
        let feed = feeds[tiles[member].feed]
        return feed.location.map { SourceName.fileName(of: $0) } ?? fileName(of: feed) ?? tiles[member].name
    }

    /// Files from which lyrics are read.
    var lyricsFiles: Set<String> {
        let ofItems = tiles.playing.flatMap { tiles[$0].items.flatMap(\.lyricsSources) }.flatMap(\.files)
        return Set(ofItems + tiles.playing.compactMap { tiles[$0].layout.subtitles.file })
    }

    /// Facts of the source that a feed plays; nil until it is open.
    func facts(of feed: Feed) -> OpenedFacts? { feed.location.flatMap { feed.sources.facts(of: $0) } }
}

extension Item {
    /// Title and artist that do not come from its file: its label, or those of a song.
    fileprivate var ownNames: MediaNames? { MediaNames(title: look.label, artist: names?.artist) ?? names }
}
