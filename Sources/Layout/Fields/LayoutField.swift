import Base

/// A field of an object in a layout: its key, its help, and where its value goes.
///
/// Each field is declared once, in the `fields` of the type that keeps its value. The keys that messages list, the
/// reader, the difference between two layouts, the text that layout-save writes, and the JSON Schema are made from the
/// declarations.
struct LayoutField<Object: Sendable>: Sendable {
    let spec: FieldSpec
    /// nil if the reader of the object reads the field together with others.
    let property: FieldProperty<Object>?

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
        let byHand = words == nil ? byHand : .kept
        spec = FieldSpec(
            key: key, schema: kind.schema, help: help, usual: kind.write(usual ?? Object.initial[keyPath: path]),
            required: required)
        var merge: (@Sendable (inout Object, Object, Object) -> Void)?
        if let merged = byHand.merged {
            merge = { next, present, old in
                next[keyPath: path] = merged(present[keyPath: path], next[keyPath: path], old[keyPath: path])
            }
        }
        property = FieldProperty(
            spec: spec, read: { node, object in if let value = kind.read(node) { object[keyPath: path] = value } },
            isSame: { isSame($0[keyPath: path], $1[keyPath: path]) }, merge: merge,
            written: { kind.write($0[keyPath: path]) }, saved: words == nil ? saved : .hand, effect: changes,
            words: words)
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
        spec = FieldSpec(
            key: key, schema: schema, help: help, usual: usual.map { JSONWriter.bytes(of: $0) }, required: required)
        property = nil
    }
}

/// Description of a field: its key, its values, and a line of help.
struct FieldSpec: Sendable {
    let key: String
    let schema: JSONSchema
    /// nil if the schema is that of an object, which has a description.
    var help: String?
    /// Value that holds without the field, as JSON text; nil if it depends on others, or if there is none.
    var usual: [UInt8]?
    /// The value that would be right if the field is missing; nil if it may be missing.
    var required: String?

    /// The schema of the field, with help and default value.
    var describedSchema: PropertyValue {
        .object((help.map { [PropertyField("description", .text($0))] } ?? []) + valueSchema)
    }

    /// The schema of its value, with the default value.
    var valueSchema: [PropertyField] {
        schema.members + (usual.map { [PropertyField("default", PropertyValue(writtenJSON: $0))] } ?? [])
    }
}

extension PropertyValue {
    /// The value of a text that was written as JSON.
    init(writtenJSON text: [UInt8]) {
        guard let value = try? JSONParser.parse(text) else {
            preconditionFailure("no JSON: \(String(decoding: text, as: UTF8.self))")
        }
        self.init(value)
    }
}
