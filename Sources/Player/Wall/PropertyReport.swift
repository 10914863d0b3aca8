import Base
import Commands

/// Values of the properties of a wall, its groups and its tiles.
public struct PropertyReport {
    let features: Features
    let snapshot: Snapshot

    public init(_ wall: Wall, at now: Time) { (features, snapshot) = (wall.features, wall.player.snapshot(at: now)) }

    init(_ features: Features, _ snapshot: Snapshot) { (self.features, self.snapshot) = (features, snapshot) }

    public typealias Reading = Result<PropertyValue, ControlError>

    var properties: Properties { features.properties }

    /// Returns a property by its name, or by a path into a value: playlist/0/filename, tiles/ID/NAME, groups/NAME/NAME.
    /// `tile`: nil if the wall or the focused tile is meant.
    public func value(at path: String, of tile: TileID?) -> Reading {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        if tile == nil, parts.count > 1, parts[0] == "tiles", let id = snapshot.tiles.id(named: parts[1]) {
            if parts.count == 2 { return .success(object(ofTile: id)) }
            return property(parts[2], of: id).flatMap { $0.part(at: parts[3...]) }
        }
        if tile == nil, parts.count > 2, parts[0] == "groups" {
            return property(parts[2...].joined(separator: "/"), ofGroup: parts[1])
        }
        return property(parts[0], of: tile).flatMap { $0.part(at: parts[1...]) }
    }

    /// Returns a property of the wall or of a tile. `tile`: nil if the wall or the focused tile is meant.
    public func property(_ name: String, of tile: TileID? = nil) -> Reading {
        if tile == nil, let property = properties.ofWall[name] { return .success(property.get(self)) }
        guard let property = properties.tileProperty(name, of: tile) else { return .failure(.propertyNotFound) }
        guard let tile = tile ?? snapshot.focus, snapshot.tiles.contains(tile) else { return idle(property.spec) }
        return property.get(self, tile).map { .success($0) } ?? .failure(.propertyUnavailable)
    }

    /// Returns the value that mpv has while it plays nothing.
    private func idle(_ spec: PropertySpec) -> Reading {
        switch spec.idle {
        case .unavailable: .failure(.propertyUnavailable)
        case .value(let value): .success(value)
        case .mainGroup:
            properties.ofGroup[spec.name].map { .success($0.get(self, snapshot.clocks.main)) }
                ?? .failure(.propertyUnavailable)
        }
    }

    /// Returns a property of a group, by the group's name.
    public func property(_ name: String, ofGroup group: String) -> Reading {
        guard let id = snapshot.clocks.id(named: group), let property = properties.ofGroup[name] else {
            return .failure(.propertyNotFound)
        }
        return .success(property.get(self, id))
    }
}
