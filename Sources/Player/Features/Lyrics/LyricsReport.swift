import Base
import Feeds
import Layout
import Lyrics
import Scene

/// The words that tiles show.
struct LyricsReport: SnapshotReader {
    /// Number of changes of each file from which lyrics are read.
    let changes: [String: Int]
    let snapshot: Snapshot

    /// Returns the lyrics of what a tile plays at this instant. nil if there are none.
    func lyrics(of tile: TileID, playing run: RunID?) -> LyricsView? {
        // Most items have no lyrics.
        guard let run, case .shown = tiles[tile].look(ofItem: run.place).lyrics else { return nil }
        let feed = feeds[tiles[tile].feed]
        let context = context(of: feed.id, at: now)
        guard let slot = feed.slots.current(at: context.dueTime), let start = slot.start else { return nil }
        let look = tiles[tile].look(ofItem: slot.run.place)
        guard case .shown(let layout) = look.lyrics, feed.sources.facts(of: slot.location)?.live == nil else {
            return nil
        }
        let segment = feed.timeline.segment(of: slot.run), rate = feed.timeline.rate(of: slot.run)
        let time = (segment.songStart ?? segment.start) + (context.position - start).played(at: rate)
        var view = LyricsView(
            source: layout.source(of: segment.source), layout: layout, voice: look.voice, time: time - layout.offset,
            speed: context.isRunning ? (context.rate * rate).value : 0)
        view.film = feed.sources.facts(of: slot.location)?.natural.shown(as: look) ?? view.film
        if !changes.isEmpty { view.version = view.source.files.reduce(0) { $0 + (changes[$1] ?? 0) } }
        return view
    }
}

extension Size {
    /// Returns the size of a frame that is cropped and turned as `look` states.
    fileprivate func shown(as look: ItemLook) -> Size {
        let part = Size(Int(Double(width) * look.crop.width), Int(Double(height) * look.crop.height))
        return part.turned(look.decoding.turn)
    }
}
