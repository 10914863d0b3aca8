@testable import Base
@testable import Feeds
@testable import Layout
@testable import Player

extension Layout {
    /// Returns a layout of tiles in a grid, each with a sequence of clip names.
    static func of(_ sequences: [[String]], _ change: (inout TileLayout) -> Void = { _ in }) -> Layout {
        var layout = Layout(title: "test", tiles: [])
        layout.grid.columns = sequences.count
        for (index, names) in sequences.enumerated() {
            var tile = TileLayout(
                id: "tile\(index + 1)", place: .cell(column: index, row: 0, columns: 1, rows: 1),
                play: names.map { Item(source: $0) })
            change(&tile)
            layout.tiles.append(tile)
        }
        return layout
    }
}

/// Ids count tiles in the order in which they were added, at first that of the layout.
extension TileID: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: Int) { self.init(number: value) }
}
extension FeedID: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: Int) { self.init(number: value) }
}
extension GroupID: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: Int) { self.init(number: value) }
}
extension SoundID: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: Int) { self.init(number: value) }
}
