extension Layout {
    /// For media without a layout: in a grid in their order, each looped, the first one heard.
    public static func ofMedia(_ sources: [String]) -> Layout {
        let grid = GridLayout(tiles: sources.count)
        let tiles = sources.enumerated().map { index, source in
            TileLayout(
                id: "tile\(index + 1)",
                place: .cell(column: index % grid.columns, row: index / grid.columns, columns: 1, rows: 1),
                play: [Item(pieces: [Item.Piece(source: SourceBase.workingDirectory.resolved(source))])])
        }
        var layout = Layout(title: sources.count == 1 ? SourceName.fileName(of: sources[0]) : "Quadrille", tiles: tiles)
        layout.grid = grid
        return layout
    }
}
