import Base
import Commands
import Feeds
import Layout
import Scene

// Properties of a wall that can be set. Each is a command.
extension Wall {
    /// Sets a property of the wall or of a tile. Returns nil if it was set.
    public mutating func set(
        _ name: String, to value: PropertyValue, of tile: TileID? = nil, alone scope: Command.Scope = .group,
        at now: Time
    ) -> ControlError? {
        let isWalls = tile == nil && PropertyTable.spec(name, [.wall]) != nil
        let whole = name.hasPrefix("stems/") ? "stems" : name
        guard let spec = PropertyTable.spec(whole, isWalls ? [.wall] : tile == nil ? [.tile] : [.tile, .namedTile])
        else {
            return .propertyNotFound
        }
        guard spec.isSettable else { return .propertyError }
        if isWalls, name == "figures" {
            guard let isOn = value.asFlag else { return value.refusal }
            if isOn != player.needs.keepsSamples { carryOut(.figures, at: now) }
            return nil
        }
        let commands = PropertyCommand(snapshot: player.snapshot(at: now))
        switch isWalls ? commands.commandForWall(name, value) : commands.command(name, value, of: tile, scope) {
        case .success(let command): return carryOut(command, on: tile, at: now) ? nil : .propertyUnavailable
        case .failure(let error): return error
        }
    }

    public mutating func set(
        _ name: String, to value: PropertyValue, ofGroup group: String, at now: Time
    ) -> ControlError? {
        guard let id = player.clocks.id(named: group),
            PropertyTable.spec(name, [.group]) != nil
        else { return .propertyNotFound }
        switch name {
        case "pause":
            guard let isPaused = value.asFlag else { return value.refusal }
            change(at: now) { _ in [.pause(id, isPaused ? .on : .off)] }
        case "speed":
            guard let rate = value.asRate else { return value.refusal }
            change(at: now) { _ in [.setRate(.to(rate), of: id)] }
        default:
            guard let time = value.asTime else { return value.refusal }
            change(at: now) { wall in [.jump(id, by: max(.zero, time) - wall.player.clocks[id].destination(at: now))] }
        }
        return nil
    }
}

extension Item {
    /// Largest number of rounds that a layout may state.
    static let mostRounds = 1_000_000
}
