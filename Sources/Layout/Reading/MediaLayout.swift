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
        var layout = ofComparison([first, second], offsets: [offset], mode: .blink)
        layout.title = "A/B/X"
        (layout.tiles[0].id, layout.tiles[0].pip) = ("clips", .denied)
        return layout
    }
}

extension Item {
    /// Name of a segment in events and messages. A song has the name of its own file.
    public func name(of segment: Int) -> String { song ?? segments[segment].source }

    /// An item for a source of the command line.
    fileprivate init(ofMedia source: String) { self.init(source: SourceBase.workingDirectory.resolved(source)) }
}

extension GridLayout {
    /// Returns the largest window size within the usual window that leaves no background beside these frames; nil if
    /// there are none. For frames of different shapes the median counts.
    public func windowSize(for frames: [Size]) -> Size? {
        let shapes = frames.filter { !$0.isEmpty }.map { Double($0.width) / Double($0.height) }.sorted()
        guard !shapes.isEmpty else { return nil }
        // The geometric mean: 16:9 and 9:16 give 1:1.
        let middle = (shapes[(shapes.count - 1) / 2] * shapes[shapes.count / 2]).squareRoot()
        let shape = middle * Double(columns) / Double(rows)
        let usual = WindowLayout().size
        let width = min(Double(usual.width), Double(usual.height) * shape)
        return Size(
            Self.even(width, in: Self.leastSide...usual.width),
            Self.even(width / shape, in: Self.leastSide...usual.height))
    }

    /// Room for marks, however long and narrow the frames are.
    private static let leastSide = 180

    /// Encoders take sides of even length alone.
    private static func even(_ length: Double, in range: ClosedRange<Int>) -> Int {
        min(max(2 * Int((length / 2).rounded()), range.lowerBound), range.upperBound)
    }
}
