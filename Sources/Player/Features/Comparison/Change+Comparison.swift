import Base
import Commands
import Feeds
import Layout

// Changes of comparisons.
extension Change {
    /// Shows a comparison of other tiles over the wall; nil removes it.
    static func overlay(_ compared: ComparisonLayout?, group: String) -> Change {
        let layout = compared.map { compared in
            var layout = TileLayout(id: "", place: .fractions(.all), content: .comparison(compared))
            layout.group = group
            return layout
        }
        return watch { $0.tileFeeds.overlay(layout, $0.conditions(at: $1)) }
    }
    static func setComparison(_ compared: ComparisonLayout, of tile: TileID) -> Change {
        watch { player, _ in player.tileFeeds.tiles[tile].layout.content = .comparison(compared) }
    }
    /// Shows one side of a comparison in blink mode; nil lets the sides alternate.
    static func showSide(_ side: Int?, of tile: TileID) -> Change {
        player { player, _ in player.tileFeeds.tiles[tile].watch?.side = side }
    }
    static func swapSides(of tile: TileID) -> Change {
        watch { player, _ in player.tileFeeds.tiles[tile].layout.compare?.isSwapped.toggle() }
    }

    /// A change of what a tile watches, after which the watched feeds are found anew.
    private static func watch(_ make: @escaping @Sendable (inout PlayerCore, Time) -> Void) -> Change {
        player {
            make(&$0, $1)
            $0.touch(.all)
        }
    }
}
