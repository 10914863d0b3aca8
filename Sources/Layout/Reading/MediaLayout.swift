import Base

extension Layout {
    /// Layout for media given without one: a grid in their order, each looped, with the sound of the first.
    public static func ofMedia(_ sources: [String]) -> Layout {
        let grid = GridLayout(tiles: sources.count)
        let tiles = sources.enumerated().map { index, source in
            TileLayout(id: "tile\(index + 1)", place: .cell(at: index, of: grid), play: [Item(ofMedia: source)])
        }
        var layout = Layout(title: sources.count == 1 ? SourceName.fileName(of: sources[0]) : "Quadrille", tiles: tiles)
        layout.grid = grid
        return layout
    }

    /// Layout that compares clips. Two are compared in one tile, by a wipe unless `mode` is another. More are in a
    /// grid, where the first is the reference. `offsets`: how far each other clip is ahead of the first.
    public static func ofComparison(_ sources: [String], offsets: [Time] = [], mode: ComparisonMode = .wipe)
        -> Layout
    {
        var layout = ofMedia(sources)
        layout.title = sources.map(SourceName.fileName).joined(separator: " | ").printable
        layout.groups[0].loop = .together
        layout.quality = .exact
        layout.pipelines = .count(min(64, max(4, sources.count)))
        for (place, source) in sources.enumerated() {
            layout.tiles[place].label = SourceName.fileName(of: source).printable
            if place > 0, place <= offsets.count { layout.tiles[place].offset = offsets[place - 1] }
        }
        guard sources.count == 2 else { return layout }
        var compared = ComparisonLayout(
            members: layout.tiles.map { .source($0.play, offset: $0.offset) })
        compared.mode = mode
        layout.tiles = [
            TileLayout(id: "comparison", place: .fractions(.all), content: .comparison(compared))
        ]
        layout.grid = GridLayout(tiles: 1)
        return layout
    }

    /// Layout of a blind test: two clips in one tile, one seen at a time, without a hint which. `offset`: how far the
    /// second is ahead.
    public static func ofPair(_ first: String, _ second: String, offset: Time) -> Layout {
        var compared = ComparisonLayout(members: [
            .source(Item(ofMedia: first), offset: .zero), .source(Item(ofMedia: second), offset: offset),
        ])
        compared.mode = .blink
        var tile = TileLayout(id: "clips", place: .fractions(.all), content: .comparison(compared))
        tile.pip = .denied
        var layout = Layout(title: "A/B/X", tiles: [tile])
        layout.groups[0].loop = .together
        layout.quality = .exact
        return layout
    }
}

extension Item {
    /// Name of a segment in events and messages. A song has the name of its own file.
    public func name(of segment: Int) -> String { song ?? segments[segment].source }

    /// An item for a source of the command line.
    fileprivate init(ofMedia source: String) {
        self.init(source: SourceBase.workingDirectory.resolved(source))
    }
}
