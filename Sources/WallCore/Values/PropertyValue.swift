/// What a property holds, or what a command is given and answers, as JSON can write it.
public enum PropertyValue: Hashable, Sendable {
    case null
    case flag(Bool)
    case integer(Int)
    case number(Double)
    case text(String)
    case list([PropertyValue])
    /// In the order in which it is written. Of fields with equal names the first counts.
    case object([PropertyField])

    /// The field of an object; nil if it has none of that name, or is no object.
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
    /// The first of that name.
    public subscript(name: String) -> PropertyValue? { first { $0.name == name }?.value }
}
