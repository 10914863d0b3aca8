import Base

/// Values that fields of one object get in a layout's text, as JSON text, by key.
typealias FieldChanges = [String: [UInt8]]

extension FieldChanges {
    /// Changes by hand from one object to the other.
    init<Object: FieldOwner>(from before: Object, to after: Object) {
        self.init(of: after) { _, field in field.saved.contains(.hand) && !field.isSame(before, after) }
    }

    /// Values that the object states and that command-line options can set.
    init<Object: FieldOwner>(ofOptions object: Object) {
        self.init(of: object) { _, field in field.saved.contains(.options) }
    }

    /// Values of these fields.
    init<Object: FieldOwner>(of object: Object, _ keys: [String]) {
        self.init(of: object) { key, _ in keys.contains(key) }
    }

    private init<Object: FieldOwner>(of object: Object, where isMeant: (String, FieldProperty<Object>) -> Bool) {
        self.init()
        for (key, field) in Object.fields.saved where isMeant(key, field) { self[key] = field.written(object) }
    }

    /// Returns both changes. If both set a value, the value of `other` is taken.
    func merging(_ other: FieldChanges) -> FieldChanges { merging(other) { $1 } }

    /// Returns the members whose values differ from those of `loaded`.
    func members<Object: FieldOwner>(for loaded: Object) -> [NewMember] {
        if isEmpty { return [] }
        return Object.fields.saved.compactMap { key, field in
            guard let value = self[key], value != field.written(loaded) ?? field.usual else { return nil }
            return NewMember(key, bytes: value)
        }
    }
}
