import Base
import Layout

// Output: which tiles are on the screen, where, and how large their frames are decoded.
extension PlayerCore {
    public mutating func setRefreshInterval(_ interval: Time) { output.setRefreshInterval(interval) }

    /// Takes another size of the window. Rects follow at once, frames when the next ones are decoded.
    public mutating func resize(to size: Size, at now: Time) {
        guard size != output.size, !size.isEmpty else { return }
        change(at: now) { changed in
            changed.placeTiles(in: size)
            for feed in changed.feeds.ids { changed.sharpen(feed, at: now) }
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
        if let tile = output.zoomed { sharpen(tiles[tile].feed, at: now) }
    }

    /// Starts PiP: only this tile is shown, over the whole window. If `tile` is nil, shows the wall again. Hidden tiles
    /// yield their pipelines and keep their frames. Their clocks go on.
    public mutating func show(only tile: TileID?, at now: Time) {
        // The tile may have been removed meanwhile.
        let present = tile.flatMap { tiles.contains($0) ? $0 : nil }
        change(at: now) { changed in
            changed.endOverlay()
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

    // MARK: frames of another size

    /// While the clock is paused, decodes the frame on screen again if it must be larger or keep its decoded samples.
    /// While the clock runs, the next frames come in the new size by themselves.
    mutating func sharpen(_ feed: FeedID, at now: Time) {
        let context = context(of: feed, at: now)
        guard !context.isRunning, case .going = context.group.phase,
            playbacks.feeds[feed].phase == .playing || playbacks.feeds[feed].phase == .ended,
            let shown = playbacks.feeds[feed].screen.last, let place = shown.item,
            let front = playbacks.feeds[feed].slots.first,
            !front.isStill
        else { return }
        let natural = shown.frame.natural
        let isSideways = playbacks.feeds[feed].timeline.item(at: place)?.turn.isSideways ?? false
        let upright = isSideways ? Size(natural.height, natural.width) : natural
        let wanted = sizes.decodeSize(upright, of: feed, item: place)
        let isLarger = wanted.width > shown.frame.size.width + 1 || wanted.height > shown.frame.size.height + 1
        guard isLarger || !shown.frame.keeps(sizes.keeping(feed)) else { return }
        playbacks.feeds[feed].decodeAgain(context, &playbacks.effects)
    }
}
