import Base
import Commands
import Feeds
import Layout

/// A property that a change names, with its tile or group. Both are nil for the wall or the focused tile.
struct NamedProperty {
    let report: WallReport
    /// Tiles that the change moves.
    let scope: Change.Scope
    /// The property's name, or a path into its parts.
    private(set) var name: String
    private(set) var tile: TileID?
    private(set) var group: GroupID?
    /// The value that a setter gets: its kind is one that the property takes, and it lies within the bounds.
    private(set) var value = PropertyValue.null

    /// Result of a setter.
    enum Outcome {
        /// The change that sets the property; nil if the property has the value already.
        case change(Change?)
        case refused(ControlError)
    }

    /// Returns nil if `path` names a tile or a group that does not exist.
    init?(_ path: String, of target: Target, _ scope: Change.Scope, _ report: WallReport) {
        (self.report, self.scope, name) = (report, scope, path)
        switch target {
        case .tile(let named): tile = named
        case .inHand(let held) where report.properties.ofWall[path] == nil: tile = held
        default: break
        }
        let parts = path.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard tile == nil, parts.count == 3 else { return }
        if parts[0] == "tiles" {
            guard let id = report.snapshot.tiles.id(named: parts[1]) else { return nil }
            (name, tile) = (parts[2], id)
        } else if parts[0] == "groups" {
            guard let id = report.snapshot.clocks.id(named: parts[1]) else { return nil }
            (name, group) = (parts[2], id)
        }
    }

    /// Returns the change of the wall that `step` stands for.
    func outcome(of step: Change.PropertyChange) -> Outcome {
        switch step {
        case .set(let value): return set(value)
        case .cycle(let isUp): if let change = spec?.cycle?(isUp) { return .change(change.scoped(scope)) }
        case .add, .multiply, .cycleValues: break
        }
        let present: PropertyValue
        switch read(report) {
        case .success(let value): present = value
        case .failure(let error): return .refused(error)
        }
        switch step {
        case .set(let value): return set(value)
        case .add(let amount): return present.asNumber.map { set(finite($0 + amount)) } ?? .refused(.propertyError)
        case .multiply(let factor): return present.asNumber.map { set(finite($0 * factor)) } ?? .refused(.propertyError)
        case .cycle(let isUp): return cycle(present, isUp)
        case .cycleValues(let values, let isUp): return set(next(in: values, after: present, isUp))
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

    private func cycle(_ present: PropertyValue, _ isUp: Bool) -> Outcome {
        if case .count? = spec?.takes { return set(present == .flag(false) ? .text("inf") : .flag(false)) }
        if case .oneOf(let values)? = spec?.takes { return set(next(in: values, after: present, isUp)) }
        if case .flag(let flag) = present { return set(.flag(!flag)) }
        return present.asNumber.map { set(finite($0 + (isUp ? 1 : -1))) } ?? .refused(.propertyError)
    }

    /// Returns the notice of the value in `report`; nil if something else on the screen states it.
    func notice(in report: WallReport) -> String? {
        guard let spec, spec.isNoticed, case .success(let value) = read(report) else { return nil }
        let text = "\(spec.name) \(value.readableText)"
        guard spec.scope == .tile, let tile = tile ?? report.snapshot.focus else { return text }
        return "\(report.snapshot.tiles[tile].name): \(text)"
    }

    private var spec: PropertySpec? { found?.spec }

    /// The declaration of the property; nil if there is none of this name.
    private var found: (spec: PropertySpec, set: TileProperty.Setter?)? {
        let properties = report.properties
        if group != nil { return properties.ofGroup[name].map { ($0.spec, $0.set) } }
        if tile == nil, let property = properties.ofWall[name] { return (property.spec, property.set) }
        return properties.tileProperty(properties.name(of: name), of: tile).map { ($0.spec, $0.set) }
    }

    func read(_ report: WallReport) -> WallReport.Reading {
        if let group { return report.property(name, ofGroup: report.snapshot.clocks[group].name) }
        let path = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        return report.property(path[0], of: tile).flatMap { $0.part(at: path.dropFirst()) }
    }

    /// Calls the property's setter with a value that the property takes, and returns its result. Refuses any other value.
    func set(_ value: PropertyValue) -> Outcome {
        guard let found else { return .refused(.propertyNotFound) }
        guard let set = found.set, let takes = found.spec.takes else { return .refused(.propertyError) }
        var given = self
        given.value = value
        if let kind = takes.part(at: name) {
            guard let value = kind.value(for: value) else { return .refused(value.refusal) }
            given.value = value
        }
        return set(given)
    }
}
