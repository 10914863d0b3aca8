import Base
import Commands
import Feeds
import Layout

// Commands of users and programs, from any input.
extension Wall {
    /// Carries out a command. Commands for the program are passed on in `effects`. `named`: the tile that the command
    /// is for, nil if it is the focused one. Returns false if nothing could carry the command out.
    @discardableResult
    public mutating func carryOut(_ command: Command, on named: TileID? = nil, at now: Time) -> Bool {
        features.forEach { $0.commandComes() }
        let isDone = perform(command, on: named, at: now)
        player.updateAndWakeAll(at: now)
        return isDone
    }

    private mutating func perform(_ command: Command, on named: TileID?, at now: Time) -> Bool {
        if case .property(let name, let change, let scope) = command {
            return changeProperty(name, change, of: named, scope, at: now) == nil
        }
        let tile = (named ?? tileInHand(for: command)).flatMap { player.tiles.contains($0) ? $0 : nil }
        if case .sequence = command { features.forEach { $0.sequenceChanges() } }
        let answer = answer(to: command, of: tile, at: now)
        if let answer {
            make(answer.edits, at: now)
        } else if let tile, let reason = player.snapshot(at: now).reasonAgainstLive(command, of: tile) {
            make([.notice(reason)], at: now)
            return false
        }
        guard answer?.isDone ?? performByPlayer(command, of: tile, at: now) else { return false }
        let after = player.snapshot(at: now)
        if let text = features.firstAnswer({ $0.notice(after: command, of: tile, after) }) {
            make([.notice(text)], at: now)
        }
        return true
    }

    /// Returns those of these tiles that follow a change of time, which live tiles do not; all if none does.
    public func tiles(_ tiles: [TileID], thatFollow command: Command, at now: Time) -> [TileID] {
        let snapshot = player.snapshot(at: now)
        let following = tiles.filter { snapshot.reasonAgainstLive(command.scoped(.tileAlone), of: $0) == nil }
        return following.isEmpty ? tiles : following
    }

    /// Returns the answer of the feature that the command is for; nil if the command is for the player.
    private mutating func answer(to command: Command, of tile: TileID?, at now: Time) -> CommandAnswer? {
        let snapshot = player.snapshot(at: now)
        return features.first { $0.carryOut(command, of: tile, snapshot) }
    }

    /// Returns the focused tile. A nudge goes to the overlaid comparison, if there is one.
    private func tileInHand(for command: Command) -> TileID? {
        switch command {
        case .nudge, .nudgeByFrame: player.tiles.overlaid ?? focus
        default: focus
        }
    }

    /// Carries out a command that no feature has taken.
    private mutating func performByPlayer(_ command: Command, of tile: TileID?, at now: Time) -> Bool {
        switch command {
        case .scrub(let move) where tile != nil: scrub(move, at: now)
        case .click(let point) where tile != nil: click(point, at: now)
        case .doubleClick(let point) where tile != nil: doubleClick(point, at: now)
        default: return player.carryOut(command, of: tile, at: now)
        }
        return true
    }
}
