import Base
import Commands
import Feeds

/// A wall at one instant, for questions by clients: values of the properties of the wall, its groups and its tiles, and
/// why commands and properties were refused.
public struct WallReport {
    let features: Features
    let snapshot: Snapshot

    public init(_ wall: Wall, at now: Time) { (features, snapshot) = (wall.features, wall.player.snapshot(at: now)) }

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
        if tile == nil, let property = properties.ofWall[name] { return value(of: property, ()) }
        guard let property = properties.tileProperty(name, of: tile) else { return .failure(.propertyNotFound) }
        guard let tile = tile ?? snapshot.focus, snapshot.tiles.contains(tile) else { return idle(property.spec) }
        return value(of: property, tile)
    }

    private func value<Owner>(of property: Property<Owner>?, _ owner: Owner) -> Reading {
        property?.get(PropertyReader(report: self, owner: owner)).map { .success($0) } ?? .failure(.propertyUnavailable)
    }

    /// Returns the value that mpv has while it plays nothing.
    private func idle(_ spec: PropertySpec) -> Reading {
        switch spec.idle {
        case .unavailable: .failure(.propertyUnavailable)
        case .value(let value): .success(value)
        case .mainGroup: value(of: properties.ofGroup[spec.name], snapshot.clocks.main)
        }
    }

    /// Returns a property of a group, by the group's name.
    public func property(_ name: String, ofGroup group: String) -> Reading {
        guard let id = snapshot.clocks.id(named: group), let property = properties.ofGroup[name] else {
            return .failure(.propertyNotFound)
        }
        return value(of: property, id)
    }

    // MARK: objects with the properties of several owners

    var objectOfWall: PropertyValue { object(of: properties.ofWall.all, ()) }

    var objectOfGroups: PropertyValue {
        .object(
            snapshot.clocks.ids.filter { !snapshot.clocks[$0].isAlone }.map { group in
                PropertyField(snapshot.clocks[group].name, object(of: properties.ofGroup.all, group))
            })
    }

    func object(ofTile tile: TileID) -> PropertyValue { object(of: properties.inObjectOfTile, tile) }

    private func object<Owner>(of properties: [Property<Owner>], _ owner: Owner) -> PropertyValue {
        .object(
            properties.compactMap { property -> PropertyField? in
                let spec = property.spec
                guard spec.inObjects != .absent, let value = property.get(PropertyReader(report: self, owner: owner))
                else {
                    return nil
                }
                guard case .text(let text) = value, spec.inObjects == .withoutSecrets else {
                    return PropertyField(spec.name, value)
                }
                return PropertyField(spec.name, .text(SourceName.withoutSecrets(text)))
            })
    }
}
