import Base
import Commands
import Feeds

/// A property of a wall, a group or a tile, with the functions that read and set it.
struct Property<Getter: Sendable, Setter: Sendable>: Sendable {
    let spec: PropertySpec
    let get: Getter
    /// nil if the property can only be read.
    let set: Setter?
    /// Returns the reason why the property has no value; nil for the usual reason.
    let reasonWithoutValue: (@Sendable (PropertyReport) -> String)?

    /// A property that can only be read.
    init(
        _ name: String, _ scope: PropertySpec.Scope, _ help: String, idle: PropertySpec.Idle = .unavailable,
        inObjects: PropertySpec.PartInObjects = .whole, get: Getter,
        reasonWithoutValue: (@Sendable (PropertyReport) -> String)? = nil
    ) {
        spec = PropertySpec(name, scope, help, idle: idle, inObjects: inObjects)
        (self.get, set, self.reasonWithoutValue) = (get, nil, reasonWithoutValue)
    }

    /// A property that can be set. `noticed`: true if a notice states a new value. `cycle`: change of `cycle`; nil if
    /// `cycle` sets the value after the present one.
    init(
        _ name: String, _ scope: PropertySpec.Scope, takes: PropertyKind, _ help: String,
        idle: PropertySpec.Idle = .unavailable, inObjects: PropertySpec.PartInObjects = .whole,
        noticed isNoticed: Bool = false, cycle: (@Sendable (_ isUp: Bool) -> Change)? = nil, get: Getter, set: Setter,
        reasonWithoutValue: (@Sendable (PropertyReport) -> String)? = nil
    ) {
        spec = PropertySpec(
            name, scope, takes: takes, help, idle: idle, inObjects: inObjects, noticed: isNoticed, cycle: cycle)
        (self.get, self.set, self.reasonWithoutValue) = (get, set, reasonWithoutValue)
    }
}

typealias WallProperty = Property<
    @Sendable (PropertyReport) -> PropertyValue, @Sendable (PropertySetting) -> PropertySetting.Outcome
>
typealias GroupProperty = Property<
    @Sendable (PropertyReport, GroupID) -> PropertyValue,
    @Sendable (PropertySetting, GroupID) -> PropertySetting.Outcome
>
/// The getter returns nil if the property is not available.
typealias TileProperty = Property<
    @Sendable (PropertyReport, TileID) -> PropertyValue?, @Sendable (PropertySetting) -> PropertySetting.Outcome
>

extension Property {
    /// Properties of one kind of owner, in the order in which they are declared.
    struct List: Sendable {
        let all: [Property]
        private let byName: [String: Property]

        init(_ all: [Property]) {
            self.all = all
            byName = Dictionary(uniqueKeysWithValues: all.map { ($0.spec.name, $0) })
        }

        subscript(name: String) -> Property? { byName[name] }
        var names: [String] { all.map(\.spec.name) }
        var specs: [PropertySpec] { all.map(\.spec) }
    }
}
