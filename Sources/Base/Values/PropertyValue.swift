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

    public init(_ name: String, _ value: PropertyValue) { (self.name, self.value) = (name, value) }
}

extension [PropertyField] {
    /// Value of the first field of that name.
    public subscript(name: String) -> PropertyValue? { first { $0.name == name }?.value }
}

/// An object, as `["width": .integer(1280), "height": .integer(720)]`, with its fields in written order.
extension PropertyValue: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral fields: (String, PropertyValue)...) {
        self = .object(fields.map { PropertyField($0, $1) })
    }

    /// A number, as an integer if it is whole.
    public static func plain(_ number: Double) -> PropertyValue {
        Int(exactly: number).map { .integer($0) } ?? .number(number)
    }

    public static func textOrNull(_ text: String?) -> PropertyValue { text.map(PropertyValue.text) ?? .null }
    public static func numberOrNull(_ number: Double?) -> PropertyValue { number.map(PropertyValue.number) ?? .null }
    public static func integerOrNull(_ integer: Int?) -> PropertyValue { integer.map(PropertyValue.integer) ?? .null }

    /// Fields of an object; empty for any other value.
    public var fields: [PropertyField] { if case .object(let fields) = self { fields } else { [] } }

    /// The object without fields that are null.
    public var withoutNulls: PropertyValue { .object(fields.filter { $0.value != .null }) }

    /// Returns the object with the fields of another at its end.
    public func adding(_ more: PropertyValue) -> PropertyValue { .object(fields + more.fields) }
}

/// Kind of name that an option, a command or a subcommand takes. Completions offer the names that exist.
public enum NameKind: String, Sendable {
    case tile, group, display, event, property, command, key, subcommand
    /// A break of the layout.
    case `break`
    case file, folder
    /// A file that holds a layout.
    case layout
    /// A file that can be played.
    case medium
    case layoutOrMedium = "layout-or-medium"
}
