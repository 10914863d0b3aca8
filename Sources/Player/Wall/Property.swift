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

/// The properties of a wall, its tiles and its groups: those that this folder declares, and those of the features.
/// Names, values, error messages and the objects `tiles`, `groups` and `wall` follow from the declarations.
public struct Properties: Sendable {
    let ofWall: WallProperty.List
    let ofTile: TileProperty.List
    let ofGroup: GroupProperty.List
    /// Properties in the object of a tile, the id first.
    let inObjectOfTile: [TileProperty]
    /// Names that need no tile and no group before them, sorted.
    public let names: [String]

    init(of features: [any Feature]) {
        ofWall = WallProperty.List(Self.wall + features.flatMap { type(of: $0).wallProperties })
        ofTile = TileProperty.List(Self.focused + features.flatMap { type(of: $0).tileProperties } + Self.named)
        let inObject = ofTile.all.filter { $0.spec.inObjects != .absent }
        inObjectOfTile = inObject.filter { $0.spec.name == "id" } + inObject.filter { $0.spec.name != "id" }
        ofGroup = GroupProperty.List(Self.group)
        names = (ofWall.names + ofTile.specs.filter { $0.scope == .tile }.map(\.name)).sorted()
    }

    /// Properties of a tile that mpv has, too. The objects of `tiles` have them in this order.
    private static let focused = [time, item, sequence, sound, loops, motion, nowPlaying, frames, settings].flatMap {
        $0
    }

    public var specs: [PropertySpec] { ofTile.specs + ofGroup.specs + ofWall.specs }

    /// Owner of a property.
    enum Owner {
        /// The wall, or the focused tile.
        case wall
        case tile(TileID)
        case group(GroupID)

        /// The tile that is named; nil if none is.
        var tile: TileID? { if case .tile(let tile) = self { tile } else { nil } }
    }

    /// Returns a property of a tile: of the focused one if the owner is the wall.
    func tileProperty(_ name: String, of owner: Owner) -> TileProperty? {
        ofTile[name].flatMap { owner.tile != nil || $0.spec.scope == .tile ? $0 : nil }
    }

    /// Returns the declaration of a property and its setter; nil if the owner has no property of this name.
    func declaration(_ name: String, of owner: Owner) -> (spec: PropertySpec, set: TileProperty.Setter?)? {
        switch owner {
        case .wall: ofWall[name].map { ($0.spec, $0.set) } ?? tileProperty(name, of: owner).map { ($0.spec, $0.set) }
        case .tile: ofTile[name].map { ($0.spec, $0.set) }
        case .group: ofGroup[name].map { ($0.spec, $0.set) }
        }
    }

    /// Returns the name of the property that `path` sets: `path` itself, or `stems` for stems/NAME/volume.
    func name(of path: String) -> String {
        let first = String(path.prefix { $0 != "/" })
        return if case .parts? = ofTile[first]?.spec.takes { first } else { path }
    }

    // MARK: error messages

    /// Returns why a property could not be set. `path`: name of a property of the wall, of a group or of a tile, or a
    /// path into its parts.
    func refusal(of path: String) -> String {
        let name = name(of: path), named = specs.filter { $0.name == name }
        guard let spec = named.first(where: \.isSettable) ?? named.first else { return PropertySpec.readOnly(path) }
        if name == path { return spec.refusal }
        return spec.takes?.part(at: path).map { "\(path) takes \($0.words)" } ?? PropertySpec.readOnly(path)
    }

    /// Returns the message that `owner` has no property `name`: with the owner that has one of this name, or with the
    /// name that was probably meant. `others`: names of properties beside those of the wall.
    func notFound(_ name: String, of owner: Owner, among others: [String]) -> String {
        let isOfWall = ofWall[name] != nil || others.contains(name), (words, known): (String, [String])
        switch owner {
        case .wall:
            (words, known) = ("the wall", (names + others).sorted())
            if ofTile[name] != nil { return "\(words) has no property \(name.quoted); tiles/ID/\(name) is one" }
        case .tile:
            (words, known) = ("a tile", ofTile.names)
            if isOfWall { return "\(name) is a property of the wall, not of a tile" }
        case .group:
            (words, known) = ("a group", ofGroup.names)
            if isOfWall { return "\(name) is a property of the wall, not of a group" }
            if ofTile[name] != nil { return "\(name) is a property of a tile, not of a group" }
        }
        let near = nearest(to: name, among: known).map { "; did you mean \($0.quoted)?" }
        return "\(words) has no property \(name.quoted)\(near ?? "; the property property-list names them")"
    }
}
