import Base
import Commands
import Feeds
import Layout

// Changes that the player makes by itself.
extension PlayerCore {
    /// Makes a change. `tile`: the tile that it is for; nil if there is none. Returns false if it can't be made.
    mutating func apply(_ change: Change, to tile: TileID?, at now: Time) -> Bool {
        switch change {
        case .window(.escape) where output.isZoomed: played.toggleZoom(&output, conditions(at: now))
        case .window(let command): played.playbacks.effects.window(command)
        case .focus(.target): return tile.map { apply(.focus(.tile($0)), to: $0, at: now) } ?? false
        case .focus(let move): played.moveFocus(move, &output, conditions(at: now))
        case .mute(_, .wall), .volume(_, .wall), .audioDelay:
            guard sounds.state.apply(change) else { return false }
            played.playbacks.follow(audioDelay: audioState.delayMilliseconds)
        case .zoom(.off): if output.isZoomed { played.toggleZoom(&output, conditions(at: now)) }
        case .zoom(.to(let tile)):
            guard tiles.contains(tile) else { return false }
            played.zoom(tile, &output, conditions(at: now))
        case .pause(_, .group) where tiles.count == 0, .rate(_, .group) where tiles.count == 0:
            return apply(change, toClock: clocks.main, at: now)
        case .retry(.all): for feed in feeds.ids { played.playbacks.tryAgain(feed, at: now) }
        default:
            guard let tile else { return false }
            return apply(change, toTile: tile, at: now)
        }
        return true
    }

    /// Makes a change of a group's clock. Returns false if it is another one.
    mutating func apply(_ change: Change, toClock group: GroupID, at now: Time) -> Bool {
        switch change {
        case .pause(let switching, _): played.playbacks.pause(group, switching, at: now)
        case .rate(let rate, _): played.playbacks.setRate(rate, of: group, at: now)
        case .moveClock(let position): played.playbacks.jump(group, to: position, at: now)
        default: return false
        }
        touch(.playback)
        return true
    }

    private mutating func apply(_ change: Change, toTile tile: TileID, at now: Time) -> Bool {
        switch change {
        case .pause(_, let scope):
            return apply(change, toClock: played.prepareGroup(of: tile, for: scope, .pause), at: now)
        case .rate(_, let scope):
            return apply(change, toClock: played.prepareGroup(of: tile, for: scope), at: now)
        case .seek(let seek, let scope): return played.seek(tile, seek, scope, at: now)
        case .seekToKeyFrame(let seek, let scope):
            return played.seek(tile, seek, scope, toKeyFrame: true, at: now)
        case .home(.group): played.comeHome(groupAtHome(of: tile), conditions(at: now))
        case .home(.tileAlone):
            played.playbacks.seek(played.prepareGroup(of: tile, for: .tileAlone), to: .zero, at: now)
        case .end(let scope): return played.goToEnd(tile, scope, at: now)
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
            return played.apply(change, to: tile, conditions(at: now))
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
            guard presentItem(of: playing) != nil else { return false }
            if let track = sounds.trackAfter(thatOf: tiles[playing], playing: run) {
                played.tiles[playing].track = track
            }
        // Without a number, no sound of the tile is heard.
        case .track(.number(let number)): played.tiles[playingTile(for: tile)].track = number ?? 0
        case .tap(let point): played.tap(point, &output, conditions(at: now))
        case .doubleTap(let point): played.doubleTap(point, &output, conditions(at: now))
        case .zoom(.toggle): played.toggleZoom(&output, conditions(at: now))
        case .zoom(.target): played.zoom(tile, &output, conditions(at: now))
        default: return false
        }
        return true
    }

    /// Decodes the frames of a tile in their own size from now on; nil ends that.
    mutating func decodeInFullSize(_ tile: TileID?, at now: Time) {
        needs.decodeInFullSize(tile)
        if let tile, tiles.contains(tile) { played.playbacks.sharpen(tiles[tile].feed, context(at: now)) }
        touch(.all)
        commit(at: now)
    }
}
