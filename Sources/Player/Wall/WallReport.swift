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
        let steps = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        if let tile { return value(at: steps[...], .tile(tile)) }
        guard steps.count > 1, let owner = owner(steps[0], named: steps[1]) else { return value(at: steps[...], .wall) }
        if steps.count > 2 { return value(at: steps[2...], owner) }
        return owner.tile.map { .success(object(ofTile: $0)) } ?? value(at: steps[...], .wall)
    }

    /// Returns the owner that a path names by its first two steps, tiles/ID or groups/NAME; nil if there is none.
    func owner(_ kind: String, named name: String) -> Properties.Owner? {
        switch kind {
        case "tiles": snapshot.tiles.id(named: name).map { .tile($0) }
        case "groups": snapshot.clocks.id(named: name).map { .group($0) }
        default: nil
        }
    }

    /// Returns a property, or a part of its value. `steps`: the property's name, and a path into its value.
    func value(at steps: ArraySlice<String>, _ owner: Properties.Owner) -> Reading {
        value(of: steps[steps.startIndex], owner).flatMap { $0.part(at: steps.dropFirst()) }
    }

    func value(of name: String, _ owner: Properties.Owner) -> Reading {
        if case .group(let group) = owner { return value(of: properties.ofGroup[name], group) }
        if case .wall = owner, let property = properties.ofWall[name] { return value(of: property, ()) }
        guard let property = properties.tileProperty(name, of: owner) else { return .failure(.propertyNotFound) }
        guard let tile = owner.tile ?? snapshot.focus, snapshot.tiles.contains(tile) else { return idle(property.spec) }
        return value(of: property, tile)
    }

    private func value<Owner>(of property: Property<Owner>?, _ owner: Owner) -> Reading {
        guard let property else { return .failure(.propertyNotFound) }
        let value = property.get(PropertyReader(report: self, owner: owner))
        return value.map { .success($0) } ?? .failure(.propertyUnavailable)
    }

    /// Returns the value that mpv has while it plays nothing.
    private func idle(_ spec: PropertySpec) -> Reading {
        switch spec.idle {
        case .unavailable: .failure(.propertyUnavailable)
        case .value(let value): .success(value)
        case .mainGroup: value(of: properties.ofGroup[spec.name], snapshot.clocks.main)
        }
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
