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
        case .window(.escape) where output.isZoomed: played.toggleZoom(&output, conditions(at: now))
        case .window(let command): played.playbacks.effects.window(command)
        case .focus(let move): played.moveFocus(move, &output, conditions(at: now))
        case .mute(_, .wall), .volume(_, .wall), .audioDelay:
            guard sounds.state.carryOut(command) else { return false }
            played.playbacks.follow(audioDelay: audioState.delayMilliseconds)
        case .zoom(.off): if output.isZoomed { played.toggleZoom(&output, conditions(at: now)) }
        case .zoom(.to(let tile)):
            guard tiles.contains(tile) else { return false }
            played.zoom(tile, &output, conditions(at: now))
        case .pause(let switching, .group) where tiles.count == 0:
            played.playbacks.pause(clocks.main, switching, at: now)
        case .rate(let change, .group) where tiles.count == 0:
            played.playbacks.setRate(change, of: clocks.main, at: now)
        case .retry(.all): for feed in feeds.ids { played.playbacks.tryAgain(feed, at: now) }
        default:
            guard let tile else { return false }
            return carryOut(command, onTile: tile, at: now)
        }
        return true
    }

    private mutating func carryOut(_ command: Command, onTile tile: TileID, at now: Time) -> Bool {
        switch command {
        case .pause(let switching, let scope):
            played.playbacks.pause(played.prepareGroup(of: tile, for: scope, .pause), switching, at: now)
        case .seek(let seek, let scope): return played.seek(tile, seek, scope, at: now)
        case .seekToKeyFrame(let seek, let scope):
            return played.seek(tile, seek, scope, toKeyFrame: true, at: now)
        case .home(.group): played.comeHome(groupAtHome(of: tile), conditions(at: now))
        case .home(.tileAlone):
            played.playbacks.seek(played.prepareGroup(of: tile, for: .tileAlone), to: .zero, at: now)
        case .end(let scope): return played.goToEnd(tile, scope, at: now)
        case .rate(let change, let scope):
            played.playbacks.setRate(change, of: played.prepareGroup(of: tile, for: scope), at: now)
        case .step(let by, let scope):
            let group = played.prepareGroup(of: tile, for: scope)
            played.playbacks.jump(group, bySteps: by, of: tiles[tile].feed, at: now)
        case .stepOfAny(let by):
            played.playbacks.stepOfAny(by: by, played.prepareGroup(of: tile, for: .group), at: now)
        case .item(let by): return played.goToItem(by: by, playingTile(for: tile), at: now)
        case .goToItem(let item):
            let tile = playingTile(for: tile)
            guard let item = item ?? presentItemOfSequence(of: tile) else { return false }
            return played.goToItem(item, tile, conditions(at: now))
        case .sequence(let change):
            // The layout states the sequences that a comparison shows.
            guard tiles[tile].comparison == nil else { return false }
            return played.carryOut(change, of: tile, conditions(at: now))
        case .retry:
            for feed in feeds.ids where feeds[feed].viewers.contains(tile) {
                played.playbacks.tryAgain(feed, at: now)
            }
        case .nudge(let by): return played.nudge(tileMovedAlone(for: tile), by: by, conditions(at: now))
        case .nudgeByFrame(let count):
            guard let length = frameLength(of: tileMovedAlone(for: tile)) else { return false }
            return played.nudge(tileMovedAlone(for: tile), by: length * Int64(count), conditions(at: now))
        case .volume(let amount, _): played.tiles[tile].changeVolume(by: amount)
        case .solo(let switching): sounds.state.solo(switching)
        case .mute(let switching, _): played.tiles[tile].mute(switching)
        case .track(.next):
            let playing = playingTile(for: tile), run = feeds[tiles[playing].feed].slots.first?.run
            if let track = sounds.trackAfter(thatOf: tiles[playing], playing: run) {
                played.tiles[playing].track = track
            }
        // Without a number, no sound of the tile is heard.
        case .track(.number(let number)): played.tiles[playingTile(for: tile)].track = number ?? 0
        case .tap(let point): played.tap(point, &output, conditions(at: now))
        case .doubleTap(let point): played.doubleTap(point, &output, conditions(at: now))
        case .zoom(.toggle): played.toggleZoom(&output, conditions(at: now))
        default: return false
        }
        return true
    }
}
