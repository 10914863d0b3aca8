import Base

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
        for field in Self.fields.kept { field.merge?(&next, self, old) }
        return next
    }
}

/// Fields that one kind of object may have.
struct FieldSpecs: Sendable {
    let all: [FieldSpec]
    let keys: [String]
    private let known: Set<String>

    init(_ all: [FieldSpec]) {
        (self.all, keys) = (all, all.map(\.key))
        known = Set(keys)
    }

    func contains(_ key: String) -> Bool { known.contains(key) }
}

/// The fields of one type, in the order in which messages list them.
struct FieldTable<Object: Sendable>: Sendable {
    let all: [LayoutField<Object>]
    let specs: FieldSpecs
    /// Fields whose values may stay if another layout is loaded.
    let kept: [FieldProperty<Object>]
    /// Fields that layout-save writes, in the order in which they are added to a text.
    let saved: [(key: String, property: FieldProperty<Object>)]
    /// Fields that change the playback.
    let effects: [FieldProperty<Object>]
    let byKey: [String: LayoutField<Object>]

    /// `addedFirst`: keys that layout-save adds before the others.
    init(_ all: [LayoutField<Object>], addedFirst: [String] = []) {
        self.all = all
        specs = FieldSpecs(all.map(\.spec))
        byKey = Dictionary(uniqueKeysWithValues: all.map { ($0.spec.key, $0) })
        let properties = all.compactMap { field in field.property.map { (key: field.spec.key, property: $0) } }
        kept = properties.map(\.property).filter { $0.merge != nil }
        let saved = properties.filter { $0.property.saved != .nothing }
        self.saved =
            addedFirst.compactMap { key in saved.first { $0.key == key } }
            + saved.filter { !addedFirst.contains($0.key) }
        effects = properties.map(\.property).filter { !$0.effect.isEmpty }
    }

    /// Returns what the object states, as JSON text; nil if it states nothing.
    func text(of object: Object) -> [UInt8]? {
        let members = all.compactMap { field in
            field.property?.written(object).map { Array("\"\(field.spec.key)\": ".utf8) + $0 }
        }
        return members.isEmpty ? nil : Array("{".utf8) + members.joined(separator: Array(", ".utf8)) + Array("}".utf8)
    }

    /// Values that the object states and that it does not have by default.
    func changed(_ object: Object) -> [NewMember] {
        all.compactMap { field in
            guard let value = field.property?.written(object), value != field.property?.usual else { return nil }
            return NewMember(field.spec.key, bytes: value)
        }
    }

    /// Returns true if an object was changed by hand.
    func isChanged(_ present: Object, since loaded: Object) -> Bool { kept.contains { !$0.isSame(present, loaded) } }
}

extension LayoutFields {
    /// Reads the fields that a property of the object keeps, and notes those that are required and missing.
    func read<Object: FieldOwner>(into object: inout Object) {
        let table = Object.fields
        for key in keys {
            if let read = table.byKey[key]?.read, let node = self[key] { read(node, &object) }
        }
        for spec in table.specs.all {
            if let right = spec.required, !has(spec.key) { drop(spec.key, right: "\(right) would be right") }
        }
    }

    /// Reads these fields of a new object.
    func object<Object: FieldOwner>(_ type: Object.Type = Object.self) -> Object {
        var object = Object.initial
        read(into: &object)
        return object
    }
}

/// A key and its value's text.
struct NewMember {
    let key: String
    let value: [UInt8]

    init(_ key: String, bytes: [UInt8]) { (self.key, value) = (key, bytes) }
    init(_ key: String, _ value: PropertyValue) { self.init(key, bytes: JSONWriter.bytes(of: value)) }

    func text(colon: [UInt8]) -> [UInt8] { JSONWriter.bytes(of: .text(key)) + colon + value }
}
