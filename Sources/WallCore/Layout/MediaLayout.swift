extension Layout {
    /// For media without a layout: in a grid in their order, each looped, the first one heard.
    public static func ofMedia(_ sources: [String]) -> Layout {
        let grid = GridLayout(tiles: sources.count)
        let tiles = sources.enumerated().map { index, source in
            TileLayout(
                id: "tile\(index + 1)",
                place: .cell(column: index % grid.columns, row: index / grid.columns, columns: 1, rows: 1),
                play: [Item(ofMedia: source)])
        }
        var layout = Layout(title: sources.count == 1 ? SourceName.fileName(of: sources[0]) : "Quadrille", tiles: tiles)
        layout.grid = grid
        return layout
    }

    /// Clips that are compared: two in one place, by a wipe unless `mode` says another way; more in a grid, the first of
    /// which is the reference. `offsets`: how far
    /// ahead of the first each of the others is.
    public static func ofComparison(_ sources: [String], offsets: [Time] = [], mode: ComparisonMode = .wipe)
        -> Layout
    {
        var layout = ofMedia(sources)
        layout.title = sources.map(SourceName.fileName).joined(separator: " | ").printable
        layout.groups[0].loop = .together
        layout.pipelines = .count(min(64, max(4, sources.count)))
        for (place, source) in sources.enumerated() {
            layout.tiles[place].label = SourceName.fileName(of: source).printable
            if place > 0, place <= offsets.count { layout.tiles[place].offset = offsets[place - 1] }
        }
        guard sources.count == 2 else { return layout }
        var tile = TileLayout(id: "comparison", place: .fractions(.all), play: [])
        var compared = ComparisonLayout(
            members: layout.tiles.map { .source($0.play, offset: $0.offset) })
        compared.mode = mode
        tile.compare = compared
        layout.tiles = [tile]
        layout.grid = GridLayout(tiles: 1)
        return layout
    }

    /// Two clips in one place, of which one is seen, and nothing that tells which; the second is so far ahead.
    public static func ofPair(_ first: String, _ second: String, offset: Time) -> Layout {
        var tile = TileLayout(id: "clips", place: .fractions(.all), play: [])
        var compared = ComparisonLayout(members: [
            .source(Item(ofMedia: first), offset: .zero), .source(Item(ofMedia: second), offset: offset),
        ])
        compared.mode = .blink
        (tile.compare, tile.pip) = (compared, .denied)
        var layout = Layout(title: "A/B/X", tiles: [tile])
        layout.groups[0].loop = .together
        return layout
    }
}

extension Item {
    /// As it is named where it is told of: a song by its own file, whatever that is made of.
    func name(of segment: Int) -> String { song ?? segments[segment].source }

    /// A source as the command line names it.
    fileprivate init(ofMedia source: String) {
        self.init(segments: [Segment(source: SourceBase.workingDirectory.resolved(source))])
    }
}
