import Base
import Commands
import Feeds
import Layout
import Scene

// Sets properties of a wall. Most setters return commands.
extension Wall {
    /// Sets a property of the wall or of a tile. Returns nil if it was set. `name`: the property's name, or a path into
    /// its parts. `tile`: nil if the wall or the focused tile is meant.
    public mutating func set(
        _ name: String, to value: PropertyValue, of tile: TileID? = nil, alone scope: Command.Scope = .group,
        at now: Time
    ) -> ControlError? {
        carryOut(PropertyReport(self, at: now).outcome(ofSetting: name, to: value, of: tile, scope), on: tile, at: now)
    }

    /// Sets a property of a group, by the group's name. Returns nil if it was set.
    public mutating func set(
        _ name: String, to value: PropertyValue, ofGroup group: String, at now: Time
    ) -> ControlError? {
        carryOut(PropertyReport(self, at: now).outcome(ofSetting: name, to: value, ofGroup: group), on: nil, at: now)
    }

    private mutating func carryOut(
        _ outcome: PropertySetting.Outcome, on tile: TileID?, at now: Time
    ) -> ControlError? {
        switch outcome {
        case .command(let command):
            if carryOut(command, on: tile, at: now) { return nil }
            let reason = (tile ?? focus).flatMap { player.snapshot(at: now).reasonAgainstLive(command, of: $0) }
            return ControlError(.propertyUnavailable, because: reason)
        case .edit(let edit):
            change(at: now) { _ in [edit] }
            return nil
        case .nothing: return nil
        case .refused(let error): return error
        }
    }

    // MARK: changes of the present value

    /// Sets a property, or changes its present value. Returns nil if that was done. `path`: a property's name, a path
    /// into its parts, tiles/ID/NAME or groups/NAME/NAME. `tile`: nil if the wall or the focused tile is meant.
    public mutating func changeProperty(
        _ path: String, _ change: CommandRequest.PropertyChange, of tile: TileID?, _ scope: Command.Scope, at now: Time
    ) -> ControlError? {
        var changed = ChangedProperty(name: path, tile: tile, scope: scope, now: now)
        let parts = path.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        if tile == nil, parts.count == 3, parts[0] == "tiles" {
            guard let id = player.tile(named: parts[1]) else { return .propertyNotFound }
            (changed.name, changed.tile) = (parts[2], id)
        } else if tile == nil, parts.count == 3, parts[0] == "groups" {
            (changed.name, changed.group) = (parts[2], parts[1])
        }
        if let error = changed.change(change, in: &self) { return error }
        if let text = changed.notice(in: self) { make([.notice(text)], at: now) }
        return nil
    }
}

// Properties of all tiles of a group.
extension Wall {
    /// Changes a property of each of these tiles, which follow one clock; a property of their time once. After a cycle
    /// all tiles have the value of the first. Returns the first refusal.
    public mutating func changeProperty(
        _ path: String, _ change: CommandRequest.PropertyChange, ofEach tiles: [TileID], _ scope: Command.Scope,
        at now: Time
    ) -> (error: ControlError, tile: TileID)? {
        let tiles = follow(path, tiles, at: now)
        guard let first = tiles.first else { return nil }
        let isOfTime = scope == .group && isOfTime(path, of: first, at: now)
        if let error = changeProperty(path, change, of: first, scope, at: now) { return (error, first) }
        if isOfTime { return nil }
        var change = change
        switch change {
        case .cycle, .cycleValues:
            if case .success(let value) = PropertyReport(self, at: now).value(at: path, of: first) {
                change = .set(value)
            }
        case .set, .add, .multiply: break
        }
        for tile in tiles.dropFirst() {
            if let error = changeProperty(path, change, of: tile, scope, at: now) { return (error, tile) }
        }
        return nil
    }

    /// Returns the tiles of which a property can be changed: all, or those that are not live.
    private func follow(_ path: String, _ tiles: [TileID], at now: Time) -> [TileID] {
        let report = PropertyReport(self, at: now)
        guard let first = tiles.first,
            case .command(let command) = report.outcome(ofSetting: path, to: .number(1), of: first, .group)
        else { return tiles }
        return self.tiles(tiles, thatFollow: command, at: now)
    }

    /// Returns true if the property is about the time of the tile's group.
    private func isOfTime(_ path: String, of tile: TileID, at now: Time) -> Bool {
        let report = PropertyReport(self, at: now)
        guard case .success(let value) = report.value(at: path, of: tile),
            case .command(let command) = report.outcome(ofSetting: path, to: value, of: tile, .group)
        else { return false }
        return command.isOfTime
    }
}

/// A property that is being changed, and its tile or group; both are nil for the wall or the focused tile.
private struct ChangedProperty {
    var name: String
    var tile: TileID?
    var group: String?
    let scope: Command.Scope
    let now: Time

    func change(_ change: CommandRequest.PropertyChange, in wall: inout Wall) -> ControlError? {
        if case .set(let value) = change { return set(value, in: &wall) }
        let present: PropertyValue
        switch read(in: wall) {
        case .success(let value): present = value
        case .failure(let error): return error
        }
        switch change {
        case .set: return nil
        case .add(let amount):
            guard let number = present.asNumber else { return .propertyError }
            return set(finite(number + amount), in: &wall)
        case .multiply(let factor):
            guard let number = present.asNumber else { return .propertyError }
            return set(finite(number * factor), in: &wall)
        case .cycle(let isUp): return cycle(present, isUp, in: &wall)
        case .cycleValues(let values, let isUp):
            return set(next(in: values, after: present, isUp), in: &wall)
        }
    }

    /// The result of a calculation, which the bounds of the property may limit further.
    private func finite(_ number: Double) -> PropertyValue {
        .number(min(max(number, -.greatestFiniteMagnitude), .greatestFiniteMagnitude))
    }

    /// Returns the value after the present one, or before it, around the ends.
    private func next(in values: [PropertyValue], after present: PropertyValue, _ isUp: Bool) -> PropertyValue {
        guard let place = values.firstIndex(where: { $0.means(present) }) else {
            return isUp ? values[0] : values[values.count - 1]
        }
        return values[(place + (isUp ? 1 : values.count - 1)) % values.count]
    }

    private func cycle(_ present: PropertyValue, _ isUp: Bool, in wall: inout Wall) -> ControlError? {
        let spec = spec(in: wall)
        if let command = spec?.cycle?(isUp) {
            return wall.carryOut(command, on: tile, at: now) ? nil : .propertyUnavailable
        }
        if case .count? = spec?.takes { return set(present == .flag(false) ? .text("inf") : .flag(false), in: &wall) }
        if case .oneOf(let values)? = spec?.takes { return set(next(in: values, after: present, isUp), in: &wall) }
        if case .flag(let flag) = present { return set(.flag(!flag), in: &wall) }
        guard let number = present.asNumber else { return .propertyError }
        return set(finite(number + (isUp ? 1 : -1)), in: &wall)
    }

    /// Returns the notice of the value that was set; nil if something else on the screen states it.
    func notice(in wall: Wall) -> String? {
        guard let spec = spec(in: wall), spec.isNoticed, case .success(let value) = read(in: wall) else { return nil }
        let text = "\(spec.name) \(value.readableText)"
        guard spec.scope == .tile, let tile = tile ?? wall.focus else { return text }
        return "\(wall.player.tiles[tile].name): \(text)"
    }

    private func spec(in wall: Wall) -> PropertySpec? {
        let properties = wall.features.properties
        if group != nil { return properties.ofGroup[name]?.spec }
        if tile == nil, let property = properties.ofWall[name] { return property.spec }
        return properties.tileProperty(properties.name(of: name), of: tile)?.spec
    }

    private func read(in wall: Wall) -> PropertyReport.Reading {
        let report = PropertyReport(wall, at: now)
        if let group { return report.property(name, ofGroup: group) }
        let path = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        return report.property(path[0], of: tile).flatMap { $0.part(at: path.dropFirst()) }
    }

    private func set(_ value: PropertyValue, in wall: inout Wall) -> ControlError? {
        if let group { return wall.set(name, to: value, ofGroup: group, at: now) }
        return wall.set(name, to: value, of: tile, alone: scope, at: now)
    }
}
