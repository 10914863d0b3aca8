import Base

/// A type that keeps the values of fields.
protocol FieldOwner: Sendable {
    static var fields: FieldTable<Self> { get }
    /// The object without any field.
    static var initial: Self { get }
}

/// An owner of fields that all have defaults.
protocol DefaultFieldOwner: FieldOwner { init() }

extension DefaultFieldOwner {
    static var initial: Self { Self() }
}

extension FieldOwner {
    /// Returns this object, which plays, after `new` replaced `old` in the loaded layout.
    func merging(_ new: Self, over old: Self) -> Self {
        var next = new
        for field in Self.fields.all { field.merge?(&next, self, old) }
        return next
    }
}

/// The fields of one type, in the order in which messages list them.
struct FieldTable<Object: Sendable>: Sendable {
    let all: [LayoutField<Object>]
    let specs: [FieldSpec]
    /// Fields that layout-save writes, in the order in which they are added to a text.
    let saved: [LayoutField<Object>]
    let byKey: [String: LayoutField<Object>]

    /// `addedFirst`: key that layout-save adds before the others.
    init(_ all: [LayoutField<Object>], addedFirst: String? = nil) {
        (self.all, specs) = (all, all.map(\.spec))
        byKey = Dictionary(uniqueKeysWithValues: all.map { ($0.key, $0) })
        let saved = all.filter { $0.saved != .nothing }
        self.saved = saved.filter { $0.key == addedFirst } + saved.filter { $0.key != addedFirst }
    }

    /// Values that the object states and that it does not have by default.
    func changed(_ object: Object) -> [PropertyField] {
        all.compactMap { field in
            guard let value = field.written(object), value != field.spec.usual else { return nil }
            return PropertyField(field.key, value)
        }
    }

    /// Returns true if an object was changed by hand.
    func isChanged(_ present: Object, since loaded: Object) -> Bool {
        all.contains { $0.merge != nil && !$0.isSame(present, loaded) }
    }
}

extension LayoutFields {
    /// Reads the fields that a property of the object keeps, and notes those that are required and missing.
    func read<Object: FieldOwner>(into object: inout Object) {
        let table = Object.fields
        for key in keys {
            if let field = table.byKey[key], let node = self[key] { field.read(node, &object) }
        }
        for field in table.all {
            if let right = field.spec.required, !has(field.key) { drop(field.key, right: "\(right) would be right") }
        }
    }

    /// Reads these fields of a new object.
    func object<Object: FieldOwner>(_ type: Object.Type = Object.self) -> Object {
        var object = Object.initial
        read(into: &object)
        return object
    }
}
