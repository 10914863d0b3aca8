import Base
import Commands
import Layout

// Commands that the player carries out by itself.
extension PlayerCore {
    /// Returns false if the tile can't carry the command out.
    mutating func carryOut(_ command: Command, of tile: TileID, at now: Time) -> Bool {
        switch command {
        case .pause(let switching, let scope): playbacks.pause(group(of: tile, scope), switching, at: now)
        case .seek(let seek, let scope): return self.seek(tile, seek, scope, at: now)
        case .seekToKeyFrame(let seek, let scope):
            return self.seek(tile, seek, scope, toKeyFrame: true, at: now)
        case .home(.group): comeHome(groupAtHome(of: tile), at: now)
        case .home(.tileAlone): playbacks.seek(group(of: tile, .tileAlone), to: .zero, at: now)
        case .end(let scope): return goToEnd(tile, scope, at: now)
        case .rate(let change, let scope): playbacks.clocks[group(of: tile, scope)].setRate(change, at: now)
        case .step(let by, let scope):
            let group = group(of: tile, scope)
            playbacks.jump(group, bySteps: by, of: tiles[tile].feed, at: now)
        case .stepOfAny(let by): playbacks.stepOfAny(by: by, group(of: tile, .group), at: now)
        case .item(let by): return goToItem(by: by, player(of: tile), at: now)
        case .goToItem(let item): return goToItem(item, player(of: tile), at: now)
        case .sequence(let change):
            // The layout states the sequences that a comparison shows.
            guard tiles[tile].comparison == nil else { return false }
            return carryOut(change, of: tile, at: now)
        case .mute(let switching, _): tiles[tile].layout.isMuted = switching.applied(to: tiles[tile].layout.isMuted)
        case .track(.next): nextTrack(of: player(of: tile))
        case .track(.number(let number)): setTrack(number, of: player(of: tile))
        case .tap(let point): tap(point, at: now)
        case .doubleTap(let point): doubleTap(point, at: now)
        case .zoom(.toggle): toggleZoom(at: now)
        default: return false
        }
        return true
    }

    // MARK: sound

    mutating func mute(_ switching: Command.Switching) {
        audioState.setMuted(switching.applied(to: audioState.isMuted))
    }

    mutating func setSolo(_ switching: Command.Switching) {
        audioState.setSolo(switching.applied(to: audioState.isSolo))
    }

    /// Changes the volume of the wall, and returns it.
    mutating func changeVolume(_ amount: Command.Amount) -> Int {
        audioState.setVolume(amount.applied(to: audioState.volume))
        return audioState.volume
    }

    /// Changes the volume of a tile, and returns it.
    mutating func changeVolume(_ amount: Command.Amount, of tile: TileID) -> Int {
        let volume = min(100, max(0, amount.applied(to: tiles[tile].layout.volume)))
        tiles[tile].layout.volume = volume
        return volume
    }

    mutating func setDelay(_ milliseconds: Int) {
        audioState.setDelay(milliseconds)
        playbacks.frameHold = frameHold
    }

    /// Changes the delay of the sound, and returns it in milliseconds.
    mutating func changeDelay(_ amount: Command.Amount) -> Int {
        setDelay(amount.applied(to: audioState.delayMilliseconds))
        return audioState.delayMilliseconds
    }

    // MARK: zoom

    mutating func zoom(_ tile: TileID, at now: Time) {
        if zoomedTile == tile { return }
        if tile != focus { setFocus(tile, at: now) }
        if !output.isZoomed { toggleZoom(at: now) }
    }
}
