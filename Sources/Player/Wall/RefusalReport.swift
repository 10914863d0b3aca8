import Base
import Commands
import Feeds
import Layout
import Scene

/// Messages to the user: why commands and properties were refused.
public struct RefusalReport: Report {
    let features: Features
    let snapshot: Snapshot

    public init(_ wall: Wall, at now: Time) { (features, snapshot) = (wall.features, wall.player.snapshot(at: now)) }

    /// Returns the message that no tile has this name, with the name that was probably meant.
    public func complaint(aboutTile name: String) -> String {
        let names = tiles.order.map { tiles[$0].name }
        if names.isEmpty { return "no tile is called \(name.quoted); the wall has none" }
        let near = nearest(to: name, among: names).map { "; did you mean \($0.quoted)?" }
        return "no tile is called \(name.quoted)"
            + (near ?? "; there are \(names.prefix(8).joined(separator: ", "))\(names.count > 8 ? ", ..." : "")")
    }

    /// Returns why a command, which was refused just now, could not be carried out.
    public func reason(against command: Command, on named: TileID?) -> String {
        if let reason = features.firstAnswer({ $0.reason(against: command, snapshot) }) { return reason }
        guard let tile = named ?? focus, tiles.contains(tile) else { return "no tile has the focus" }
        let name = tiles[tile].name
        let count = tiles[tile].play.count
        switch command {
        case .sequence where tiles[tile].comparison != nil: return "the layout states what \(name) compares"
        case .goToItem(let item?): return "\(name) has no item \(item); it has \(count), counted from 0"
        case .sequence, .item, .goToItem(nil): return count == 0 ? "\(name) plays nothing" : "\(name) has no such item"
        case .nudge, .nudgeByFrame: return "the offset of \(name) would be too large"
        case .seek, .seekToKeyFrame, .end, .abLoop:
            return count == 0 && tiles[tile].comparison == nil
                ? "\(name) plays nothing" : "\(name) has no end to seek in"
        case .stems: return "\(name) has no such stem"
        default: return "\(name) can't do it now"
        }
    }

    /// Returns why reading or setting a property by its path was refused. nil if the error is not one of properties.
    /// `others`: names of properties beside those of the wall.
    public func reason(_ error: ControlError, of path: String, among others: [String] = []) -> String? {
        let parts = path.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        let isOfTile = parts.count > 1 && parts[0] == "tiles", isOfGroup = parts.count > 1 && parts[0] == "groups"
        if isOfTile, tiles.id(named: parts[1]) == nil { return complaint(aboutTile: parts[1]) }
        if isOfGroup, clocks.id(named: parts[1]) == nil { return "no group is called \(parts[1].quoted)" }
        let name = isOfTile || isOfGroup ? (parts.count > 2 ? parts[2] : parts[0]) : path
        let first = String(name.prefix { $0 != "/" }), properties = features.properties
        switch error.word {
        case .propertyNotFound:
            if isOfTile { return properties.notFound(first, among: properties.ofTile.names, of: "a tile") }
            if isOfGroup { return properties.notFound(first, among: properties.ofGroup.names, of: "a group") }
            let names = (properties.names + others).sorted()
            if first != name, names.contains(first) { return "\(first) has no part \(name.quoted)" }
            return properties.notFound(first, among: names, of: "the wall")
        case .propertyUnavailable:
            if !isOfTile, !isOfGroup, focus == nil { return "no tile has the focus" }
            if let reason = properties.ofTile[first]?.reasonWithoutValue {
                return reason(PropertyReport(features, snapshot))
            }
            // A property that has a value was refused another one.
            let tile = isOfTile ? tiles.id(named: parts[1]) : nil
            if !isOfGroup, case .success = PropertyReport(features, snapshot).property(first, of: tile) {
                return properties.refusal(of: name)
            }
            return "\(first) has no value at present"
        case .propertyError, .propertyFormat: return properties.refusal(of: name)
        default: return nil
        }
    }
}
