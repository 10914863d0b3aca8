/// Values that fields of one object get in a layout's text.
public struct FieldChanges: Sendable, Equatable {
    /// Values as JSON text, by key.
    private(set) var values: [String: [UInt8]] = [:]

    init() {}

    /// Changes by hand from one object to the other.
    init<Object: FieldOwner>(from before: Object, to after: Object) {
        for (key, field) in Object.fields.saved where field.saved.contains(.hand) && !field.isSame(before, after) {
            values[key] = field.written(after)
        }
    }

    /// Values that the object states and that command-line options can set.
    init<Object: FieldOwner>(ofOptions object: Object) {
        for (key, field) in Object.fields.saved where field.saved.contains(.options) {
            values[key] = field.written(object)
        }
    }

    /// Values of these fields.
    init<Object: FieldOwner>(of object: Object, _ keys: [String]) {
        for (key, field) in Object.fields.saved where keys.contains(key) { values[key] = field.written(object) }
    }

    var isEmpty: Bool { values.isEmpty }

    /// Returns both changes. If both set a value, the value of `other` is taken.
    func merging(_ other: FieldChanges) -> FieldChanges {
        var both = self
        both.values.merge(other.values) { $1 }
        return both
    }

    /// Returns the members whose values differ from those of `loaded`.
    func members<Object: FieldOwner>(for loaded: Object) -> [NewMember] {
        if isEmpty { return [] }
        return Object.fields.saved.compactMap { key, field in
            guard let value = values[key], value != field.written(loaded) ?? field.usual else { return nil }
            return NewMember(key, bytes: value)
        }
    }
}
