import Base

/// A JSON Schema of a value, without description and default.
struct JSONSchema: Sendable {
    let members: [PropertyField]

    var value: PropertyValue { .object(members) }

    static let flag = type("boolean")
    static let text = type("string", ["minLength": .integer(1)])
    static let anyText = type("string")

    static func text(pattern: String) -> JSONSchema { type("string", ["pattern": .text(pattern)]) }

    static func whole(_ range: ClosedRange<Int>) -> JSONSchema {
        type("integer", ["minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound)])
    }

    static func number(_ range: ClosedRange<Double>) -> JSONSchema {
        type("number", ["minimum": .number(range.lowerBound), "maximum": .number(range.upperBound)])
    }

    /// A number above 0.
    static func number(upTo most: Double) -> JSONSchema {
        type("number", ["exclusiveMinimum": .integer(0), "maximum": .number(most)])
    }

    static func words(_ words: [String]) -> JSONSchema { oneOf(words.map { .text($0) }) }

    static func oneOf(_ values: [PropertyValue]) -> JSONSchema { none.with(["enum": .list(values)]) }

    static func only(_ value: PropertyValue) -> JSONSchema { none.with(["const": value]) }

    static func any(_ schemas: JSONSchema...) -> JSONSchema { none.with(["anyOf": .list(schemas.map(\.value))]) }

    /// `length`: numbers of elements.
    static func list(_ length: some RangeExpression<Int>, of element: JSONSchema) -> JSONSchema {
        let lengths = length.relative(to: 0..<Int.max)
        var list = type("array", ["items": element.value])
        if lengths.lowerBound > 0 { list = list.with(["minItems": .integer(lengths.lowerBound)]) }
        if lengths.upperBound < .max { list = list.with(["maxItems": .integer(lengths.upperBound - 1)]) }
        return list
    }

    /// A list of as many values as there are schemas.
    static func tuple(_ schemas: JSONSchema...) -> JSONSchema {
        let values = PropertyValue.list(schemas.map(\.value))
        return type("array", ["prefixItems": values, "items": .flag(false), "minItems": .integer(schemas.count)])
    }

    /// An object with free names as keys. Keys for other programs may have any value.
    static func named(by names: PropertyValue, of values: JSONSchema) -> JSONSchema {
        let (ignored, pattern) = LayoutFields.ignoredKeys
        return type("object", ["propertyNames": names, ignored: pattern, "additionalProperties": values.value])
    }

    static func reference(_ path: String) -> JSONSchema { none.with(["$ref": .text("#/$defs/\(path)")]) }
    static func shared(_ schema: SharedSchema) -> JSONSchema { reference(schema.rawValue) }

    /// Returns the schema with these members, too.
    func with(_ more: KeyValuePairs<String, PropertyValue>) -> JSONSchema {
        JSONSchema(members: members + more.map { PropertyField($0.key, $0.value) })
    }

    private static let none = JSONSchema(members: [])

    private static func type(_ name: String, _ more: KeyValuePairs<String, PropertyValue> = [:]) -> JSONSchema {
        none.with(["type": .text(name)]).with(more)
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
                "Playback speed; 1 is the source's own speed.",
                JSONSchema.number(0.25...4).with(["default": .integer(1)]))
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
        JSONSchema(members: [PropertyField("description", .text(help))] + schema.members)
    }
}
