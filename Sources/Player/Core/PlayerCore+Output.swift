import Base
import Layout

// Output: which tiles are on the screen, where, and how large their frames are decoded.
extension PlayerCore {
    mutating func placeTiles(in size: Size) {
        output.place(tiles.order, in: TileGeometry.rects(of: layout, in: size), of: size)
    }

    /// The tile that fills the wall.
    public var zoomedTile: TileID? { output.zoomed }

    /// Makes the focused tile fill the wall, or restores the wall. Other tiles keep their places in time.
    mutating func toggleZoom(at now: Time) {
        guard let focus else { return }
        output.toggleZoom(of: focus, at: now)
        if let tile = output.zoomed { playbacks.sharpen(tiles[tile].feed, context(at: now)) }
    }

    /// Returns the topmost tile at a point of the window.
    public func tile(at point: Point) -> TileID? { output.tile(at: point, of: tiles.order) }

    /// Returns a tile's layout as it is now.
    public func layout(of tile: TileID) -> TileLayout { tiles[tile].layout }

    /// Returns the shape of a tile's frame, or of its rect until it has a frame.
    public func shape(of tile: TileID) -> Size {
        playbacks.feeds[tiles[tile].feed].screen.last?.frame.natural ?? output.rect(of: tile).size
    }
}
