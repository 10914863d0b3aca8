import Base
import Commands
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
            if isOn != figures.isOn { carryOut(.figures, at: now) }
            return nil
        }
        switch isWalls ? commandForWall(name, value) : command(name, value, of: tile, scope) {
        case .success(let command): return carryOut(command, on: tile, at: now) ? nil : .propertyUnavailable
        case .failure(let error): return error
        }
    }

    public mutating func set(
        _ name: String, to value: PropertyValue, ofGroup group: String, at now: Time
    ) -> ControlError? {
        guard let id = clocks.id(named: group),
            PropertyTable.spec(name, [.group]) != nil
        else { return .propertyNotFound }
        switch name {
        case "pause":
            guard let isPaused = value.asFlag else { return value.refusal }
            change(at: now) { $0.pause(id, isPaused ? .on : .off, at: now) }
        case "speed":
            guard let rate = value.asRate else { return value.refusal }
            change(at: now) { $0.setRate(of: id, .to(rate), at: now) }
        default:
            guard let time = value.asTime else { return value.refusal }
            change(at: now) { $0.jump(id, by: max(.zero, time) - $0.clocks[id].destination(at: now), at: now) }
        }
        return nil
    }

    private func commandForWall(_ name: String, _ value: PropertyValue) -> Result<Command, ControlError> {
        switch name {
        case "volume": return value.asVolume.map { .success(.volume(.to($0), .wall)) } ?? .failure(value.refusal)
        case "mute": return value.asFlag.map { .success(.mute($0 ? .on : .off, .wall)) } ?? .failure(value.refusal)
        case "audio-delay":
            guard let seconds = value.asNumber else { return .failure(value.refusal) }
            return .success(.audioDelay(.to(Int((max(-1, min(1, seconds)) * 1000).rounded()))))
        case "focus":
            guard let tile = value.asText.flatMap({ tiles.id(named: $0) }) else { return .failure(.propertyError) }
            return .success(.focus(.tile(tile)))
        default:
            guard let text = value.asText else { return .failure(value.refusal) }
            return zoomCommand(text).map { .success($0) } ?? .failure(.propertyError)
        }
    }

    /// Returns the command that zooms the tile called `name`, or ends the zoom if that is "none". nil if no tile has
    /// the name.
    public func zoomCommand(_ name: String) -> Command? {
        if name == "none" { return .zoom(.off) }
        return tiles.id(named: name).map { .zoom(.to($0)) }
    }

    private func command(
        _ name: String, _ value: PropertyValue, of tile: TileID?, _ scope: Command.Scope
    ) -> Result<Command, ControlError> {
        func make<Value>(_ wanted: Value?, _ command: (Value) -> Command?) -> Result<Command, ControlError> {
            guard let wanted else { return .failure(value.refusal) }
            return command(wanted).map { .success($0) } ?? .failure(.propertyError)
        }
        if name.hasPrefix("stems") { return stemCommand(name, value) }
        switch name {
        case "key": return make(value.asInteger) { .key(.to($0)) }
        case "pause": return make(value.asFlag) { .pause($0 ? .on : .off, scope) }
        case "speed": return make(value.asRate) { .rate(.to($0), scope) }
        case "time-pos", "playback-time": return make(value.asTime) { .seek(.to($0), scope) }
        case "percent-pos": return make(value.asNumber) { .seek(.toPercent($0), scope) }
        case "playlist-pos": return make(value.asInteger) { .goToItem($0) }
        case "mute": return make(value.asFlag) { .mute($0 ? .on : .off, .tile) }
        case "volume": return make(value.asVolume) { .volume(.to($0), .tile) }
        case "offset":
            guard let tile = tile ?? tiles.overlaid ?? focus, tiles.contains(tile) else {
                return .failure(.propertyUnavailable)
            }
            return make(value.asTime) { .nudge(by: $0 - tiles[movable(tile)].layout.offset) }
        case "aid":
            if value.asFlag == false { return .success(.track(.number(nil))) }
            if value.asText == "auto" { return .success(.track(.number(1))) }
            return make(value.asInteger) { $0 > 0 ? .track(.number($0)) : nil }
        case "loop-file":
            if value.asFlag == false { return .success(.sequence(.rounds(1))) }
            if value.asText == "inf" || value.asFlag == true { return .success(.sequence(.rounds(Item.mostRounds))) }
            return make(value.asInteger) { $0 >= 0 && $0 < Item.mostRounds ? .sequence(.rounds($0 + 1)) : nil }
        case "loop-playlist":
            if value.asFlag == false { return .success(.sequence(.loop(.iterations(1)))) }
            if ["inf", "force"].contains(value.asText) || value.asFlag == true {
                return .success(.sequence(.loop(.forever)))
            }
            return make(value.asInteger) { $0 > 0 ? .sequence(.loop(.iterations($0))) : nil }
        case "ab-loop-a", "ab-loop-b":
            func abLoop(_ time: Time?) -> Command { .abLoop(name == "ab-loop-a" ? .a(time) : .b(time), scope) }
            return value.asFlag == false ? .success(abLoop(nil)) : make(value.asTime) { abLoop($0) }
        case "chapter":
            guard let tile = tile ?? focus, tiles.contains(tile) else { return .failure(.propertyUnavailable) }
            let chapters = chapters(of: feeds[tiles[tile].feed])
            if chapters.isEmpty { return .failure(.propertyUnavailable) }
            return make(value.asInteger) { chapters.indices.contains($0) ? .seek(.to(chapters[$0].start), scope) : nil }
        default: return .failure(.propertyError)
        }
    }
}

extension Item {
    /// Largest number of rounds that a layout may state.
    static let mostRounds = 1_000_000
}
