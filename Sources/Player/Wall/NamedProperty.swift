import Base
import Commands
import Feeds

/// A property that a change names, and its owner.
struct NamedProperty {
    let report: WallReport
    /// Tiles that the change moves.
    let scope: Change.Scope
    /// The property's name, or a path into its parts.
    private(set) var name: String
    private(set) var owner = Properties.Owner.wall
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
        case .tile(let named): owner = .tile(named)
        case .inHand(let held) where report.properties.ofWall[path] == nil: owner = .tile(held)
        default:
            let parts = path.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 3, ["tiles", "groups"].contains(parts[0]) else { return }
            guard let named = report.owner(parts[0], named: parts[1]) else { return nil }
            (name, owner) = (parts[2], named)
        }
    }

    /// Returns the change of the wall that `step` stands for.
    func outcome(of step: Change.PropertyChange) -> Outcome {
        if case .set(let value) = step { return set(value) }
        if case .cycle(let isUp) = step, let change = found?.spec.cycle?(isUp) { return .change(change.scoped(scope)) }
        let present: PropertyValue
        do { present = try read(report).get() } catch { return .refused(error) }
        let value: PropertyValue? =
            switch step {
            case .set(let value): value
            case .add(let amount): present.asNumber.map { finite($0 + amount) }
            case .multiply(let factor): present.asNumber.map { finite($0 * factor) }
            case .cycle(let isUp): next(after: present, isUp)
            case .cycleValues(let values, let isUp): next(in: values, after: present, isUp)
            }
        return value.map(set) ?? .refused(.propertyError)
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

    private func next(after present: PropertyValue, _ isUp: Bool) -> PropertyValue? {
        switch (found?.spec.takes, present) {
        case (.count?, _): present == .flag(false) ? .text("inf") : .flag(false)
        case (.oneOf(let values)?, _): next(in: values, after: present, isUp)
        case (_, .flag(let flag)): .flag(!flag)
        default: present.asNumber.map { finite($0 + (isUp ? 1 : -1)) }
        }
    }

    /// Returns the notice of the value in `report`; nil if something else on the screen states it.
    func notice(in report: WallReport) -> String? {
        guard let spec = found?.spec, spec.isNoticed, case .success(let value) = read(report) else { return nil }
        let text = "\(spec.name) \(value.readableText)"
        guard spec.scope == .tile, let tile = owner.tile ?? report.snapshot.focus else { return text }
        return "\(report.snapshot.tiles[tile].name): \(text)"
    }

    /// The declaration of the property; nil if there is none of this name.
    private var found: (spec: PropertySpec, set: TileProperty.Setter?)? {
        report.properties.declaration(report.properties.name(of: name), of: owner)
    }

    func read(_ report: WallReport) -> WallReport.Reading {
        report.value(at: name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)[...], owner)
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

    // MARK: values that setters read: the tile or group that is set, and its state

    /// The tile that is meant; nil without a focused tile, or if the tile is gone.
    var reader: PropertyReader<TileID>? {
        (owner.tile ?? report.snapshot.focus).flatMap {
            report.snapshot.tiles.contains($0) ? PropertyReader(report: report, owner: $0) : nil
        }
    }

    /// Returns the change for a value that `read` can read. Refuses the value if `change` returns nil.
    func change<Value>(_ read: (PropertyValue) -> Value?, _ change: (Value) -> Change?) -> Outcome {
        guard let wanted = read(value) else { return .refused(value.refusal) }
        return change(wanted).map { .change($0) } ?? .refused(.propertyError)
    }

    /// Returns the change that chooses a track by its number, from 1, or none for the value `no`. Refuses a number that
    /// the tile's item does not have. `automatic`: the change for the value `auto`. `count`: returns the number of its
    /// tracks; nil while unknown. `kind`: "sound" or "subtitle".
    func track(
        _ kind: String, automatic: Change, among count: (PropertyReader<TileID>) -> Int?, _ choose: (Int?) -> Change
    ) -> Outcome {
        if value.asFlag == false { return .change(choose(nil)) }
        if value.asText == "auto" { return .change(automatic) }
        guard let number = value.asInteger else { return .refused(value.refusal) }
        guard number > 0 else { return .refused(.propertyError) }
        guard let reader, let count = count(reader), number > count else { return .change(choose(number)) }
        let tracks = count == 0 ? "none" : "\(count) \(kind) track\(count == 1 ? "" : "s")"
        let reason = "there is no \(kind) track \(number); \(reader.tile.name) has \(tracks)"
        return .refused(ControlError(.propertyUnavailable, because: reason))
    }
}
