import Base
import Commands
import Layout

// Commands of users and programs, from any input.
extension Wall {
    /// Carries out a command. Commands for the program are passed on in `effects`. `named`: the tile that the command
    /// is for, nil if it is the focused one. Returns false if nothing could carry the command out.
    @discardableResult
    public mutating func carryOut(_ command: Command, on named: TileID? = nil, at now: Time) -> Bool {
        change(at: now) { $0.perform(command, on: named, at: now) }
    }

    private mutating func perform(_ command: Command, on named: TileID?, at now: Time) -> Bool {
        notice = nil
        switch command {
        case .window(.escape) where blindTest != nil: effects.window(.quit(0))
        case .window(.escape) where tiles.overlaid != nil: endOverlay()
        case .window(.escape) where output.isZoomed: toggleZoom(at: now)
        case .window(let command): effects.window(command)
        case .focus(let move): moveFocus(move, at: now)
        case .mute(let switching, .wall): audioState.setMuted(switching.applied(to: audioState.isMuted))
        case .volume(let amount, .wall):
            audioState.setVolume(amount.applied(to: audioState.volume))
            showNotice("volume \(audioState.volume)", at: now)
        case .audioDelay(let amount):
            audioState.setDelay(amount.applied(to: audioState.delayMilliseconds))
            showNotice("audio delay \(audioState.delayMilliseconds) ms", at: now)
        case .magnify(let change, at: let point?):
            guard let tile = tile(at: point) else { return false }
            return magnify(change, of: tile, at: point, now: now)
        case .figures: toggleFigures(at: now)
        case .compare(let change): return compare(change, at: now)
        case .takeBreak(let name): return changeBreak(name, at: now)
        case .keepDelay: return keepDelay()
        case .record(.off): return endRecording(at: now)
        case .blind(let change): return blind(change, at: now)
        case .zoom(.off): if output.isZoomed { toggleZoom(at: now) }
        case .zoom(.to(let tile)):
            guard tiles.contains(tile) else { return false }
            zoom(tile, at: now)
        case .pause(let switching, .group) where tiles.count == 0: pause(clocks.main, switching, at: now)
        case .rate(let change, .group) where tiles.count == 0: setRate(of: clocks.main, change, at: now)
        default:
            guard let tile = named ?? tileInHand(for: command), tiles.contains(tile) else { return false }
            return perform(command, of: tile, at: now)
        }
        return true
    }

    /// Returns the focused tile. A nudge goes to the overlaid comparison, if there is one.
    private func tileInHand(for command: Command) -> TileID? {
        switch command {
        case .nudge, .nudgeByFrame: tiles.overlaid ?? focus
        default: focus
        }
    }

    private mutating func perform(_ command: Command, of tile: TileID, at now: Time) -> Bool {
        switch command {
        case .pause(let switching, let scope): pause(group(of: tile, scope), switching, at: now)
        case .seek(let seek, let scope): return self.seek(tile, seek, scope, at: now)
        case .seekToKeyFrame(let seek, let scope):
            return self.seek(tile, seek, scope, toKeyFrame: true, at: now)
        case .home(.group): comeHome(groupAtHome(of: tile), at: now)
        case .home(.tileAlone): seek(group(of: tile, .tileAlone), to: .zero, at: now)
        case .end(let scope): return goToEnd(tile, scope, at: now)
        case .rate(let change, let scope): setRate(of: group(of: tile, scope), change, at: now)
        case .step(let by, let scope):
            let group = group(of: tile, scope)
            jump(group, bySteps: by, of: tiles[tile].feed, at: now)
        case .stepOfAny(let by): stepOfAny(by: by, group(of: tile, .group), at: now)
        case .nudge(let by): return nudge(movable(tile), by: by, at: now)
        case .nudgeByFrame(let count):
            let player = movable(tile)
            guard let length = frameLength(of: player) else { return false }
            return nudge(player, by: length * Int64(count), at: now)
        case .abLoop(let change, let scope): return mark(change, of: tile, scope, at: now)
        case .item(let by): return goToItem(by: by, player(of: tile), at: now)
        case .goToItem(let item): return goToItem(item, player(of: tile), at: now)
        case .sequence(let change):
            // The layout states the sequences that a comparison shows.
            guard tiles[tile].comparison == nil else { return false }
            return carryOut(change, of: tile, at: now)
        case .mute(let switching, _): tiles[tile].layout.isMuted = switching.applied(to: tiles[tile].layout.isMuted)
        case .volume(let amount, _):
            let volume = min(100, max(0, amount.applied(to: tiles[tile].layout.volume)))
            tiles[tile].layout.volume = volume
            showNotice("\(tiles[tile].name): volume \(volume)", at: now)
        case .solo(let switching):
            audioState.setSolo(switching.applied(to: audioState.isSolo))
            showSoloNotice(of: tile, at: now)
        case .magnify(let change, at: nil):
            return magnify(change, of: tiles.overlaid ?? tile, at: nil, now: now)
        case .key(let amount): return changeKey(amount, of: player(of: tile), at: now)
        case .stems(let changes): return change(changes, of: player(of: tile), at: now)
        case .track(.next): nextTrack(of: player(of: tile))
        case .track(.number(let number)): setTrack(number, of: player(of: tile))
        case .record(let switching): return record(switching, of: tile, at: now)
        case .useTake: return useTake(of: tile, at: now)
        case .scrub(let move): scrub(move, at: now)
        case .click(let point): click(point, at: now)
        case .doubleClick(let point): doubleClick(point, at: now)
        case .tap(let point): tap(point, at: now)
        case .doubleTap(let point): doubleTap(point, at: now)
        case .zoom(.toggle): toggleZoom(at: now)
        case .zoom, .focus, .audioDelay, .window, .compare, .figures, .blind, .magnify, .takeBreak, .keepDelay:
            return false
        }
        return true
    }

    private mutating func zoom(_ tile: TileID, at now: Time) {
        if zoomedTile == tile { return }
        if tile != focus { setFocus(tile, at: now) }
        if !output.isZoomed { toggleZoom(at: now) }
    }
}
