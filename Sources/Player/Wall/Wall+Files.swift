import Base
import Layout

// Files that change while the wall plays.
extension Wall {
    /// Files that tiles and breaks play or read lyrics from, as the layout writes them.
    public var files: Set<String> {
        let items = tiles.playing.flatMap { tiles[$0].play } + layout.breaks.flatMap(\.play)
        let sources = items.flatMap { $0.segments.map(\.source) }
        return lyricsFiles.union(sources.filter { !SourceName.isURL($0) })
    }

    /// Notes that the file at `location` was replaced. The next run opens the new file. Runs of the old file play on.
    public mutating func fileChanged(_ location: String, at now: Time) {
        change(at: now) { changed in
            changed.noteWords(of: location)
            changed.forget(location, at: now)
        }
    }

    private mutating func forget(_ location: String, at now: Time) {
        let isOfBreak = layout.breaks.contains { $0.play.contains { $0.segments.contains { $0.source == location } } }
        for tile in tiles.playing { tiles[tile].troubledSounds[location] = nil }
        for feed in feeds.ids where isOfBreak || feeds[feed].tiles.contains(where: { tiles[$0].plays(location) }) {
            let leases = pool.pipelines.compactMap(\.lease).filter { $0.feed == feed }
            feeds[feed].forget(location, leases: leases, at: now, &effects)
        }
    }
}
