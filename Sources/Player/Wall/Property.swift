import Base
import Commands
import Feeds
import Layout

/// A property of a wall, a group or a tile, with the functions that read and set it. `Owner`: `TileID` or `GroupID`; Void
/// for the wall.
struct Property<Owner: Sendable>: Sendable {
    /// Returns nil if the property is not available.
    typealias Getter = @Sendable (PropertyReader<Owner>) -> PropertyValue?
    typealias Setter = @Sendable (NamedProperty) -> NamedProperty.Outcome

    let spec: PropertySpec
    let get: Getter
    /// nil if the property can only be read.
    let set: Setter?
    /// Returns the reason why the property has no value; nil for the usual reason.
    let reasonWithoutValue: (@Sendable (WallReport) -> String)?

    /// `noticed`: true if a notice states a new value. `cycle`: change of `cycle`; nil if `cycle` sets the value after the
    /// present one.
    init(
        _ name: String, _ scope: PropertySpec.Scope, takes: PropertyKind? = nil, _ help: String,
        idle: PropertySpec.Idle = .unavailable, inObjects: PropertySpec.PartInObjects = .whole,
        noticed isNoticed: Bool = false, cycle: (@Sendable (_ isUp: Bool) -> Change)? = nil, get: @escaping Getter,
        set: Setter? = nil, reasonWithoutValue: (@Sendable (WallReport) -> String)? = nil
    ) {
        spec = PropertySpec(
            name, scope, takes: takes, help, idle: idle, inObjects: inObjects, noticed: isNoticed, cycle: cycle)
        (self.get, self.set, self.reasonWithoutValue) = (get, set, reasonWithoutValue)
    }

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

typealias WallProperty = Property<Void>
typealias GroupProperty = Property<GroupID>
typealias TileProperty = Property<TileID>

/// An owner of properties at one instant, as getters read it.
struct PropertyReader<Owner> {
    let report: WallReport
    let owner: Owner

    var snapshot: Snapshot { report.snapshot }
    var features: Features { report.features }

    func isPaused(_ group: GroupID) -> PropertyValue { .flag(snapshot.clocks.motionWanted(of: group) == .paused) }
    func rate(of group: GroupID) -> PropertyValue { .number(snapshot.clocks[group].clock.rate.value) }
}

extension PropertyReader<TileID> {
    var tile: Tile { snapshot.tiles[owner] }
    var feed: Feed { snapshot.feed(of: owner) }
    var group: Group { snapshot.clocks[feed.group] }
    var health: Health { feed.screen.health }
    /// The tile that plays for this one.
    var playing: PropertyReader { PropertyReader(report: report, owner: snapshot.tiles.playingTile(for: owner)) }
    var presentItem: ItemPlace? { snapshot.tileFeeds.presentItem(of: owner) }
    /// The item that the tile plays, in its sequence or on top of it.
    var item: Item? { presentItem.flatMap { tile.item(at: $0) } }
}
