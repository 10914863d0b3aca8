import Analysis
import Base
import Console
import Layout
import Lyrics
import Media

/// Everything that `check` found out about a layout.
struct Preflight {
    let layout: Layout
    let pipelines: Int
    let sources: CheckedSources
    /// Songs that the layout plays, with what is odd or missing in them.
    let songs: [SongWithFiles]
    let judge: SeamJudge
    /// Repairs of files that make seams seamless, one for each file.
    let mends: [Remedy]
    /// Findings on the tiles, in their order.
    private(set) var tiles: [CheckedTile] = []
    /// Findings on the layout as a whole, in the order of the text.
    private(set) var wholeFindings: [CheckFinding] = []
    /// Times that this machine takes to decode the films; nil if they were not measured.
    let timing: DecodeBench.Outcome?
    /// Measurements of a run; nil if no trace was given.
    let measured: TraceSummary?

    /// Opens and reads every source. Blocks as long as that takes. `bench`: nil to measure nothing.
    init(_ whole: Layout, pipelines: Int?, _ bench: DecodeBench?, _ measured: TraceSummary? = nil) {
        var read = whole
        songs = CompoundSources(expanding: &read).songs
        (layout, self.measured) = (read.ofPlayingTiles, measured)
        let ofLayout = if case .count(let count) = layout.pipelines { count } else { layout.tiles.count }
        self.pipelines = pipelines ?? ofLayout
        let sources = CheckedSources(of: layout)
        self.sources = sources
        judge = SeamJudge(layout, sources.inspections, pipelines: self.pipelines)
        mends = judge.mends()
        timing = bench?.outcome(read, pipelines: self.pipelines) { sources.facts(of: $0) }
        tiles = checkedTiles
        wholeFindings = CheckFinding.all(of: self, whole)
    }

    private var checkedTiles: [CheckedTile] {
        let crowdedOut = tilesWithoutRoom
        let silenceJudge = SilenceJudge(layout) { facts(of: $0)?.opened }
        return layout.tiles.enumerated().map { index, tile in
            CheckedTile(
                layout: tile, timeline: judge.timelines[index], isMuted: layout.mutes(tile),
                seams: judge.seams(of: index), silences: silenceJudge.silences(of: index), wait: judge.wait(of: index),
                isCrowdedOut: crowdedOut.contains(index), load: timing?.judge.loads[index],
                slowness: timing?.judge.fault(of: index), measured: measured?.seams[index])
        }
    }

    /// Items of each tile and each break, with its name.
    static func sequences(of layout: Layout) -> [(place: String, items: [Item])] {
        let tiles = layout.tiles.map { (place: $0.words, items: $0.play) }
        return tiles + layout.breaks.map { (place: "the break \($0.name)", items: $0.play) }
    }

    /// Tiles whose decoders do not fit in the address space. At most `pipelines` tiles decode at once.
    private var tilesWithoutRoom: Set<Int> {
        let feeds = layout.feedsOfPlayingTiles
        var films: [(feed: Int, size: Size)] = []
        for (feed, tile) in zip(feeds, layout.tiles) where !films.contains(where: { $0.feed == feed }) {
            let sizes = tile.play.flatMap(\.segments).compactMap { segment -> Size? in
                guard let facts = facts(of: segment.source), facts.kind == .video else { return nil }
                return facts.storage
            }
            if let largest = sizes.max(by: { $0.width * $0.height < $1.width * $1.height }) {
                films.append((feed, largest))
            }
        }
        let playing = films.prefix(pipelines)
        let lost = Set(playing.dropFirst(AddressSpace.decodersThatFit(playing.map(\.size))).map(\.feed))
        return Set(layout.tiles.indices.filter { lost.contains(feeds[$0]) })
    }

    /// Returns true if a wall waits for the source until it comes, since it is not a file.
    static func waits(for source: String) -> Bool { SourceName.path(of: source) == nil }

    /// Returns the facts of a source; nil if it can't be played.
    func facts(of source: String) -> SourceFacts? { sources.facts(of: source) }

    /// Returns the facts of a sound that is laid under an item's frames. nil if it can't be played, or is one of the
    /// item's own sources.
    func sound(_ source: String, under item: Item) -> SourceFacts? {
        item.segments.contains(where: { $0.source == source }) ? nil : facts(of: source)
    }

    private func isPlayable(_ source: String) -> Bool { facts(of: source) != nil }

    /// True if a source of a tile can be played.
    var plays: Bool { layout.sources.contains(where: isPlayable) }

    /// Exit status: 0 if seamless; 3 if playable with seams, or once awaited sources come; 1 if nothing can be played.
    var status: Int32 {
        if !plays { return layout.sources.contains(where: Self.waits) ? ExitStatus.seams : ExitStatus.failed }
        let isWhole =
            layout.sources.allSatisfy(isPlayable) && tiles.allSatisfy(\.isWhole)
            && !wholeFindings.contains(where: \.isFault) && songs.allSatisfy { $0.refusal == nil }
        return isWhole ? ExitStatus.done : ExitStatus.seams
    }
}

/// Everything that `check` found out about a tile that plays.
struct CheckedTile {
    let layout: TileLayout
    let timeline: Timeline
    /// True if no sound of it is to be heard.
    let isMuted: Bool
    let seams: [PredictedSeam]
    let silences: [Silence]
    /// Why it does not always play; nil if it does.
    let wait: SeamReason?
    /// True if a limit on the address space leaves no room for its decoder.
    let isCrowdedOut: Bool
    /// Its most expensive film; nil if none was measured.
    let load: DecodeJudge.Load?
    /// Why it is not decoded in time; nil if it is, or if its films were not measured.
    let slowness: String?
    /// Its seams in a run; nil if no trace was given.
    let measured: MeasuredSeams?

    /// True if a sound is lacking that the layout wants to be heard.
    func isFault(_ silence: Silence) -> Bool { silence.isFault && !isMuted }

    /// True if it plays as the layout wants, in the run as well.
    var isWhole: Bool {
        wait == nil && !isCrowdedOut && slowness == nil && seams.allSatisfy(\.isSeamless)
            && !silences.contains(where: isFault) && (measured?.late ?? 0) == 0
    }
}
