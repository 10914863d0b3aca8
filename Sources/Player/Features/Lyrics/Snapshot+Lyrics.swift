import Base
import Layout
import Lyrics
import Opened
import Scene

// The words that tiles show.
extension Snapshot {
    /// Source that a tile plays at this instant, and the time in it.
    struct LyricsMoment {
        let look: ItemLook
        let source: String
        /// nil until the source is open.
        let facts: OpenedFacts?
        let time: Time
        /// Rate at which the time advances; 0 while it is paused.
        let speed: Double
    }

    /// Returns the lyrics of what a tile plays at this instant. nil if there are none.
    func lyrics(of tile: TileID, playing run: RunID?) -> LyricsView? {
        // Most items have no lyrics.
        guard let run, case .shown = tiles[tile].look(ofItem: run.place).lyrics, let moment = lyricsMoment(of: tile),
            case .shown(let layout) = moment.look.lyrics
        else { return nil }
        return lyricsView(of: layout.source(of: moment.source), layout, at: moment)
    }

    /// nil if the tile plays nothing, or a live source.
    func lyricsMoment(of tile: TileID) -> LyricsMoment? {
        let feed = feed(of: tile), context = context(of: feed)
        guard let slot = feed.slots.current(at: context.dueTime), let start = slot.start,
            case let facts = feed.sources.facts(of: slot.location), facts?.live == nil
        else { return nil }
        let segment = feed.timeline.segment(of: slot.run), rate = feed.timeline.rate(of: slot.run)
        return LyricsMoment(
            look: tiles[tile].look(ofItem: slot.run.place), source: segment.source, facts: facts,
            time: (segment.songStart ?? segment.start) + (context.position - start).played(at: rate),
            speed: context.isRunning ? (context.rate * rate).value : 0)
    }

    func lyricsView(of source: LyricsSource, _ layout: LyricsLayout, at moment: LyricsMoment) -> LyricsView {
        var view = LyricsView(
            source: source, layout: layout, voice: moment.look.voice, time: moment.time - layout.offset,
            speed: moment.speed)
        view.film = moment.facts.map { moment.look.sizeShown(of: $0) } ?? view.film
        return view
    }
}

extension ItemLook {
    /// Returns the size of the film's frames when they are cropped and turned.
    fileprivate func sizeShown(of facts: OpenedFacts) -> Size {
        let part = crop.part(of: facts.stored), natural = facts.natural
        return Size(Int(Double(natural.width) * part.width), Int(Double(natural.height) * part.height))
            .turned(decoding.turn)
    }
}
