import Base
import Layout

/// The tiles of a wall, to read.
protocol TileParts {
    var tiles: Tiles { get }
    /// Magnified part of the frames, by name of the group; none if whole frames are shown.
    var magnified: [String: FrameZoom] { get }
}

extension TileParts {
    var focus: TileID? { tiles.focus }
    var focusedFeed: FeedID? { tiles.focus.map { tiles[$0].feed } }

    /// Name of the tile that has the focus, as events report it.
    var focusName: String? { tiles.focus.map { tiles[$0].name } }

    /// Returns the tile whose sound, track and place in time stand for this one: itself, or the first that it compares.
    func player(of tile: TileID) -> TileID { tiles.player(of: tile) }

    /// Returns the second tile of a comparison, which is moved against the first.
    func movable(_ tile: TileID) -> TileID { tiles[tile].comparison?.members.dropFirst().first ?? player(of: tile) }

    /// Returns the magnified part of a tile's frame, in fractions of the part that its layout shows.
    func shownPart(of tile: TileID) -> Fractions {
        magnified.isEmpty ? .all : magnified[tiles[tile].layout.group]?.part ?? .all
    }
}
