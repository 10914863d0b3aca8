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
                PropertyField("propertyNames", names), LayoutObject.ignoredKeys,
                PropertyField("additionalProperties", values.value),
            ])
    }

    static func reference(_ path: String) -> JSONSchema {
        JSONSchema([PropertyField("$ref", .text("#/$defs/\(path)"))])
    }
    static func object(_ object: LayoutObject) -> JSONSchema { reference(object.rawValue) }
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

/// Schemas of values that several fields have.
enum SharedSchema: String, CaseIterable {
    case color, time, timeLimit, signedTime, source, rate

    var schema: JSONSchema {
        switch self {
        case .color: .text(pattern: "^#[0-9a-fA-F]{6}$")
        case .time:
            .described(
                #"A time: seconds as a number, or "83.5", "1:23.5" or "1:02:03"."#,
                .any(.number(0...Self.longestTime), .text(pattern: "^\(Self.timePattern)$")))
        case .timeLimit:
            .described(
                "A length of time, or false for never.",
                .any(
                    .only(.flag(false)),
                    .number(TimeLimit.shortest.seconds...TimeLimit.longest.seconds),
                    .text(pattern: "^\(Self.timePattern)$")))
        case .signedTime:
            .described(
                "A time, as a number of seconds or as text. It may be negative.",
                .any(.number(-Self.longestTime...Self.longestTime), .text(pattern: "^-?\(Self.timePattern)$")))
        case .source:
            .described(
                "A file, a folder, or a URL of \(alternatives(SourceName.schemes)).",
                JSONSchema.text.with(["pattern": .text(Self.sourcePattern)]))
        case .rate:
            .described(
                """
                Playback speed; 1 is the source's own speed.
                """, JSONSchema.number(0.25...4).with(["default": .integer(1)]))
        }
    }

    private static let longestTime = Time.longestWritten.seconds
    private static let timePattern = #"(\d+|\d+:[0-5]?\d|\d+:[0-5]?\d:[0-5]?\d)(\.\d+)?"#

    /// No URL, or one that is supported. A sound server's has no "?".
    private static let sourcePattern: String = {
        let schemes = SourceName.schemes.filter { $0 != "pulse" }.joined(separator: "|")
        return #"^((?![A-Za-z][A-Za-z0-9+.-]*://)|("# + schemes + #")://|pulse://(?!.*\?))[^\u0000]*$"#
    }()
}

extension JSONSchema {
    fileprivate static func described(_ help: String, _ schema: JSONSchema) -> JSONSchema {
        JSONSchema([PropertyField("description", .text(help))] + schema.members)
    }
}
