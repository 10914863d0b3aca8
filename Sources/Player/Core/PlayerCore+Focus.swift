import Base
import Commands
import Feeds

// The focus, and the tile under a finger.
extension PlayerCore {
    /// Gives a tile the focus, and emits that if another tile had it.
    mutating func setFocus(_ tile: TileID?, at now: Time) {
        // An overlaid comparison is not a tile of the layout.
        if let tile, tile == tiles.overlaid { return }
        let before = focus
        tiles.setFocus(tile ?? tiles.order.first)
        guard let focus, focus != before else { return }
        output.follow(focus: focus)
        tiles.compareFocused(&playbacks)
        if output.isZoomed { playbacks.sharpen(tiles[focus].feed, context(at: now)) }
        if beganAt != nil || before != nil { emit(.focus(tile: tiles[focus].name), at: now) }
    }

    mutating func moveFocus(_ move: Command.FocusMove, at now: Time) {
        switch move {
        case .number(let number):
            guard number <= tiles.count else { return }
            setFocus(tiles.order[number - 1], at: now)
        case .next: setFocus(tiles.focus(movedBy: 1), at: now)
        case .previous: setFocus(tiles.focus(movedBy: -1), at: now)
        case .tile(let tile):
            guard tiles.contains(tile) else { return }
            setFocus(tile, at: now)
        case .at(let point):
            guard let tile = tile(at: point) else { return }
            setFocus(tile, at: now)
        }
    }

    /// Gives the tapped tile the focus. A tap on the focused tile toggles the pause.
    mutating func tap(_ point: Point, at now: Time) {
        guard var tile = tile(at: point) else { return }
        if let focus, tile == tiles.overlaid { tile = focus }
        tiles.setTapped(tile == focus ? tile : nil)
        if tile == focus {
            playbacks.pause(group(of: tile, .group), .toggle, at: now)
        } else {
            moveFocus(.at(point), at: now)
        }
    }

    /// Toggles the zoom, and takes back what the first of the two taps did to the clock.
    mutating func doubleTap(_ point: Point, at now: Time) {
        guard let tile = tile(at: point) else { return }
        if tile == tiles.tapped { playbacks.pause(playbacks.feeds[tiles[tile].feed].group, .toggle, at: now) }
        tiles.setTapped(nil)
        if focus != tile { moveFocus(.at(point), at: now) }
        toggleZoom(at: now)
    }
}
