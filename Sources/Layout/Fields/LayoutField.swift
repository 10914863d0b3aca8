import Base
import Commands

/// A field of an object in a layout: its key, its help, and where its value goes.
///
/// Each field is declared once, in the `fields` of the type that keeps its value. The keys that messages list, the
/// reader, the difference between two layouts, the text that layout-save writes, and the JSON Schema are made from the
/// declarations.
struct LayoutField<Object: Sendable>: Sendable {
    let spec: FieldSpec
    /// Reads a value into an object. A wrong value is noted and leaves the object as it is.
    let read: @Sendable (LayoutNode, inout Object) -> Void
    let isSame: @Sendable (Object, Object) -> Bool
    /// Merges the value of the present object into the next one, which replaces `old`. nil if the next one holds.
    let merge: (@Sendable (_ next: inout Object, _ present: Object, _ old: Object) -> Void)?
    /// Returns the value as JSON; nil if the object does not state it.
    let written: @Sendable (Object) -> PropertyValue?
    let saved: SavedFrom
    let effect: PlaybackChanges
    /// Help of the property that sets the field by hand; nil if there is none.
    let words: String?

    var key: String { spec.key }
    var setting: FieldSetting<Object>? { words.map { FieldSetting(field: self, help: $0) } }

    /// A field whose value goes into a property.
    ///
    /// - `default`: value without the field; nil if it is that of a new object.
    /// - `required`: the value that would be right if the field is missing; nil if it may be missing.
    /// - `byHand`: result for a value that was changed by hand if another layout is loaded.
    /// - `saved`: changes that layout-save writes.
    /// - `changes`: effect of another value on the playback of a tile. `comparing`: true if two values are the same.
    /// - `asProperty`: help of the property that has the field's key as its name and sets the field by hand; nil if
    ///   there is none. A value that is set so is kept and saved.
    init<Value: Equatable & Sendable>(
        _ key: String, _ kind: FieldKind<Value>, _ path: WritableKeyPath<Object, Value> & Sendable,
        _ help: String? = nil, default usual: Value? = nil, required: String? = nil,
        byHand: ByHand<Value> = .replaced, saved: SavedFrom = .nothing, changes: PlaybackChanges = [],
        comparing isSame: @escaping @Sendable (Value, Value) -> Bool = { $0 == $1 }, asProperty words: String? = nil
    ) where Object: FieldOwner {
        spec = FieldSpec(
            key: key, schema: kind.schema, help: help, usual: kind.write(usual ?? Object.initial[keyPath: path]),
            required: required)
        read = { node, object in if let value = kind.read(node) { object[keyPath: path] = value } }
        self.isSame = { isSame($0[keyPath: path], $1[keyPath: path]) }
        if let merged = (words == nil ? byHand : .kept).merged {
            merge = { next, present, old in
                next[keyPath: path] = merged(present[keyPath: path], next[keyPath: path], old[keyPath: path])
            }
        } else {
            merge = nil
        }
        written = { kind.write($0[keyPath: path]) }
        (self.saved, effect, self.words) = (words == nil ? saved : .hand, changes, words)
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

    /// A field that the reader of the object reads together with others. Nothing is done with it here.
    init(
        _ key: String, _ schema: JSONSchema, _ help: String? = nil, default usual: PropertyValue? = nil,
        required: String? = nil
    ) {
        spec = FieldSpec(key: key, schema: schema, help: help, usual: usual, required: required)
        (read, isSame, merge, written) = ({ _, _ in }, { _, _ in true }, nil, { _ in nil })
        (saved, effect, words) = (.nothing, [], nil)
    }
}

/// Description of a field: its key, its values, and a line of help.
struct FieldSpec: Sendable {
    let key: String
    let schema: JSONSchema
    /// nil if the schema is that of an object, which has a description.
    var help: String?
    /// Value that holds without the field, as JSON; nil if it depends on others, or if there is none.
    var usual: PropertyValue?
    /// The value that would be right if the field is missing; nil if it may be missing.
    var required: String?

    /// The schema of the field, with help and default value.
    var describedSchema: PropertyValue {
        .object((help.map { [PropertyField("description", .text($0))] } ?? []) + valueSchema)
    }

    /// The schema of its value, with the default value.
    var valueSchema: [PropertyField] {
        schema.members + (usual.map { [PropertyField("default", $0)] } ?? [])
    }
}

/// Result for a value that was changed by hand if another layout is loaded.
struct ByHand<Value: Equatable & Sendable>: Sendable {
    /// nil if the value of the new layout holds.
    var merged: (@Sendable (_ present: Value, _ new: Value, _ old: Value) -> Value)?

    static var replaced: ByHand { ByHand() }
    /// The value stays unless the new layout and the one before differ in it.
    static var kept: ByHand { ByHand { present, new, old in new == old ? present : new } }
}

/// Changes that layout-save writes into a layout's text.
struct SavedFrom: OptionSet, Sendable {
    let rawValue: UInt8
    static let nothing: SavedFrom = []
    static let hand = SavedFrom(rawValue: 1)
    static let options = SavedFrom(rawValue: 2)
    /// Sound of an item to which the user has added a take.
    static let take = SavedFrom(rawValue: 4)
}

/// Effect of a tile's field on what the tile plays, if its value changes.
public struct PlaybackChanges: OptionSet, Sendable, Hashable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Items, or their order.
    public static let sequence = PlaybackChanges(rawValue: 1)
    public static let group = PlaybackChanges(rawValue: 2)
    public static let offset = PlaybackChanges(rawValue: 4)
    /// Number of loops, or reaction to a failure.
    public static let following = PlaybackChanges(rawValue: 8)
    /// Settings for decoding: its frames are decoded again.
    public static let decoding = PlaybackChanges(rawValue: 16)
}

/// A field that is also a property of the object that plays: the values, and how one is read and set by hand.
public struct FieldSetting<Object: Sendable>: Sendable {
    let field: LayoutField<Object>
    public let help: String

    /// Key of the field and name of the property.
    public var name: String { field.key }
    public var kind: PropertyKind { field.spec.schema.kind }
    /// Effect of another value on the playback of a tile.
    public var changes: PlaybackChanges { field.effect }

    /// The present value; nil if there is none.
    public func value(of object: Object) -> PropertyValue? {
        field.written(object).flatMap(kind.value)
    }

    /// Returns the change to a value that a client gives; nil if the property does not take it.
    public func change(to given: PropertyValue) -> (@Sendable (inout Object) -> Void)? {
        guard let value = kind.value(for: given) else { return nil }
        return { [field] object in
            guard let parsed = try? JSONParser.parse(JSONWriter.bytes(of: value)) else { return }
            field.read(LayoutNode(value: parsed, place: "", notes: LayoutNotes(base: .workingDirectory)), &object)
        }
    }
}

extension TileLayout {
    /// Fields that are set by hand under their own names.
    public static let settings = fields.all.compactMap(\.setting)
}

extension JSONSchema {
    /// Kind of the values for a property: a flag, a number, a whole number or one of some values.
    var kind: PropertyKind {
        if case .list(let values)? = members["enum"] { return .oneOf(values) }
        switch (members["type"], members["minimum"], members["maximum"]) {
        case (.text("boolean"), _, _): return .flag
        case (.text("integer"), .integer(let least), .integer(let most)): return .integer(least...most)
        case (.text("number"), .number(let least), .number(let most)): return .number(least...most)
        default: preconditionFailure("a property can't take the values of this field")
        }
    }
}
