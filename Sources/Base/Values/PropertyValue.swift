/// Value of a property, or argument or result of a command, in the types of JSON.
public enum PropertyValue: Hashable, Sendable {
    case null
    case flag(Bool)
    case integer(Int)
    case number(Double)
    case text(String)
    case list([PropertyValue])
    /// Fields in written order. If names are equal, the first field counts.
    case object([PropertyField])

    /// The field of an object; nil if the object has no such field or the value is no object.
    public subscript(name: String) -> PropertyValue? {
        guard case .object(let fields) = self else { return nil }
        return fields[name]
    }
}

/// A name and its value in an object.
public struct PropertyField: Hashable, Sendable {
    public var name: String
    public var value: PropertyValue

    public init(_ name: String, _ value: PropertyValue) {
        self.name = name
        self.value = value
    }
}

extension [PropertyField] {
    /// Value of the first field of that name.
    public subscript(name: String) -> PropertyValue? { first { $0.name == name }?.value }
}
