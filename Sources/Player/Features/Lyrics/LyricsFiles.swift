import Base
import Commands
import Layout
import Lyrics
import Opened
import Scene

/// Changes of the files from which lyrics are read.
struct LyricsFiles: Feature {
    /// Number of changes of each file.
    private var changes: [String: Int] = [:]

    /// Marks the lyrics in this file to be read again.
    mutating func fileChanges(_ location: String, _ snapshot: Snapshot) {
        if snapshot.lyricsFiles.contains(location) { changes[location, default: 0] += 1 }
    }

    func complete(_ view: inout View, playing run: RunID?, _ snapshot: Snapshot) {
        // Subtitles that the tile shows take the place of lyrics.
        if view.lyrics == nil { view.lyrics = snapshot.lyrics(of: view.tile, playing: run) }
        guard !changes.isEmpty, let files = view.lyrics?.source.files else { return }
        view.lyrics!.version = files.reduce(0) { $0 + (changes[$1] ?? 0) }
    }
}

extension Wall {
    /// Emits a trouble for each tile whose lyrics or subtitles can't be read.
    public mutating func lyricsFailed(_ source: LyricsSource, _ trouble: SourceTrouble, at now: Time) {
        let subtitles = features[Subtitles.self], snapshot = player.snapshot(at: now)
        let troubles = snapshot.tiles.playing.compactMap { tile -> Change? in
            let ofItem = snapshot.tiles[tile].play.firstIndex { $0.lyricsSources.contains(source) }
            let isShown = { subtitles.report(on: tile, snapshot)?.source == source }
            let item = ofItem ?? (isShown() ? snapshot.feed(of: tile).slots.first?.run.item : nil)
            let name = snapshot.tiles[tile].name
            return item.map {
                .emit(.trouble(tile: name, source: source.name, item: .item($0), pts: nil, trouble: trouble))
            }
        }
        make(troubles, at: now)
    }
}

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
