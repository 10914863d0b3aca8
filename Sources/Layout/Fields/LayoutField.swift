import Base

/// A field of an object in a layout: its key, its help, and where its value goes.
///
/// Each field is declared once, in the `fields` of the type that keeps its value. The keys that messages list, the
/// reader, the difference between two layouts, the text that layout-save writes, and the JSON Schema are made from the
/// declarations.
struct LayoutField<Object: Sendable>: Sendable {
    let spec: FieldSpec
    /// Reads a value into an object. A wrong value is noted and leaves the object as it is. nil if the reader of the
    /// object reads the field together with others.
    let read: (@Sendable (LayoutNode, SourceBase, inout Object) -> Void)?
    /// Properties of the value in changes of a layout; nil if no property keeps the value.
    let change: FieldChange<Object>?

    /// A field whose value goes into a property. `usual`: value without the field; nil if it is that of a new object.
    /// `required`: the value that would be right if the field is missing; nil if it may be missing.
    init<Value: Equatable & Sendable>(
        _ key: String, _ kind: FieldKind<Value>, _ property: WritableKeyPath<Object, Value> & Sendable,
        _ help: String? = nil, default usual: Value? = nil, required: String? = nil,
        byHand: ByHand<Value> = .replaced, saved: SavedFrom = .nothing, changes: TileEdit.Changes = [],
        comparing isSame: @escaping @Sendable (Value, Value) -> Bool = { $0 == $1 }
    ) where Object: FieldOwner {
        let written = kind.write(usual ?? Object.initial[keyPath: property])
        spec = FieldSpec(key, kind.schema, help, default: written, required: required)
        if let readValue = kind.read {
            read = { node, base, object in
                if let value = readValue(node, base) { object[keyPath: property] = value }
            }
        } else {
            read = nil
        }
        change = FieldChange(
            of: property, byHand, saved, written: kind.write, usual: written, effect: changes, comparing: isSame)
    }

    /// A field whose value goes into a property that is nil without it. `usual`: the value that holds then; nil if it
    /// depends on others, or if there is none.
    init<Value: Equatable & Sendable>(
        _ key: String, _ kind: FieldKind<Value>, _ property: WritableKeyPath<Object, Value?> & Sendable,
        _ help: String? = nil, default usual: Value? = nil, required: String? = nil, saved: SavedFrom = .nothing
    ) where Object: FieldOwner {
        self.init(
            key, kind.optional, property, help, default: usual.map { .some($0) }, required: required, saved: saved)
    }

    /// A field that the reader of the object reads together with others.
    init(
        _ key: String, _ schema: JSONSchema, _ help: String? = nil, default usual: PropertyValue? = nil,
        required: String? = nil
    ) {
        spec = FieldSpec(key, schema, help, default: usual.map { JSONWriter.bytes(of: $0) }, required: required)
        (read, change) = (nil, nil)
    }
}

/// A field in changes of a layout: by another layout, by hand, or by command-line options.
struct FieldChange<Object: Sendable>: Sendable {
    let isSame: @Sendable (Object, Object) -> Bool
    /// Merges the value of the present object into the next one, which replaces `old`. nil if the next one holds.
    let merge: (@Sendable (_ next: inout Object, _ present: Object, _ old: Object) -> Void)?
    let saved: SavedFrom
    /// Returns the value as JSON text; nil if the object does not state it.
    let written: @Sendable (Object) -> [UInt8]?
    /// Value without the field, as JSON text.
    let usual: [UInt8]?
    let effect: TileEdit.Changes

    fileprivate init<Value: Equatable & Sendable>(
        of property: WritableKeyPath<Object, Value> & Sendable, _ byHand: ByHand<Value>, _ saved: SavedFrom,
        written: @escaping @Sendable (Value) -> [UInt8]?, usual: [UInt8]?, effect: TileEdit.Changes,
        comparing isSame: @escaping @Sendable (Value, Value) -> Bool
    ) {
        self.isSame = { isSame($0[keyPath: property], $1[keyPath: property]) }
        self.written = { written($0[keyPath: property]) }
        (self.saved, self.usual, self.effect) = (saved, usual, effect)
        switch byHand {
        case .replaced: merge = nil
        case .kept:
            merge = { next, present, old in
                if old[keyPath: property] == next[keyPath: property] {
                    next[keyPath: property] = present[keyPath: property]
                }
            }
        case .merged(let merged):
            merge = { next, present, old in
                next[keyPath: property] = merged(
                    present[keyPath: property], next[keyPath: property], old[keyPath: property])
            }
        }
    }
}

/// Result for a value that was changed by hand if another layout is loaded.
enum ByHand<Value: Equatable & Sendable>: Sendable {
    /// The value of the new layout holds.
    case replaced
    /// The value stays unless the new layout and the one before differ in it.
    case kept
    case merged(@Sendable (_ present: Value, _ new: Value, _ old: Value) -> Value)
}

/// Changes that layout-save writes into a layout's text.
struct SavedFrom: OptionSet, Sendable {
    let rawValue: UInt8
    static let nothing: SavedFrom = []
    static let hand = SavedFrom(rawValue: 1)
    static let options = SavedFrom(rawValue: 2)
}

/// A type that keeps the values of fields.
protocol FieldOwner: Sendable {
    static var fields: FieldTable<Self> { get }
    /// The object without any field.
    static var initial: Self { get }
}

extension FieldOwner {
    /// Returns this object, which plays, after `new` replaced `old` in the loaded layout.
    func merging(_ new: Self, over old: Self) -> Self {
        var next = new
        for merge in Self.fields.merges { merge(&next, self, old) }
        return next
    }
}

/// The fields of one type, in the order in which messages list them.
struct FieldTable<Object: Sendable>: Sendable {
    let all: [LayoutField<Object>]
    let specs: [FieldSpec]
    let keys: [String]
    /// Keys that must not be missing.
    let required: [FieldSpec]
    fileprivate let merges: [@Sendable (inout Object, Object, Object) -> Void]
    /// Fields that layout-save writes, in the order in which they are added to a text.
    let saved: [(key: String, change: FieldChange<Object>)]
    /// Fields that change the playback.
    let effects: [FieldChange<Object>]
    private let places: [String: Int]

    /// `addedFirst`: keys that layout-save adds before the others.
    init(_ all: [LayoutField<Object>], addedFirst: [String] = []) {
        self.all = all
        specs = all.map(\.spec)
        keys = specs.map(\.key)
        required = specs.filter { $0.required != nil }
        let changes = all.compactMap { field in field.change.map { (key: field.spec.key, change: $0) } }
        merges = changes.compactMap(\.change.merge)
        let saved = changes.filter { $0.change.saved != .nothing }
        self.saved =
            addedFirst.compactMap { key in saved.first { $0.key == key } }
            + saved.filter { !addedFirst.contains($0.key) }
        effects = changes.map(\.change).filter { !$0.effect.isEmpty }
        places = Dictionary(uniqueKeysWithValues: keys.enumerated().map { ($1, $0) })
    }

    subscript(key: String) -> LayoutField<Object>? { places[key].map { all[$0] } }
}

extension LayoutFields {
    /// Reads the fields that a property of the object keeps, and notes those that are required and missing.
    func read<Object: FieldOwner>(into object: inout Object, _ base: SourceBase) {
        let table = Object.fields
        for key in keys {
            if let read = table[key]?.read, let node = self[key] { read(node, base, &object) }
        }
        for spec in table.required where !has(spec.key) {
            drop(spec.key, right: "\(spec.required ?? "") would be right")
        }
    }
}
