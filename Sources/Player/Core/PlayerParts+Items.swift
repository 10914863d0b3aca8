import Base
import Layout
import Scene

// The items of tiles, and their names.
extension PlayerParts {
    /// Returns the tile whose sound, track and place in time stand for this one: itself, or the first that it compares.
    func player(of tile: TileID) -> TileID { tiles[tile].comparison?.members.first ?? tile }

    /// Returns the second tile of a comparison, which is moved against the first.
    func movable(_ tile: TileID) -> TileID { tiles[tile].comparison?.members.dropFirst().first ?? player(of: tile) }

    /// Returns the index of the current item, or of the last one. nil if the tile plays nothing.
    func presentItem(of tile: TileID) -> Int? {
        let feed = feeds[tiles[tile].feed]
        guard let item = feed.slots.first?.run.item ?? feed.screen.lastRun?.item,
            tiles[tile].play.indices.contains(item)
        else {
            return tiles[tile].play.isEmpty ? nil : 0
        }
        return item
    }

    /// Returns the current item, counted without a break among the items. During a break that is the item before it.
    func presentItemWithoutBreak(of tile: TileID) -> Int? {
        guard let present = presentItem(of: tile), let onBreak = breaks.onTiles[tile] else {
            return presentItem(of: tile)
        }
        let iteration = feeds[tiles[tile].feed].slots.first?.run.iteration ?? onBreak.run.iteration
        return onBreak.placed(RunID(iteration: iteration, item: present))?.item ?? onBreak.run.item
    }

    /// Returns a tile's layout as it was loaded, and changed by hand since.
    func layoutWithoutBreak(of tile: TileID) -> TileLayout {
        var layout = tiles[tile].layout
        if let onBreak = breaks.onTiles[tile] { layout.play = onBreak.base }
        return layout
    }

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
        if feed.trouble.latest != nil { return SourceName.fileName(of: feed.trouble.source) }
        let run = feed.slots.first?.run ?? RunID(iteration: 0)
        guard feed.timeline.items.indices.contains(run.item) else { return nil }
        return SourceName.fileName(of: feed.timeline.items[run.item].name(of: run.segment))
    }

    func nameOfMember(_ member: TileID) -> String {
        if tiles[member].layout.comparedBy == nil { return tiles[member].name }
        let feed = feeds[tiles[member].feed]
        return feed.location.map { SourceName.fileName(of: $0) } ?? fileName(of: feed) ?? tiles[member].name
    }

    func lastingTrouble(of feed: Feed) -> SourceTrouble? {
        switch feed.phase {
        case .barren, .hopeless: feed.trouble.latest
        case .ended: feed.onError == .stop ? feed.trouble.latest : nil
        case .playing: nil
        }
    }

    /// Files from which lyrics are read.
    var lyricsFiles: Set<String> {
        Set(tiles.playing.flatMap { tiles[$0].play.flatMap(\.lyricsSources) }.flatMap(\.files))
    }

    /// Facts of the source that a feed plays; nil until it is open.
    func facts(of feed: Feed) -> OpenedFacts? { feed.location.flatMap { feed.sources.facts(of: $0) } }
}
