import Base
import Commands
import Feeds
import Layout

// Changes of comparisons. After a change of what a tile watches, the watched feeds are found anew.
extension Change {
    /// Shows a comparison of other tiles over the wall; nil removes it.
    static func overlay(_ compared: ComparisonLayout?, group: String) -> Change {
        let layout = compared.map { compared in
            var layout = TileLayout(id: "", place: .fractions(.all), content: .comparison(compared))
            layout.group = group
            return layout
        }
        return player(.all) { $0.tileFeeds.overlay(layout, at: $1) }
    }
    static func setComparison(_ compared: ComparisonLayout, of tile: TileID) -> Change {
        player(.all) { player, _ in player.tileFeeds.tiles[tile].layout.content = .comparison(compared) }
    }
    /// Shows one side of a comparison in blink mode; nil lets the sides alternate.
    static func showSide(_ side: Int?, of tile: TileID) -> Change {
        player { player, _ in player.tileFeeds.tiles[tile].watch?.side = side }
    }
    static func swapSides(of tile: TileID) -> Change {
        player(.all) { player, _ in player.tileFeeds.tiles[tile].layout.compare?.isSwapped.toggle() }
    }
}
