// The focus, and the tile under a finger.
extension Wall {
    /// The tile has the focus; told where it is another than before.
    mutating func setFocus(_ tile: TileID?, at wall: Time) {
        // What lies over the wall is no tile of the layout.
        if let tile, tile == tiles.overlaid { return }
        let before = focus
        tiles.setFocus(tile ?? tiles.order.first)
        guard let focus, focus != before else { return }
        output.follow(focus: focus)
        compareFocused()
        if output.isZoomed { sharpen(tiles[focus].feed, at: wall) }
        if beganAt != nil || before != nil { tell(.focus(tile: tiles[focus].name), at: wall) }
    }

    mutating func moveFocus(_ move: Command.FocusMove, at wall: Time) {
        switch move {
        case .number(let number):
            guard number <= tiles.count else { return }
            setFocus(tiles.order[number - 1], at: wall)
        case .next: setFocus(tiles.focus(movedBy: 1), at: wall)
        case .previous: setFocus(tiles.focus(movedBy: -1), at: wall)
        case .tile(let tile):
            guard tiles.contains(tile) else { return }
            setFocus(tile, at: wall)
        case .at(let point):
            guard let tile = tile(at: point) else { return }
            setFocus(tile, at: wall)
        }
    }

    /// A finger's tap: the focus first; on the tile that has it, pause.
    mutating func tap(_ point: Point, at wall: Time) {
        guard var tile = tile(at: point) else { return }
        if let focus, tile == tiles.overlaid { tile = focus }
        tiles.setTapped(tile == focus ? tile : nil)
        if tile == focus { pause(group(of: tile, .group), .toggle, at: wall) } else { moveFocus(.at(point), at: wall) }
    }

    /// The first of the two taps has done its work: what it did to the clock is taken back.
    mutating func doubleTap(_ point: Point, at wall: Time) {
        guard let tile = tile(at: point) else { return }
        if tile == tiles.tapped { pause(feeds[tiles[tile].feed].group, .toggle, at: wall) }
        tiles.setTapped(nil)
        if focus != tile { moveFocus(.at(point), at: wall) }
        toggleZoom(at: wall)
    }
}
