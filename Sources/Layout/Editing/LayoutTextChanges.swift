import Base

/// Changes to be written into a layout's text. A value that is not among them stays unchanged.
public struct LayoutTextChanges: Sendable, Equatable {
    var layout = FieldChanges()
    var window = FieldChanges()
    var audio = FieldChanges()
    /// Id of the tile that has the focus: `tile1` and the like for a tile without an id.
    public var focus: String?
    /// By name.
    var groups: [String: FieldChanges] = [:]
    /// By index of the tile in the file's list.
    public var tiles: [Int: TileChange] = [:]

    public init() {}

    /// Changes of the wall's sound by hand.
    public init(from before: AudioLayout, to after: AudioLayout) { audio = FieldChanges(from: before, to: after) }

    /// Notes the comparison that covers the wall, if it is another than that of `given`.
    public mutating func set(overlaid: ComparisonLayout?, from given: Layout) {
        var changed = given
        changed.overlaid = overlaid
        layout = layout.merging(FieldChanges(from: given, to: changed))
    }

    /// Changes of a group by hand.
    public mutating func set(_ changed: GroupLayout, from group: GroupLayout) {
        let changes = FieldChanges(from: group, to: changed)
        if !changes.isEmpty { groups[group.name] = changes }
    }

    /// All values of a layout that command-line options can set. Values that differ from the layout's text are written
    /// into it.
    public init(of asked: Layout) {
        layout = FieldChanges(ofOptions: asked)
        window = FieldChanges(ofOptions: asked.window)
        audio = FieldChanges(ofOptions: asked.audio)
        if asked.tiles.indices.contains(asked.audio.focus) { focus = asked.tiles[asked.audio.focus].id }
        for group in asked.groups { groups[group.name] = FieldChanges(ofOptions: group) }
        for (place, tile) in asked.tiles.enumerated() {
            tiles[place] = TileChange(fields: FieldChanges(ofOptions: tile))
        }
    }

    /// Merges with `other`, the changes that a user made by hand. Where both change a value, `other` wins.
    public func merging(_ other: LayoutTextChanges) -> LayoutTextChanges {
        var both = self
        both.layout = layout.merging(other.layout)
        both.window = window.merging(other.window)
        both.audio = audio.merging(other.audio)
        both.focus = other.focus ?? focus
        both.groups.merge(other.groups) { $0.merging($1) }
        both.tiles.merge(other.tiles) { $0.merging($1) }
        return both
    }

    public struct TileChange: Sendable, Equatable {
        var fields = FieldChanges()
        /// Changes of the way of comparing, if the tile compares.
        var comparison = FieldChanges()
        /// Changes of the compared sources, by index.
        var compared: [Int: FieldChanges] = [:]
        var stems: [StemPlace: FieldChanges] = [:]
        /// Changes of items, by index.
        var items: [Int: FieldChanges] = [:]
        /// Number of the items that the indices count. A text with another number has folders, whose items can't be
        /// changed singly.
        var itemCount = 0

        /// Indices of an item in the tile's sequence and of a stem in the item.
        struct StemPlace: Hashable {
            var item: Int
            var stem: Int
        }

        public init() {}
        init(fields: FieldChanges) { self.fields = fields }

        /// Changes of a tile by hand. Items and stems are compared if the tile still plays the items of its layout.
        /// `folder`: the folder of relative paths. Sound with a take is written with absolute paths.
        public init(from before: TileLayout, to after: TileLayout, in folder: String) {
            fields = FieldChanges(from: before, to: after)
            if let old = before.compare, let new = after.compare { comparison = FieldChanges(from: old, to: new) }
            guard before.play.count == after.play.count else { return }
            for (item, (old, new)) in zip(before.play, after.play).enumerated() where old.sequenced == new.sequenced {
                var change = FieldChanges(from: old, to: new)
                let hasTake = new.audio.stems.contains { stem in
                    stem.isTake && !old.audio.stems.contains { $0.source == stem.source }
                }
                if hasTake { change = change.merging(FieldChanges(of: new.withAbsoluteStems(in: folder), ["audio"])) }
                if !change.isEmpty { (items[item], itemCount) = (change, before.play.count) }
                // All stems are written together with a take.
                if hasTake { continue }
                for (stem, (old, new)) in zip(old.audio.stems, new.audio.stems).enumerated() where old.name == new.name
                {
                    let change = FieldChanges(from: old, to: new)
                    if !change.isEmpty { stems[StemPlace(item: item, stem: stem)] = change }
                }
            }
        }

        public var isEmpty: Bool { self == TileChange() }

        /// Sets how far the tile is ahead of its group's clock.
        public mutating func setOffset(_ offset: Time) {
            var moved = TileLayout.initial
            moved.offset = offset
            fields = fields.merging(FieldChanges(of: moved, ["offset"]))
        }

        /// Sets how far a compared source is ahead, without the offset of the tile.
        public mutating func setOffset(_ offset: Time, ofCompared place: Int) {
            compared[place] = FieldChanges(of: ComparedOffset(offset: offset), ["offset"])
        }

        /// Returns both changes. If both set a value, the value of `other` is taken.
        public func merging(_ other: TileChange) -> TileChange {
            var both = TileChange(fields: fields.merging(other.fields))
            both.comparison = comparison.merging(other.comparison)
            both.compared = compared.merging(other.compared) { $0.merging($1) }
            both.stems = stems.merging(other.stems) { $0.merging($1) }
            both.items = items.merging(other.items) { $0.merging($1) }
            both.itemCount = max(itemCount, other.itemCount)
            return both
        }
    }
}

extension Item {
    /// The item with absolute paths of its stems. `folder`: the folder of relative paths; empty if there is none.
    fileprivate func withAbsoluteStems(in folder: String) -> Item {
        guard case .stems(var stems) = look.audio, !folder.isEmpty else { return self }
        for place in stems.files.indices {
            guard let path = SourceName.path(of: stems.files[place].source), !path.hasPrefix("/") else { continue }
            stems.files[place].source = folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
        }
        var item = self
        item.look.audio = .stems(stems)
        return item
    }
}

/// Values that fields of one object get in a layout's text, as JSON text, by key.
typealias FieldChanges = [String: [UInt8]]

extension FieldChanges {
    /// Changes by hand from one object to the other.
    init<Object: FieldOwner>(from before: Object, to after: Object) {
        self.init(of: after) { $0.saved.contains(.hand) && !$0.isSame(before, after) }
    }

    /// Values that the object states and that command-line options can set.
    init<Object: FieldOwner>(ofOptions object: Object) { self.init(of: object) { $0.saved.contains(.options) } }

    /// Values of these fields.
    init<Object: FieldOwner>(of object: Object, _ keys: [String]) { self.init(of: object) { keys.contains($0.key) } }

    private init<Object: FieldOwner>(of object: Object, where isMeant: (LayoutField<Object>) -> Bool) {
        self.init()
        for field in Object.fields.saved where isMeant(field) { self[field.key] = field.written(object) }
    }

    /// Returns both changes. If both set a value, the value of `other` is taken.
    func merging(_ other: FieldChanges) -> FieldChanges { merging(other) { $1 } }

    /// Returns the members whose values differ from those of `loaded`.
    func members<Object: FieldOwner>(for loaded: Object) -> [NewMember] {
        if isEmpty { return [] }
        return Object.fields.saved.compactMap { field in
            guard let value = self[field.key], value != field.written(loaded) ?? field.spec.usual else { return nil }
            return NewMember(field.key, bytes: value)
        }
    }
}
