import Base
import Commands

// Messages to the user: why commands and properties were refused.
extension WallReport {
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

    /// Returns why a command, which was refused just now, could not be carried out.
    public func reason(against command: Change, on named: TileID?) -> String {
        if let reason = features.firstAnswer({ $0.reason(against: command, snapshot) }) { return reason }
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
