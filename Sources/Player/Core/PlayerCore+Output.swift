import Base
import Feeds
import Layout

// Output: which tiles are on the screen, where, and how large their frames are decoded.
extension PlayerCore {
    public mutating func setRefreshInterval(_ interval: Time) { output.setRefreshInterval(interval) }

    /// Takes another size of the window. Rects follow at once, frames when the next ones are decoded.
    public mutating func resize(to size: Size, at now: Time) {
        guard size != output.size, !size.isEmpty else { return }
        change(at: now) { changed in
            changed.placeTiles(in: size)
            for feed in changed.feeds.ids { changed.playbacks.sharpen(feed, changed.context(at: now)) }
        }
    }

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

    /// Starts PiP: only this tile is shown, over the whole window. If `tile` is nil, shows the wall again. Hidden tiles
    /// yield their pipelines and keep their frames. Their clocks go on.
    public mutating func show(only tile: TileID?, at now: Time) {
        // The tile may have been removed meanwhile.
        let present = tile.flatMap { tiles.contains($0) ? $0 : nil }
        change(at: now) { changed in
            changed.tiles.endOverlay(&changed.output)
            changed.output.show(only: present)
        }
    }

    /// Prepares the return of the wall: the hidden tiles get their frames first.
    public mutating func warmHidden(at now: Time) {
        change(at: now) { $0.output.warmHidden() }
    }

    /// Returns the topmost tile at a point of the window.
    public func tile(at point: Point) -> TileID? { output.tile(at: point, of: tiles.order) }

    public mutating func emit(pip state: PipState, of tile: String, reason: String?, at now: Time) {
        emit(.pip(tile: tile, state: state, reason: reason), at: now)
    }

    /// Returns a tile's layout as it is now.
    public func layout(of tile: TileID) -> TileLayout { tiles[tile].layout }

    /// Returns the shape of a tile's frame, or of its rect until it has a frame.
    public func shape(of tile: TileID) -> Size {
        playbacks.feeds[tiles[tile].feed].screen.last?.frame.natural ?? output.rect(of: tile).size
    }
}
