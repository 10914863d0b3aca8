import Base
import Commands
import Feeds
import Layout

// The focus, the tile under a finger, and which tiles are on the screen. The output follows.
extension TileFeeds {
    /// Gives a tile the focus, and emits an event if the focus has moved.
    mutating func setFocus(_ tile: TileID?, at now: Time) {
        // The overlaid tile is not a tile of the layout.
        if let tile, tile == tiles.overlaid { return }
        let before = tiles.focus
        tiles.setFocus(tile ?? tiles.order.first)
        guard let focus = tiles.focus, focus != before else { return }
        output.follow(focus: focus)
        let playout = playout(at: now)
        if output.isZoomed { playout.sharpen(feed(of: focus)) }
        if transport.beganAt != nil || before != nil { playout.emit(.focus(tile: tiles[focus].name)) }
    }

    mutating func moveFocus(_ move: Change.FocusMove, at now: Time) {
        let tile: TileID? =
            switch move {
            case .number(let number): number <= tiles.count ? tiles.order[number - 1] : nil
            case .next: tiles.focus(movedBy: 1)
            case .previous: tiles.focus(movedBy: -1)
            // The caller states the tile.
            case .target: nil
            case .tile(let tile): tiles.contains(tile) ? tile : nil
            case .at(let point): output.tile(at: point, of: tiles.order)
            }
        if let tile { setFocus(tile, at: now) }
    }

    /// Gives the tapped tile the focus. A tap on the focused tile toggles the pause.
    mutating func tap(_ point: Point, at now: Time) {
        guard var tile = output.tile(at: point, of: tiles.order) else { return }
        if let focus = tiles.focus, tile == tiles.overlaid { tile = focus }
        tiles.tapped = tile == tiles.focus ? tile : nil
        if tile == tiles.focus {
            transport.pause(prepareGroup(of: tile, for: .group), .toggle, at: now)
        } else {
            moveFocus(.at(point), at: now)
        }
    }

    /// Toggles the zoom, and undoes the pause or resume by the first of the two taps.
    mutating func doubleTap(_ point: Point, at now: Time) {
        guard let tile = output.tile(at: point, of: tiles.order) else { return }
        if tile == tiles.tapped { transport.pause(feed(of: tile).group, .toggle, at: now) }
        tiles.tapped = nil
        if tiles.focus != tile { moveFocus(.at(point), at: now) }
        toggleZoom(at: now)
    }

    // MARK: the stage

    /// Makes the focused tile fill the wall, or restores the wall. Other tiles keep their places in time.
    mutating func toggleZoom(at now: Time) {
        guard let focus = tiles.focus else { return }
        output.toggleZoom(of: focus, at: now)
        if let tile = output.zoomed { playout(at: now).sharpen(feed(of: tile)) }
    }

    /// Makes a tile fill the wall, and gives it the focus.
    mutating func zoom(_ tile: TileID, at now: Time) {
        if output.zoomed == tile { return }
        if tile != tiles.focus { setFocus(tile, at: now) }
        if !output.isZoomed { toggleZoom(at: now) }
    }

    /// Shows only this tile, for picture in picture; nil shows all tiles again.
    mutating func show(only tile: TileID?) {
        // The tile may have been removed meanwhile.
        let present = tile.flatMap { tiles.contains($0) ? $0 : nil }
        endOverlay()
        output.show(only: present)
    }

    /// Shows a tile that watches others over the wall, in place of an earlier one; nil removes it.
    mutating func overlay(_ layout: TileLayout?, at now: Time) {
        endOverlay()
        guard let layout, let feed = tiles.focusedFeed else { return }
        let tile = tiles.overlay { Tile(id: $0, layout, feed: feed) }
        output.overlay(tile)
        settleWatches()
        let members = tiles[tile].watch?.members ?? [], playout = playout(at: now)
        for feed in Set(members.map { tiles[$0].feed }).sorted() { playout.sharpen(feeds[feed]) }
    }

    /// Removes the tile that is over the wall.
    mutating func endOverlay() {
        guard let tile = tiles.overlaid else { return }
        output.overlay(nil)
        tiles.remove(tile)
    }

    /// Magnifies the frames of a group; nil shows them whole.
    mutating func magnify(_ group: String, _ zoom: FrameZoom?, at now: Time) {
        output.magnified[group] = zoom
        let playout = playout(at: now)
        playout.sharpen { $0.viewers.contains { playout.tiles[$0].layout.group == group } }
    }
}
