import Base

/// Changes to be written into a layout's text. A value that is not among them stays unchanged.
public struct LayoutTextChanges: Sendable, Equatable {
    /// Values that objects of the layout get. No object has an empty list of them.
    var fields: [Place: FieldChanges] = [:]
    /// Id of the tile that has the focus: `tile1` and the like for a tile without an id.
    public var focus: String?

    /// An object of a layout, in the order in which missing members are added to a text.
    enum Place: Hashable, Comparable {
        /// A tile or a part of it, by the tile's index in the file's list.
        case tile(Int, Part = .itself)
        case window, layout, group(String), audio
    }

    /// A part of a tile that has fields of its own. Numbers are indices in the layout's lists.
    enum Part: Hashable, Comparable {
        /// Its own fields, and those of the way of comparing.
        case itself
        /// `count`: number of the items that the index counts. A text with another number has folders, whose items
        /// can't be changed singly.
        case item(Int, count: Int)
        case stem(Int, ofItem: Int)
        /// A source that the tile compares.
        case compared(Int)
    }

    public init() {}

    /// Changes by hand from one layout to the other. Items and stems are compared if a tile still plays the items of
    /// its layout. `after` may have tiles that play compared sources. `folder`: the folder of relative paths; empty if
    /// there is none. Sound with a take is written with absolute paths.
    public init(from before: Layout, to after: Layout, in folder: String = "") {
        note(.layout, before, after)
        note(.audio, before.audio, after.audio)
        if before.focusName != after.focusName { focus = after.focusName }
        for (old, new) in zip(before.groups, after.groups) { note(.group(old.name), old, new) }
        let present = Dictionary(uniqueKeysWithValues: after.tiles.map { ($0.id, $0) })
        for (place, old) in before.tiles.enumerated() {
            guard let new = present[old.id] else { continue }
            note(.tile(place), old, new)
            if let old = old.compare, let new = new.compare { note(.tile(place), old, new) }
            for (source, player) in old.memberTilesByPlace {
                guard let present = present[player.id] else { continue }
                // The tile's own offset is added to that of each member.
                let offsets = [player, present].map { ComparedOffset(offset: $0.offset - old.offset) }
                note(.tile(place, .compared(source)), offsets[0], offsets[1])
            }
            if old.play.count == new.play.count { noteItems(ofTile: place, old.play, new.play, in: folder) }
        }
    }

    private mutating func noteItems(ofTile tile: Int, _ before: [Item], _ after: [Item], in folder: String) {
        for (item, (old, new)) in zip(before, after).enumerated() where old.sequenced == new.sequenced {
            let place = Place.tile(tile, .item(item, count: before.count))
            note(place, old, new)
            let hasTake = new.audio.stems.contains { stem in
                stem.isTake && !old.audio.stems.contains { $0.source == stem.source }
            }
            if hasTake {
                // All stems are written together with a take.
                add(FieldChanges(of: new.withAbsoluteStems(in: folder), ["audio"]), to: place)
                continue
            }
            for (stem, (old, new)) in zip(old.audio.stems, new.audio.stems).enumerated() where old.name == new.name {
                note(.tile(tile, .stem(stem, ofItem: item)), old, new)
            }
        }
    }

    /// Notes the changes by hand from one object to the other.
    private mutating func note<Object: FieldOwner>(_ place: Place, _ before: Object, _ after: Object) {
        add(FieldChanges(of: after) { $0.saved.contains(.hand) && !$0.isSame(before, after) }, to: place)
    }

    /// All values of a layout that command-line options can set. Values that differ from the layout's text are written
    /// into it.
    public init(of asked: Layout) {
        addOptions(of: asked, to: .layout)
        addOptions(of: asked.window, to: .window)
        addOptions(of: asked.audio, to: .audio)
        focus = asked.focusName
        for group in asked.groups { addOptions(of: group, to: .group(group.name)) }
        for (place, tile) in asked.tiles.enumerated() { addOptions(of: tile, to: .tile(place)) }
    }

    private mutating func addOptions<Object: FieldOwner>(of object: Object, to place: Place) {
        add(FieldChanges(of: object) { $0.saved.contains(.options) }, to: place)
    }

    /// Sets more values of an object.
    mutating func add(_ values: FieldChanges, to place: Place) {
        if !values.isEmpty { fields[place, default: [:]].merge(values) { $1 } }
    }

    /// Merges with `other`, the changes that a user made by hand. Where both change a value, `other` wins.
    public func merging(_ other: LayoutTextChanges) -> LayoutTextChanges {
        var both = self
        for (place, values) in other.fields { both.add(values, to: place) }
        both.focus = other.focus ?? focus
        return both
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

/// Values that fields of one object get in a layout's text, by key.
typealias FieldChanges = [String: PropertyValue]

extension FieldChanges {
    /// Values of these fields.
    init<Object: FieldOwner>(of object: Object, _ keys: [String]) { self.init(of: object) { keys.contains($0.key) } }

    fileprivate init<Object: FieldOwner>(of object: Object, where isMeant: (LayoutField<Object>) -> Bool) {
        self.init()
        for field in Object.fields.saved where isMeant(field) { self[field.key] = field.written(object) }
    }

    /// Returns the members whose values differ from those of `loaded`.
    func members<Object: FieldOwner>(for loaded: Object) -> [PropertyField] {
        Object.fields.saved.compactMap { field in
            guard let value = self[field.key], value != field.written(loaded) ?? field.spec.usual else { return nil }
            return PropertyField(field.key, value)
        }
    }
}
