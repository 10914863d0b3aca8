import Base
import Commands
import Engine
import Glibc
import Layout
import Player

extension CommandRouter {
    public func property(_ name: String) -> Result<PropertyValue, ControlError> { property(name, of: nil) }

    public func setProperty(_ name: String, _ value: PropertyValue) -> ControlError? {
        change(name, .set(value), of: nil, .group)
    }

    public func reason(_ error: ControlError, of property: String) -> String? {
        let name = property.prefix { $0 != "/" }
        if PropertyTable.spec(String(name), [.program]) != nil {
            if error == .propertyUnavailable { return "the wall plays no layout's file" }
            if error == .propertyError { return "\(name) can only be read" }
        }
        return runner.read { wall, now in RefusalReport(wall, at: now).reason(error, of: property) }
    }

    /// Returns a property by its name or by a path: tiles/ID/NAME, groups/NAME/NAME, playlist/0/filename,
    /// track-list/count.
    private func property(_ name: String, of tile: TileID?) -> Result<PropertyValue, ControlError> {
        let parts = name.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        if tile == nil, let own = ofProgram(parts[0]) { return own.flatMap { part(of: $0, parts.dropFirst()) } }
        return runner.read { wall, now in
            if tile == nil, parts.count > 1, parts[0] == "tiles", let id = wall.player.tile(named: parts[1]) {
                if parts.count == 2 {
                    return PropertyReport(wall, at: now).property("tiles").flatMap { whole(id: parts[1], in: $0) }
                }
                let path = parts[2].split(separator: "/", omittingEmptySubsequences: false).map(String.init)
                return PropertyReport(wall, at: now).property(path[0], of: id).flatMap {
                    part(of: $0, path.dropFirst())
                }
            }
            if tile == nil, parts.count == 3, parts[0] == "groups" {
                return PropertyReport(wall, at: now).property(parts[2], ofGroup: parts[1])
            }
            let path = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
            return PropertyReport(wall, at: now).property(path[0], of: tile).flatMap { part(of: $0, path.dropFirst()) }
        }
    }

    private func whole(id: String, in tiles: PropertyValue) -> Result<PropertyValue, ControlError> {
        guard case .list(let all) = tiles, let tile = all.first(where: { $0["id"] == .text(id) }) else {
            return .failure(.propertyNotFound)
        }
        return .success(tile)
    }

    /// Returns the value of a property of the program; nil if `name` is not one.
    private func ofProgram(_ name: String) -> Result<PropertyValue, ControlError>? {
        guard PropertyTable.spec(name, [.program]) != nil else { return nil }
        switch name {
        case "layout": return .success(.text(runner.read { wall, _ in wall.layout.title }))
        case "layout-path":
            return program.facts.layoutPath.map { .success(.text($0)) } ?? .failure(.propertyUnavailable)
        case "fullscreen": return .success(.flag(program.facts.isFullscreen))
        case "pid": return .success(.integer(Int(getpid())))
        case "mpv-version": return .success(.text("Quadrille \(program.facts.version)"))
        case "input-bindings":
            let keys = boundKeys().map { press, text, source in
                PropertyValue.object([
                    PropertyField("key", .text(press.name)), PropertyField("cmd", .text(text)),
                    PropertyField("section", .text(source)),
                ])
            }
            return .success(.list(keys))
        case "command-list": return .success(.list(CommandTable.specs.map(\.described)))
        default: return .success(.list(PropertyTable.names.map { .text($0) }))
        }
    }

    // MARK: setting

    /// Returns nil if the property was changed.
    func change(
        _ name: String, _ change: CommandRequest.PropertyChange, of tile: TileID?, _ scope: Command.Scope
    ) -> ControlError? {
        if name == "fullscreen", tile == nil {
            return setFullscreen(change)
        }
        if tile == nil, PropertyTable.spec(name, [.program]) != nil { return .propertyError }
        return runner.change { wall, now in
            let parts = name.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
            let place: PropertyPlace
            if tile == nil, parts.count == 3, parts[0] == "tiles" {
                guard let id = wall.player.tile(named: parts[1]) else { return .propertyNotFound }
                place = PropertyPlace(name: parts[2], tile: id)
            } else if tile == nil, parts.count == 3, parts[0] == "groups" {
                place = PropertyPlace(name: parts[2], group: parts[1])
            } else {
                place = PropertyPlace(name: name, tile: tile)
            }
            return place.change(change, scope, in: &wall, at: now)
        }
    }

    private func setFullscreen(_ change: CommandRequest.PropertyChange) -> ControlError? {
        let switching: Command.Switching
        switch change {
        case .set(let value):
            guard let isOn = value.asFlag else { return .propertyFormat }
            switching = isOn ? .on : .off
        case .cycle, .cycleValues: switching = .toggle
        case .add, .multiply: return .propertyError
        }
        runner.change { wall, now in _ = wall.carryOut(.window(.fullscreen(switching)), at: now) }
        return nil
    }
}

/// Name of a property to be changed, and its tile or group; both are nil for the wall.
private struct PropertyPlace {
    let name: String
    var tile: TileID?
    var group: String?

    func change(
        _ change: CommandRequest.PropertyChange, _ scope: Command.Scope, in wall: inout Wall, at now: Time
    ) -> ControlError? {
        if case .set(let value) = change { return set(value, scope, &wall, now) }
        let present: PropertyValue
        switch read(wall, now) {
        case .success(let value): present = value
        case .failure(let error): return error
        }
        switch change {
        case .set: return nil
        case .add(let amount):
            guard let number = present.asNumber else { return .propertyError }
            return set(.number(bounded(number + amount)), scope, &wall, now)
        case .multiply(let factor):
            guard let number = present.asNumber else { return .propertyError }
            return set(.number(bounded(number * factor)), scope, &wall, now)
        case .cycle(let isUp): return cycle(present, isUp, scope, &wall, now)
        case .cycleValues(let values, let isUp):
            let place = values.firstIndex { same($0, present) }
            let next =
                place.map { ($0 + (isUp ? 1 : values.count - 1)) % values.count } ?? (isUp ? 0 : values.count - 1)
            return set(values[next], scope, &wall, now)
        }
    }

    /// Clamps the value to the property's range, as mpv does.
    private func bounded(_ number: Double) -> Double {
        switch name {
        case _ where name.hasPrefix("stems/"): min(100, max(0, number))
        case "key": min(Double(Item.keys.upperBound), max(Double(Item.keys.lowerBound), number))
        case "volume": min(100, max(0, number))
        case "speed": min(Rate.fastest.value, max(Rate.slowest.value, number))
        default: number
        }
    }

    private func cycle(
        _ present: PropertyValue, _ isUp: Bool, _ scope: Command.Scope, _ wall: inout Wall, _ now: Time
    ) -> ControlError? {
        if name == "aid" { return wall.carryOut(.track(.next), on: tile, at: now) ? nil : .propertyUnavailable }
        if name == "focus" {
            _ = wall.carryOut(.focus(isUp ? .next : .previous), at: now)
            return nil
        }
        if name.hasPrefix("loop-") {
            return set(present == .flag(false) ? .text("inf") : .flag(false), scope, &wall, now)
        }
        if case .flag(let flag) = present { return set(.flag(!flag), scope, &wall, now) }
        guard let number = present.asNumber else { return .propertyError }
        return set(.number(bounded(number + (isUp ? 1 : -1))), scope, &wall, now)
    }

    private func same(_ a: PropertyValue, _ b: PropertyValue) -> Bool {
        if a == b { return true }
        if let one = a.asFlag, let other = b.asFlag { return one == other }
        if let one = a.asNumber, let other = b.asNumber { return one == other }
        return false
    }

    private func read(_ wall: Wall, _ now: Time) -> Result<PropertyValue, ControlError> {
        if let group { return PropertyReport(wall, at: now).property(name, ofGroup: group) }
        let path = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        return PropertyReport(wall, at: now).property(path[0], of: tile).flatMap { part(of: $0, path.dropFirst()) }
    }

    private func set(
        _ value: PropertyValue, _ scope: Command.Scope, _ wall: inout Wall, _ now: Time
    ) -> ControlError? {
        if let group { return wall.set(name, to: value, ofGroup: group, at: now) }
        return wall.set(name, to: value, of: tile, alone: scope, at: now)
    }
}

/// Follows `path` into a value: into lists by index, `count` or an object's name, into objects by a field's name.
private func part(of value: PropertyValue, _ path: ArraySlice<String>) -> Result<PropertyValue, ControlError> {
    guard let step = path.first else { return .success(value) }
    let next: PropertyValue?
    switch value {
    case .list(let values) where step == "count": next = .integer(values.count)
    case .list(let values):
        next =
            values.first { $0["name"] == .text(step) }
            ?? Int(step).flatMap { values.indices.contains($0) ? values[$0] : nil }
    case .object(let fields): next = fields[step]
    default: next = nil
    }
    guard let next else { return .failure(.propertyNotFound) }
    return part(of: next, path.dropFirst())
}

extension CommandSpec {
    fileprivate var described: PropertyValue {
        .object([
            PropertyField("name", .text(name)),
            PropertyField(
                "args",
                .list(
                    arguments.map { argument in
                        .object([
                            PropertyField("name", .text(argument.name)), PropertyField("type", .text(argument.type)),
                            PropertyField("optional", .flag(argument.isOptional)),
                        ])
                    })), PropertyField("vararg", .flag(takesMore)),
        ])
    }
}
