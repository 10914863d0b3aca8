import Base
import Commands
import Feeds
import Layout

// Commands that the player carries out by itself.
extension PlayerCore {
    /// Carries out a command. `tile`: the tile that it is for; nil if there is none. Returns false if it can't be
    /// carried out.
    mutating func carryOut(_ command: Command, of tile: TileID?, at now: Time) -> Bool {
        switch command {
        case .window(.escape) where output.isZoomed: toggleZoom(at: now)
        case .window(let command): playbacks.effects.window(command)
        case .focus(let move): moveFocus(move, at: now)
        case .mute(_, .wall), .volume(_, .wall), .audioDelay:
            guard sounds.carryOut(command) else { return false }
            playbacks.frameHold = frameHold
        case .zoom(.off): if output.isZoomed { toggleZoom(at: now) }
        case .zoom(.to(let tile)):
            guard tiles.contains(tile) else { return false }
            zoom(tile, at: now)
        case .pause(let switching, .group) where tiles.count == 0: playbacks.pause(clocks.main, switching, at: now)
        case .rate(let change, .group) where tiles.count == 0:
            playbacks.clocks[clocks.main].setRate(change, at: now)
        default:
            guard let tile else { return false }
            return carryOut(command, onTile: tile, at: now)
        }
        return true
    }

    private mutating func carryOut(_ command: Command, onTile tile: TileID, at now: Time) -> Bool {
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
        case .nudge(let by): return nudge(movable(tile), by: by, at: now)
        case .nudgeByFrame(let count):
            guard let length = frameLength(of: movable(tile)) else { return false }
            return nudge(movable(tile), by: length * Int64(count), at: now)
        case .volume(let amount, _):
            tiles[tile].layout.volume = min(100, max(0, amount.applied(to: tiles[tile].layout.volume)))
        case .solo(let switching): sounds.solo(switching)
        case .mute(let switching, _): tiles[tile].layout.isMuted = switching.applied(to: tiles[tile].layout.isMuted)
        case .track(.next):
            let player = player(of: tile), run = playbacks.feeds[tiles[player].feed].slots.first?.run
            if let track = sounds.trackAfter(thatOf: tiles[player], playing: run) { tiles[player].track = track }
        // Without a number, no sound of the tile is heard.
        case .track(.number(let number)): tiles[player(of: tile)].track = number ?? 0
        case .tap(let point): tap(point, at: now)
        case .doubleTap(let point): doubleTap(point, at: now)
        case .zoom(.toggle): toggleZoom(at: now)
        default: return false
        }
        return true
    }

    /// Moves a tile further ahead of its group's clock. Returns false if a layout may not state such an offset.
    private mutating func nudge(_ tile: TileID, by change: Time, at now: Time) -> Bool {
        let limit = Time.longestWritten, offset = tiles[tile].layout.offset
        guard (-limit...limit).contains(change), (-limit...limit).contains(offset + change) else { return false }
        edit(tile, at: now) { $0.offset += change }
        return true
    }

    private mutating func zoom(_ tile: TileID, at now: Time) {
        if zoomedTile == tile { return }
        if tile != focus { setFocus(tile, at: now) }
        if !output.isZoomed { toggleZoom(at: now) }
    }
}
