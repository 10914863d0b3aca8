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
        Self.fields.merge(self, into: &next, over: old)
        return next
    }
}

/// The fields of one type, in the order in which messages list them.
struct FieldTable<Object: Sendable>: Sendable {
    let all: [LayoutField<Object>]
    let specs: FieldSpecs
    /// Keys that must not be missing.
    let required: [FieldSpec]
    /// Fields whose values may stay if another layout is loaded.
    private let kept: [FieldProperty<Object>]
    /// Fields that layout-save writes, in the order in which they are added to a text.
    let saved: [(key: String, property: FieldProperty<Object>)]
    /// Fields that change the playback.
    let effects: [FieldProperty<Object>]
    private let places: [String: Int]

    /// `addedFirst`: keys that layout-save adds before the others.
    init(_ all: [LayoutField<Object>], addedFirst: [String] = []) {
        self.all = all
        specs = FieldSpecs(all.map(\.spec))
        required = specs.all.filter { $0.required != nil }
        let properties = all.compactMap { field in field.property.map { (key: field.spec.key, property: $0) } }
        kept = properties.map(\.property).filter { $0.merge != nil }
        let saved = properties.filter { $0.property.saved != .nothing }
        self.saved =
            addedFirst.compactMap { key in saved.first { $0.key == key } }
            + saved.filter { !addedFirst.contains($0.key) }
        effects = properties.map(\.property).filter { !$0.effect.isEmpty }
        places = Dictionary(uniqueKeysWithValues: specs.keys.enumerated().map { ($1, $0) })
    }

    subscript(key: String) -> LayoutField<Object>? { places[key].map { all[$0] } }

    /// Merges the values of an object that plays into the next one, which replaces `old`.
    func merge(_ present: Object, into next: inout Object, over old: Object) {
        for field in kept { field.merge?(&next, present, old) }
    }

    /// Returns what the object states, as JSON text; nil if it states nothing.
    func text(of object: Object) -> [UInt8]? {
        let members = all.compactMap { field in
            field.property?.written(object).map { Array("\"\(field.spec.key)\": ".utf8) + $0 }
        }
        return members.isEmpty ? nil : Array("{".utf8) + members.joined(separator: Array(", ".utf8)) + Array("}".utf8)
    }

    /// Values that the object states and that it does not have by default, as JSON text.
    func changed(_ object: Object) -> [(key: String, value: [UInt8])] {
        all.compactMap { field in
            guard let value = field.property?.written(object), value != field.property?.usual else { return nil }
            return (field.spec.key, value)
        }
    }

    /// Returns true if an object was changed by hand.
    func isChanged(_ present: Object, since loaded: Object) -> Bool { kept.contains { !$0.isSame(present, loaded) } }
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
