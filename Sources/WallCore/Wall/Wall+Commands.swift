// What people ask for, whatever they ask with.
extension Wall {
    /// Carries out a command; what is not the wall's is handed on with its orders. `named`: the tile that it is for, as
    /// if it had the focus; nil: the one that has it.
    public mutating func carryOut(_ command: Command, on named: TileID? = nil, at wall: Time) {
        switch command {
        case .escape where isZoomed: toggleZoom(at: wall)
        case .escape, .fullscreen, .pictureInPicture, .info, .help, .quit: orders.screen.append(command)
        case .focus(let move): moveFocus(move, at: wall)
        case .mute(.wall): hearing.setMuted(!hearing.isMuted)
        case .volume(let amount): hearing.setVolume(hearing.volume + amount)
        default:
            // On an empty wall there is nothing that could do it.
            guard let tile = named ?? focus, tiles.contains(tile) else { return }
            carryOut(command, of: tile, at: wall)
        }
        conduct(at: wall)
        (orders.wakesScreen, orders.wakesSound) = (true, true)
    }

    private mutating func carryOut(_ command: Command, of tile: TileID, at wall: Time) {
        switch command {
        case .playPause(let scope): playPause(group(of: tile, scope), at: wall)
        case .seek(let by, let scope): jump(group(of: tile, scope), by: by, at: wall)
        case .home(.group): comeHome(groupAtHome(of: tile), at: wall)
        case .home(.tileAlone): seek(group(of: tile, .tileAlone), to: .zero, at: wall)
        case .rate(let change, let scope): setRate(of: group(of: tile, scope), change, at: wall)
        case .step(let by, let scope):
            let group = group(of: tile, scope)
            jump(group, bySteps: by, of: tiles[tile].feed, at: wall)
        case .item(let by): goToItem(by: by, tile, at: wall)
        case .mute: tiles[tile].layout.isMuted.toggle()
        case .nextTrack: nextTrack(of: tile)
        case .scrub(let move): scrub(move, at: wall)
        case .tap(let point): tap(point, at: wall)
        case .doubleTap(let point): doubleTap(point, at: wall)
        case .zoom: toggleZoom(at: wall)
        case .focus, .volume, .escape, .fullscreen, .pictureInPicture, .info, .help, .quit: break
        }
    }
}
