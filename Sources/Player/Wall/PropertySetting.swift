import Base
import Commands
import Feeds
import Layout

/// The arguments of a property's setter.
struct PropertySetting {
    let report: PropertyReport
    /// New value: its kind is one that the property takes, and it lies within the bounds.
    private(set) var value: PropertyValue
    /// The property's name, or a path into its parts.
    let path: String
    /// nil if the wall or the focused tile is meant.
    let tile: TileID?
    /// Tiles that the change moves.
    let scope: Change.Scope

    /// Result of a setter.
    enum Outcome {
        /// The change that sets the property; nil if the property has the value already.
        case change(Change?)
        case refused(ControlError)
    }

    /// Calls a property's setter with a value that the property takes. Refuses any other value.
    func outcome(_ spec: PropertySpec, _ set: ((PropertySetting) -> Outcome)?) -> Outcome {
        guard let set, let takes = spec.takes else { return .refused(.propertyError) }
        guard let kind = takes.part(at: path) else { return set(self) }
        guard let value = kind.value(for: value) else { return .refused(value.refusal) }
        var given = self
        given.value = value
        return set(given)
    }

    /// Returns the change for a value that `read` can read. Refuses the value if `change` returns nil.
    func change<Value>(_ read: (PropertyValue) -> Value?, _ change: (Value) -> Change?) -> Outcome {
        guard let wanted = read(value) else { return .refused(value.refusal) }
        return change(wanted).map { .change($0) } ?? .refused(.propertyError)
    }

    /// Returns the change that chooses a track by its number, from 1. Refuses a number that the tile's item does not
    /// have. `count`: returns the number of its tracks; nil while unknown. `kind`: "sound" or "subtitle".
    func track(
        _ kind: String, among count: (PropertyReport, TileID) -> Int?, _ choose: (Int) -> Change
    ) -> Outcome {
        guard let number = value.asInteger else { return .refused(value.refusal) }
        guard number > 0 else { return .refused(.propertyError) }
        guard let tile = tile ?? report.snapshot.focus, report.snapshot.tiles.contains(tile),
            let count = count(report, tile),
            number > count
        else { return .change(choose(number)) }
        let tracks = count == 0 ? "none" : "\(count) \(kind) track\(count == 1 ? "" : "s")"
        let name = report.snapshot.tiles[tile].name
        return .refused(
            ControlError(
                .propertyUnavailable, because: "there is no \(kind) track \(number); \(name) has \(tracks)"))
    }
}

extension PropertyReport {
    /// Calls the setter of a property of the wall or of a tile, and returns its result.
    func outcome(
        ofSetting path: String, to value: PropertyValue, of tile: TileID?, _ scope: Change.Scope
    ) -> PropertySetting.Outcome {
        let given = PropertySetting(report: self, value: value, path: path, tile: tile, scope: scope)
        if tile == nil, let property = properties.ofWall[path] { return given.outcome(property.spec, property.set) }
        guard let property = properties.tileProperty(properties.name(of: path), of: tile) else {
            return .refused(.propertyNotFound)
        }
        return given.outcome(property.spec, property.set)
    }

    /// Calls the setter of a property of a group, and returns its result.
    func outcome(
        ofSetting name: String, to value: PropertyValue, ofGroup group: String
    ) -> PropertySetting.Outcome {
        guard let id = snapshot.clocks.id(named: group), let property = properties.ofGroup[name] else {
            return .refused(.propertyNotFound)
        }
        let given = PropertySetting(report: self, value: value, path: name, tile: nil, scope: .group)
        return given.outcome(property.spec, property.set.map { set in { set($0, id) } })
    }
}
