import Base

/// A JSON Schema of a value, without description and default.
struct JSONSchema: Sendable {
    let members: [PropertyField]

    init(_ members: [PropertyField]) { self.members = members }

    var value: PropertyValue { .object(members) }

    static let flag = type("boolean", [])
    static let text = type("string", [PropertyField("minLength", .integer(1))])
    static let anyText = type("string", [])

    static func text(pattern: String) -> JSONSchema { type("string", [PropertyField("pattern", .text(pattern))]) }

    static func whole(_ range: ClosedRange<Int>) -> JSONSchema {
        type("integer", bounds(.integer(range.lowerBound), .integer(range.upperBound)))
    }

    static func number(_ range: ClosedRange<Double>) -> JSONSchema {
        type("number", bounds(.number(range.lowerBound), .number(range.upperBound)))
    }

    /// A number above 0.
    static func number(upTo most: Double) -> JSONSchema {
        type("number", [PropertyField("exclusiveMinimum", .integer(0)), PropertyField("maximum", .number(most))])
    }

    static func words(_ words: [String]) -> JSONSchema { oneOf(words.map { .text($0) }) }

    static func oneOf(_ values: [PropertyValue]) -> JSONSchema { JSONSchema([PropertyField("enum", .list(values))]) }

    static func only(_ value: PropertyValue) -> JSONSchema { JSONSchema([PropertyField("const", value)]) }

    static func any(_ schemas: JSONSchema...) -> JSONSchema {
        JSONSchema([PropertyField("anyOf", .list(schemas.map(\.value)))])
    }

    static func list(_ length: ClosedRange<Int>, of element: JSONSchema) -> JSONSchema {
        type(
            "array",
            [
                PropertyField("items", element.value), PropertyField("minItems", .integer(length.lowerBound)),
                PropertyField("maxItems", .integer(length.upperBound)),
            ])
    }

    static func list(_ length: PartialRangeThrough<Int>, of element: JSONSchema) -> JSONSchema {
        type(
            "array",
            [PropertyField("items", element.value), PropertyField("maxItems", .integer(length.upperBound))])
    }

    static func list(_ length: PartialRangeFrom<Int>, of element: JSONSchema) -> JSONSchema {
        type(
            "array",
            [PropertyField("items", element.value), PropertyField("minItems", .integer(length.lowerBound))])
    }

    /// A list of as many values as there are schemas.
    static func tuple(_ schemas: JSONSchema...) -> JSONSchema {
        type(
            "array",
            [
                PropertyField("prefixItems", .list(schemas.map(\.value))), PropertyField("items", .flag(false)),
                PropertyField("minItems", .integer(schemas.count)),
            ])
    }

    /// An object with free names as keys. Keys for other programs may have any value.
    static func named(by names: PropertyValue, of values: JSONSchema) -> JSONSchema {
        type(
            "object",
            [
                PropertyField("propertyNames", names), LayoutFields.ignoredKeys,
                PropertyField("additionalProperties", values.value),
            ])
    }

    static func reference(_ path: String) -> JSONSchema {
        JSONSchema([PropertyField("$ref", .text("#/$defs/\(path)"))])
    }
    static func shared(_ schema: SharedSchema) -> JSONSchema { reference(schema.rawValue) }

    /// Returns the schema with these members, too.
    func with(_ more: KeyValuePairs<String, PropertyValue>) -> JSONSchema {
        JSONSchema(members + more.map { PropertyField($0.key, $0.value) })
    }

    private static func type(_ name: String, _ more: [PropertyField]) -> JSONSchema {
        JSONSchema([PropertyField("type", .text(name))] + more)
    }

    private static func bounds(_ least: PropertyValue, _ most: PropertyValue) -> [PropertyField] {
        [PropertyField("minimum", least), PropertyField("maximum", most)]
    }
}
