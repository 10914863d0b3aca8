import Base
import Feeds
import Layout

/// The tiles of a wall, to read.
protocol TileParts {
    var tiles: Tiles { get }
}

extension TileParts {
    var focus: TileID? { tiles.focus }
    var focusedFeed: FeedID? { tiles.focus.map { tiles[$0].feed } }

    /// Name of the tile that has the focus, as events report it.
    var focusName: String? { tiles.focus.map { tiles[$0].name } }

    /// Returns the tile that plays for this tile: the first tile that it compares, or the tile itself. Commands for
    /// sound, track and time go to that tile.
    func playingTile(for tile: TileID) -> TileID { tiles.playingTile(for: tile) }

    /// Returns the tile that moves alone: the second tile of a comparison, which moves against the first, or the tile
    /// itself.
    func tileMovedAlone(for tile: TileID) -> TileID { tiles.tileMovedAlone(for: tile) }
}

/// The tiles of a wall and their places on the screen, to read.
protocol ShownParts: TileParts {
    var output: Output { get }
}

extension ShownParts {
    /// Returns the magnified part of a tile's frame, in fractions of the part that its layout shows.
    func shownPart(of tile: TileID) -> Fractions { output.magnifiedPart(ofGroup: tiles[tile].layout.group) }
}
