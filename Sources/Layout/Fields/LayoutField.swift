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
    /// nil if no property keeps the value.
    let property: FieldProperty<Object>?
    /// nil if the field is not a property of the object that plays.
    let setting: FieldSetting<Object>?

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
        _ key: String, _ kind: FieldKind<Value>, _ property: WritableKeyPath<Object, Value> & Sendable,
        _ help: String? = nil, default usual: Value? = nil, required: String? = nil,
        byHand: ByHand<Value> = .replaced, saved: SavedFrom = .nothing, changes: PlaybackChanges = [],
        comparing isSame: @escaping @Sendable (Value, Value) -> Bool = { $0 == $1 }, asProperty words: String? = nil
    ) where Object: FieldOwner {
        let written = kind.write(usual ?? Object.initial[keyPath: property])
        spec = FieldSpec(key, kind.schema, help, default: written, required: required)
        read = { [read = kind.read] node, base, object in
            if let value = read(node, base) { object[keyPath: property] = value }
        }
        self.property = FieldProperty(
            of: property, words == nil ? byHand : .kept, words == nil ? saved : .hand, written: kind.write,
            usual: written, effect: changes, comparing: isSame)
        setting = words.map { FieldSetting(key, $0, kind, property, changes: changes) }
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
        (read, self.property, setting) = (nil, nil, nil)
    }
}
