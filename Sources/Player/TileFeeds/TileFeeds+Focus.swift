import Base
import Commands
import Feeds
import Layout

// The focus, the tile under a finger, and which tiles are on the screen. The output follows.
extension TileFeeds {
    /// Gives a tile the focus, and emits an event if the focus has moved.
    mutating func setFocus(_ tile: TileID?, _ output: inout Output, _ conditions: WallConditions) {
        // The overlaid tile is not a tile of the layout.
        if let tile, tile == tiles.overlaid { return }
        let before = tiles.focus
        tiles.setFocus(tile ?? tiles.order.first)
        guard let focus = tiles.focus, focus != before else { return }
        output.follow(focus: focus)
        let playout = playout(conditions.showing(output))
        if output.isZoomed { playout.sharpen(tiles[focus].feed) }
        if transport.beganAt != nil || before != nil { playout.emit(.focus(tile: tiles[focus].name)) }
    }

    mutating func moveFocus(_ move: Change.FocusMove, _ output: inout Output, _ conditions: WallConditions) {
        switch move {
        case .number(let number):
            guard number <= tiles.count else { return }
            setFocus(tiles.order[number - 1], &output, conditions)
        case .next: setFocus(tiles.focus(movedBy: 1), &output, conditions)
        case .previous: setFocus(tiles.focus(movedBy: -1), &output, conditions)
        // The caller states the tile.
        case .target: break
        case .tile(let tile):
            guard tiles.contains(tile) else { return }
            setFocus(tile, &output, conditions)
        case .at(let point):
            guard let tile = output.tile(at: point, of: tiles.order) else { return }
            setFocus(tile, &output, conditions)
        }
    }

    /// Gives the tapped tile the focus. A tap on the focused tile toggles the pause.
    mutating func tap(_ point: Point, _ output: inout Output, _ conditions: WallConditions) {
        guard var tile = output.tile(at: point, of: tiles.order) else { return }
        if let focus = tiles.focus, tile == tiles.overlaid { tile = focus }
        tiles.tapped = tile == tiles.focus ? tile : nil
        if tile == tiles.focus {
            transport.pause(prepareGroup(of: tile, for: .group), .toggle, at: conditions.now)
        } else {
            moveFocus(.at(point), &output, conditions)
        }
    }

    /// Toggles the zoom, and undoes the pause or resume by the first of the two taps.
    mutating func doubleTap(_ point: Point, _ output: inout Output, _ conditions: WallConditions) {
        guard let tile = output.tile(at: point, of: tiles.order) else { return }
        if tile == tiles.tapped { transport.pause(feeds[tiles[tile].feed].group, .toggle, at: conditions.now) }
        tiles.tapped = nil
        if tiles.focus != tile { moveFocus(.at(point), &output, conditions) }
        toggleZoom(&output, conditions)
    }

    // MARK: the stage

    /// Makes the focused tile fill the wall, or restores the wall. Other tiles keep their places in time.
    mutating func toggleZoom(_ output: inout Output, _ conditions: WallConditions) {
        guard let focus = tiles.focus else { return }
        output.toggleZoom(of: focus, at: conditions.now)
        if let tile = output.zoomed { playout(conditions.showing(output)).sharpen(tiles[tile].feed) }
    }

    /// Makes a tile fill the wall, and gives it the focus.
    mutating func zoom(_ tile: TileID, _ output: inout Output, _ conditions: WallConditions) {
        if output.zoomed == tile { return }
        if tile != tiles.focus { setFocus(tile, &output, conditions) }
        if !output.isZoomed { toggleZoom(&output, conditions) }
    }

    /// Shows only this tile, for picture in picture; nil shows all tiles again.
    mutating func show(only tile: TileID?, _ output: inout Output) {
        // The tile may have been removed meanwhile.
        let present = tile.flatMap { tiles.contains($0) ? $0 : nil }
        tiles.endOverlay(&output)
        output.show(only: present)
    }

    /// Shows a tile that watches others over the wall, in place of an earlier one; nil removes it.
    mutating func overlay(_ layout: TileLayout?, _ output: inout Output, _ conditions: WallConditions) {
        tiles.endOverlay(&output)
        guard let layout, let feed = tiles.focusedFeed else { return }
        let tile = tiles.overlay { Tile(id: $0, layout, feed: feed) }
        output.overlay(tile)
        settleWatches()
        let members = tiles[tile].watch?.members ?? []
        let playout = playout(conditions.showing(output))
        for feed in Set(members.map { tiles[$0].feed }).sorted() { playout.sharpen(feed) }
    }

    /// Magnifies the frames of a group; nil shows them whole.
    mutating func magnify(_ group: String, _ zoom: FrameZoom?, _ output: inout Output, _ conditions: WallConditions) {
        output.magnified[group] = zoom
        let playout = playout(conditions.showing(output))
        playout.sharpen { $0.viewers.contains { playout.tiles[$0].layout.group == group } }
    }
}
