import Base
import Commands
import Engine
import Player

// Commands for each tile of a group: group NAME [alone] COMMAND ...
extension CommandRouter {
    func runOnGroup(_ command: ControlCommand, within chain: KeyChain, answer: @escaping Answer) {
        let usage = ControlError(.invalidParameter, because: "usage: group NAME [alone] COMMAND ...")
        var words = command.arguments
        guard command.named.isEmpty, words.count >= 2, let group = words.removeFirst().asText else {
            return answer(.failure(usage))
        }
        var scope = Command.Scope.group
        if words.first == .text("alone") {
            scope = .tileAlone
            words.removeFirst()
        }
        guard let name = words.first?.asText, !["tile", "group", "alone"].contains(name) else {
            return answer(.failure(usage))
        }
        let (tiles, complaint) = runner.read { wall, now -> ([TileID], String) in
            let tiles = wall.player.tiles(inGroup: group)
            return (tiles, tiles.isEmpty ? RefusalReport(wall, at: now).complaint(aboutGroup: group) : "")
        }
        guard !tiles.isEmpty else { return answer(.failure(ControlError(.commandError, because: complaint))) }
        do throws(ControlError) {
            if let words = self.words(onProperty: name) { throw ControlError(.invalidParameter, because: words) }
            let request = try CommandTable.request(name, Array(words.dropFirst()))
            try carryOut(request, ofEach: tiles, scope, within: chain, answer: answer)
        } catch { answer(.failure(error)) }
    }

    /// Throws errors that are known at once; `answer` is not called then.
    private func carryOut(
        _ request: CommandRequest, ofEach tiles: [TileID], _ scope: Command.Scope, within chain: KeyChain,
        answer: @escaping Answer
    ) throws(ControlError) {
        switch request {
        // A toggle leaves all tiles alike.
        case .wall(.mute(.toggle, .tile)):
            try carryOut(
                .property("mute", .cycle(isUp: true)), ofEach: tiles, scope, within: chain, answer: answer)
        case .property(let name, let change):
            let refusal = runner.change { wall, now in
                wall.changeProperty(name, change, ofEach: tiles, scope, at: now)
            }
            if let refusal {
                let words = reason(refusal.error, of: name, on: refusal.tile)
                throw refusal.error.detailed(words).stated(as: .commandError)
            }
            answer(.success(nil))
        case .wall(let command) where command.isOfTime:
            let following = runner.read { wall, now in wall.tiles(tiles, thatFollow: command, at: now) }
            for tile in scope == .tileAlone ? following[...] : following.prefix(1) {
                try carryOut(command.scoped(scope), on: tile)
            }
            answer(.success(nil))
        case .wall(let command) where command.isOfOneTile:
            for tile in tiles { try carryOut(command.scoped(scope), on: tile) }
            answer(.success(nil))
        case .load, .addSubtitles:
            let others = tiles.dropFirst()
            for tile in others { try carryOut(request, of: tile, scope, within: chain) { _ in } }
            try carryOut(request, of: tiles[0], scope, within: chain, answer: answer)
        case .program: try carryOut(request, of: nil, scope, within: chain, answer: answer)
        case .wall, .nothing, .onTile:
            try carryOut(request, of: tiles[0], scope, within: chain, answer: answer)
        }
    }
}
