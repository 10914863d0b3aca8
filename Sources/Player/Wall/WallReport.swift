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

    // MARK: messages to the user: why commands and properties were refused

    /// Returns the message that no tile has this name, with the name that was probably meant.
    public func complaint(aboutTile name: String) -> String {
        complaint("no tile", name, among: snapshot.tiles.order.map { snapshot.tiles[$0].name })
    }

    public func complaint(aboutGroup name: String) -> String {
        let names = snapshot.tiles.order.map { snapshot.tiles[$0].layout.group }
        let known = names.enumerated().filter { names.firstIndex(of: $1) == $0 }.map(\.element)
        return complaint(known.isEmpty ? "no group" : "no group with a tile", name, among: known)
    }

    private func complaint(_ missing: String, _ name: String, among names: [String]) -> String {
        let near = nearest(to: name, among: names).map { "did you mean \($0.quoted)?" }
        let known = names.isEmpty ? "the wall has none" : "there are \(names.listed)"
        return "\(missing) is called \(name.quoted); \(near ?? known)"
    }

    /// Returns why a command, which was refused just now, could not be carried out. Features state reasons of their own
    /// (`FeatureAnswer`).
    func reason(against command: Change, on named: TileID?) -> String {
        guard let tile = named ?? snapshot.focus, snapshot.tiles.contains(tile) else { return "no tile has the focus" }
        if let reason = snapshot.reasonAgainstLive(command, of: tile) { return reason }
        let name = snapshot.tiles[tile].name
        let count = snapshot.tiles[tile].play.count
        switch command {
        case .sequence where snapshot.tiles[tile].watch != nil: return "the layout states what \(name) compares"
        case .goToItem(let item?): return "\(name) has no item \(item); it has \(count), counted from 0"
        case .sequence, .item, .goToItem(nil): return count == 0 ? "\(name) plays nothing" : "\(name) has no such item"
        case .nudge, .nudgeByFrame: return "the offset of \(name) would be too large"
        case .seek, .seekToKeyFrame, .end, .abLoop:
            return count == 0 && snapshot.tiles[tile].watch == nil
                ? "\(name) plays nothing" : "\(name) has no end to seek in"
        case .stems: return "\(name) has no such stem"
        default: return "\(name) can't do it now"
        }
    }

    // MARK: properties

    /// Returns why reading or setting a property by its path was refused. nil if the error is not one of properties.
    /// `named`: the tile that the command named before the path; nil if it named none. `others`: names of properties
    /// beside those of the wall.
    public func reason(
        _ error: ControlError, of path: String, on named: TileID? = nil, among others: [String] = []
    ) -> String? {
        let parts = path.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        // The tile may have gone since the command was refused.
        if let named, !snapshot.tiles.contains(named) { return nil }
        guard parts.count > 1, ["tiles", "groups"].contains(parts[0]) else {
            return reason(error, of: path, of: named.map { .tile($0) } ?? .wall, others)
        }
        if let named {
            if parts[0] == "groups" { return reason(error, of: path, of: .tile(named), others) }
            return "\(path) names its tile itself; leave \("tile \(snapshot.tiles[named].name)".quoted) out"
        }
        guard let owner = owner(parts[0], named: parts[1]) else {
            return parts[0] == "tiles" ? complaint(aboutTile: parts[1]) : "no group is called \(parts[1].quoted)"
        }
        return parts.count > 2 ? reason(error, of: parts[2], of: owner, others) : PropertySpec.readOnly(path)
    }

    private func reason(_ error: ControlError, of path: String, of owner: Properties.Owner, _ others: [String])
        -> String?
    {
        let first = String(path.prefix { $0 != "/" }), properties = features.properties
        switch error.word {
        case .propertyNotFound:
            let isOfProgram = if case .wall = owner { others.contains(first) } else { false }
            guard isOfProgram || properties.declaration(first, of: owner) != nil else {
                return properties.notFound(first, of: owner, among: others)
            }
            if case .wall = owner, snapshot.focus == nil, !isOfProgram, properties.ofWall[first] == nil {
                return "no tile has the focus"
            }
            return reasonAgainstPart(of: path, of: owner)
        case .propertyUnavailable:
            if case .wall = owner, snapshot.focus == nil { return "no tile has the focus" }
            if let reason = properties.ofTile[first]?.reasonWithoutValue { return reason(self) }
            // A property that has a value was refused another one.
            if case .success = value(of: first, owner) { return properties.refusal(of: path) }
            return "\(first) has no value at present"
        case .propertyError, .propertyFormat: return properties.refusal(of: path)
        default: return nil
        }
    }

    /// Returns why there is no value at a path into the parts of a property, or why it can't be set.
    private func reasonAgainstPart(of path: String, of owner: Properties.Owner) -> String {
        let steps = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        var value = try? value(of: steps[0], owner).get(), way = steps[0]
        for step in steps.dropFirst() {
            guard case .success(let part)? = value?.part(at: [step]) else {
                if way == "stems", let tile = owner.tile ?? snapshot.focus {
                    return PropertyReader(report: self, owner: tile).complaint(aboutStem: step)
                }
                return "\(way) has no part \(step.quoted)\(value?.partsInWords ?? "")"
            }
            (value, way) = (part, "\(way)/\(step)")
        }
        guard case .parts(_, let kinds)? = features.properties.ofTile[steps[0]]?.spec.takes, steps.count == 2 else {
            return PropertySpec.readOnly(path)
        }
        return "\(PropertySpec.readOnly(path)); its \(kinds.keys.sorted().joined(separator: " and ")) can be set"
    }
}

extension PropertyValue {
    /// "; it has name, volume, mute"
    fileprivate var partsInWords: String {
        switch self {
        case .list(let values):
            let names = values.compactMap { $0["name"]?.asText }
            return names.isEmpty ? "; it has \(values.count), counted from 0" : "; it has \(names.listed)"
        case .object(let fields): return "; it has \(fields.map(\.name).listed)"
        default: return ""
        }
    }
}

extension [String] {
    /// "left, right", with "..." in place of all after the eighth.
    var listed: String { prefix(8).joined(separator: ", ") + (count > 8 ? ", ..." : "") }
}
