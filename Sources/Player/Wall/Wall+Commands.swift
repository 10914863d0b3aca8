import Base
import Commands
import Layout

// Commands of users and programs, from any input.
extension Wall {
    /// Carries out a command. Commands for the program are passed on in `effects`. `named`: the tile that the command
    /// is for, nil if it is the focused one. Returns false if nothing could carry the command out.
    @discardableResult
    public mutating func carryOut(_ command: Command, on named: TileID? = nil, at now: Time) -> Bool {
        features.notices.clear()
        let isDone = perform(command, on: named, at: now)
        player.settle(at: now)
        return isDone
    }

    private mutating func perform(_ command: Command, on named: TileID?, at now: Time) -> Bool {
        let snapshot = player.snapshot(at: now)
        switch command {
        case .window(.escape): escape(at: now)
        case .window(let command): player.playbacks.effects.window(command)
        case .focus(let move): player.moveFocus(move, at: now)
        case .mute(let switching, .wall): player.mute(switching)
        case .volume(let amount, .wall): showNotice("volume \(player.changeVolume(amount))", at: now)
        case .audioDelay(let amount): showNotice("audio delay \(player.changeDelay(amount)) ms", at: now)
        case .magnify(let change, at: let point?):
            guard let tile = snapshot.tile(at: point) else { return false }
            return make(features.magnification.carryOut(change, of: tile, at: point, snapshot), at: now)
        case .figures: make(features.figures.toggle(snapshot), at: now)
        case .compare(let change): return make(features.comparison.carryOut(change, snapshot), at: now)
        case .takeBreak(let name): return player.changeBreak(name, at: now)
        case .keepDelay: return make(features.eye.keepDelay(snapshot), at: now)
        case .record(.off): return make(features.takes.end(at: now), at: now)
        case .blind(let change): return make(features.blind.carryOut(change, snapshot), at: now)
        case .zoom(.off): if player.output.isZoomed { player.toggleZoom(at: now) }
        case .zoom(.to(let tile)):
            guard snapshot.tiles.contains(tile) else { return false }
            player.zoom(tile, at: now)
        case .pause(let switching, .group) where snapshot.tiles.count == 0:
            player.playbacks.pause(player.clocks.main, switching, at: now)
        case .rate(let change, .group) where snapshot.tiles.count == 0:
            player.playbacks.clocks[player.clocks.main].setRate(change, at: now)
        default:
            guard let tile = named ?? tileInHand(for: command), snapshot.tiles.contains(tile) else { return false }
            return perform(command, of: tile, at: now)
        }
        return true
    }

    /// Returns the focused tile. A nudge goes to the overlaid comparison, if there is one.
    private func tileInHand(for command: Command) -> TileID? {
        switch command {
        case .nudge, .nudgeByFrame: player.tiles.overlaid ?? focus
        default: focus
        }
    }

    /// Carries out a command that a feature acts on; commands for the player alone are passed on.
    private mutating func perform(_ command: Command, of tile: TileID, at now: Time) -> Bool {
        let snapshot = player.snapshot(at: now)
        switch command {
        case .nudge(let by): return nudge(snapshot.movable(tile), by: by, at: now)
        case .nudgeByFrame(let count):
            guard let length = snapshot.frameLength(of: snapshot.movable(tile)) else { return false }
            return nudge(snapshot.movable(tile), by: length * Int64(count), at: now)
        case .abLoop(let change, let scope): return mark(change, of: tile, scope, at: now)
        case .sequence: features.figures.forget()
        case .volume(let amount, _):
            showNotice("\(snapshot.tiles[tile].name): volume \(player.changeVolume(amount, of: tile))", at: now)
            return true
        case .solo(let switching):
            player.setSolo(switching)
            showNotice(player.snapshot(at: now).soloText(of: tile), at: now)
            return true
        case .magnify(let change, at: nil):
            let tile = snapshot.tiles.overlaid ?? tile
            return make(features.magnification.carryOut(change, of: tile, at: nil, snapshot), at: now)
        case .key(let amount):
            return make(features.stems.changeKey(amount, of: snapshot.player(of: tile), snapshot), at: now)
        case .stems(let changes):
            return make(features.stems.change(changes, of: snapshot.player(of: tile), snapshot), at: now)
        case .record(let switching): return make(features.takes.record(switching, of: tile, snapshot), at: now)
        case .useTake: return make(features.takes.use(of: tile, snapshot), at: now)
        case .scrub(let move):
            scrub(move, at: now)
            return true
        case .click(let point):
            click(point, at: now)
            return true
        case .doubleClick(let point):
            doubleClick(point, at: now)
            return true
        default: break
        }
        return player.carryOut(command, of: tile, at: now)
    }

    // MARK: features

    private mutating func showNotice(_ text: String, at now: Time) { features.notices.show(text, at: now) }

    private mutating func make(_ answer: CommandAnswer, at now: Time) -> Bool {
        make(answer.edits, at: now)
        return answer.isDone
    }

    private mutating func escape(at now: Time) {
        if blindTest != nil {
            player.playbacks.effects.window(.quit(0))
        } else if player.tiles.overlaid != nil {
            player.endOverlay()
        } else if player.output.isZoomed {
            player.toggleZoom(at: now)
        } else {
            player.playbacks.effects.window(.escape)
        }
    }

    /// Moves a tile further ahead of its group's clock, and shows the new offset. Returns false if a layout may not
    /// state such an offset.
    private mutating func nudge(_ tile: TileID, by change: Time, at now: Time) -> Bool {
        let limit = Time.longestWritten, offset = player.tiles[tile].layout.offset
        guard (-limit...limit).contains(change), (-limit...limit).contains(offset + change) else { return false }
        player.edit(tile, at: now) { $0.offset += change }
        showNotice("\(player.tiles[tile].name): offset \(player.tiles[tile].layout.offset.signedText) s", at: now)
        return true
    }

    private mutating func mark(
        _ change: Command.ABLoopChange, of tile: TileID, _ scope: Command.Scope, at now: Time
    ) -> Bool {
        let marked = scope == .group ? player.player(of: tile) : player.movable(tile)
        let feed = player.feeds[player.tiles[marked].feed]
        if feed.isLive {
            showNotice("a live source has no A-B loop", at: now)
            return false
        }
        guard player.clocks[feed.group].hasStarted else { return false }
        let group = player.group(of: tile, scope)
        let answer = features.abLoops.mark(change, of: marked, group, player.snapshot(at: now))
        make(answer.edits, at: now)
        make([features.abLoops.notice(of: marked, player.snapshot(at: now))], at: now)
        return answer.isDone
    }
}
