import Base

/// The kinds of objects in a layout. The names in `groups` are free, so `groups` is not among them.
enum LayoutObject: String, CaseIterable {
    case layout, window, overflow, grid, group, audio, bed, scheduleEntry, breakEntry, tile, comparison, item,
        comparedItem, segment, itemAudio, stem, transition, lyrics, toneMapping

    /// Fields that the object may have, in the order in which messages list them.
    var fields: [FieldSpec] { declared.fields }

    var keys: [String] { fields.map(\.key) }

    /// Name in messages.
    var name: String { declared.name }

    /// Description in the JSON Schema.
    var help: String { declared.help }

    private var declared: (name: String, help: String, fields: [FieldSpec]) {
        switch self {
        case .layout:
            (
                "the layout itself",
                """
                One window, many videos. Relative paths begin at the layout file's directory; URLs are taken as they \
                are. Unknown keys are mistakes, except $schema and keys that begin with x-. The keys outputs and \
                include are kept for later and are refused.
                """, Layout.fields.specs
            )
        case .window: ("\"window\"", "The window.", WindowLayout.fields.specs)
        case .overflow: ("\"overflow\"", "Turns of a given length.", OverflowTurns.fields.specs)
        case .grid:
            (
                "\"grid\"", "The grid in which tiles are placed. Gap and margin must leave room for the cells.",
                StatedGrid.fields.specs
            )
        case .group: ("a group", "Tiles that share one clock.", GroupLayout.fields.specs)
        case .audio: ("the layout's \"audio\"", "The sound of the wall.", AudioLayout.fields.specs)
        case .bed: ("\"audio.bed\"", "A looped sound under all other sound.", AudioLayout.Bed.fields.specs)
        case .scheduleEntry:
            (
                "an entry of \"schedule\"",
                """
                Another layout, or none, at certain times. Times are local. An entry over midnight belongs to the day \
                on which it begins.
                """, Schedule.Entry.fields.specs
            )
        case .breakEntry:
            (
                "a break",
                """
                Items that are played between two others. The break comes by the first of every, at, after-items and \
                the command break.
                """, BreakLayout.fields.specs
            )
        case .tile: ("a tile", "A rectangle of the wall.", Self.fieldsOfTile)
        case .comparison:
            (
                "the layout's \"compare\"", "A comparison of two tiles that covers the wall, as by the key c.",
                ComparisonReader.specsOfWall
            )
        case .item: ("an item of \"play\"", "An entry of a sequence. It has a src, or segments.", Item.fields.specs)
        case .comparedItem: ("an item of \"compare\"", "An item that a tile compares.", Self.fieldsOfComparedItem)
        case .segment: ("a segment", "A part of a source.", Item.Segment.fields.specs)
        case .itemAudio: ("an item's \"audio\"", "The sound of an item.", ItemAudio.OtherSound.fields.specs)
        case .stem:
            (
                "a stem", "One of the sound files that are heard together with a video.", ItemAudio.Stem.fields.specs
            )
        case .transition: ("a transition", "How one item follows another.", FadeLayout.fields.specs)
        case .lyrics: ("an item's \"lyrics\"", "Words over a video.", LyricsLayout.fields.specs)
        case .toneMapping:
            (
                "\"tone-mapping\"",
                "How frames of HDR and of a wide gamut are shown on a display of SDR. The gamut is mapped to BT.709's.",
                StatedToneMapping.fields.specs
            )
        }
    }

    private static let fieldsOfTile = TileLayout.fields.specs + ComparisonLayout.fields.specs
    private static let fieldsOfComparedItem = Item.fieldsOfCompared + ComparedOffset.fields.specs

    /// Names of the objects that have a key, by key.
    private static let homes = allCases.reduce(into: [String: [String]]()) { homes, object in
        // Items of `compare` have the keys of items of `play`, and the layout's `compare` those of a tile.
        for key in object.keys where object != .comparedItem && object != .comparison {
            homes[key, default: []].append(object.name)
        }
    }

    /// Keys that users may expect under another name, and what would be right instead.
    private static let otherNames: [(object: LayoutObject, keys: Set<String>, right: String)] = [
        (.layout, ["column", "row"], "\"columns\" and \"rows\" in \"grid\""),
        (.layout, ["width", "height"], "\"window\": {\"size\": [width, height]}"),
        (
            .tile, ["column", "row", "columns", "rows"],
            "\"cell\": [column, row], or \"columns\" in the layout's \"grid\","
        ),
        (.tile, ["x", "y", "width", "height", "position", "size"], "\"rect\": [x, y, w, h]"),
        (.tile, ["src", "source", "file", "path", "url", "video"], "\"play\""),
        (.tile, ["title", "name"], "\"id\", or \"label\" for a text on the tile,"),
        (.item, ["source", "file", "path", "url", "play"], "\"src\""),
        (.item, ["start", "end"], "\"in\" or \"out\""), (.item, ["speed"], "\"rate\""),
    ]

    /// Returns the message for a key that this object does not have.
    func complaint(about key: String) -> String {
        if let other = LayoutObject.otherNames.first(where: { $0.object == self && $0.keys.contains(key) }) {
            return "no such key; \(other.right) would be right"
        }
        if let homes = LayoutObject.homes[key] {
            return "not allowed here; it belongs to \(alternatives(homes)), not to \(name)"
        }
        if let near = nearest(to: key, among: keys) { return "no such key; did you mean \(near.quoted)?" }
        return "no such key; \(name) may have \(alternatives(keys.map(\.quoted)))"
    }
}

extension LayoutNode {
    /// Returns the members of an object, with keys checked against those of `object`.
    func fields(of object: LayoutObject, right: String? = nil) -> LayoutFields? {
        guard case .object(let members) = value.content else {
            return refused(right: right ?? "an object with \(alternatives(object.keys.map(\.quoted))) would be right")
        }
        let known = object.fields
        return LayoutFields(
            node: self, members, if: { key in known.contains { $0.key == key } }, else: object.complaint)
    }
}

extension JSONSchema {
    static func object(_ object: LayoutObject) -> JSONSchema { reference(object.rawValue) }
}

extension FieldKind where Value: FieldOwner {
    /// An object whose fields its type declares. `isWritten`: true if layout-save writes it, unless it is the usual one.
    static func object(_ object: LayoutObject, isWritten: Bool = false) -> FieldKind {
        FieldKind(
            .object(object), read: { $0.fields(of: object)?.object() },
            write: { value in
                let members = isWritten ? Value.fields.changed(value) : []
                return members.isEmpty ? nil : .object(members)
            })
    }
}
