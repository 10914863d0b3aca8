import Base

/// The JSON Schema of layouts, made from the declared fields.
public enum LayoutSchema {
    /// The lines of `layouts/layout.schema.json`.
    public static var lines: [String] { SchemaText.of(schema).split(separator: "\n").map(String.init) }

    /// Every field as an object: the kind of object that has it, its key, the schema of its value, and its help.
    public static var fields: [PropertyValue] {
        LayoutObject.allCases.flatMap { object in
            object.fields.map { field in
                [
                    "object": .text(object.rawValue), "key": .text(field.key), "value": .object(field.valueSchema),
                    "help": .text(field.help ?? ""),
                ]
            }
        }
    }

    private static var schema: PropertyValue {
        let shared = SharedSchema.allCases.map { PropertyField($0.rawValue, $0.schema.value) }
        let objects = LayoutObject.allCases.filter { $0 != .layout }.map { PropertyField($0.rawValue, $0.schema) }
        let head: PropertyValue = [
            "$schema": .text("https://json-schema.org/draft/2020-12/schema"), "title": .text("Quadrille layout"),
        ]
        return head.adding(LayoutObject.layout.schema).adding(["$defs": .object(shared + objects)])
    }
}

extension LayoutObject {
    fileprivate var schema: PropertyValue {
        let required = fields.filter { $0.required != nil }.map { PropertyValue.text($0.key) }
        let (ignored, pattern) = LayoutFields.ignoredKeys
        let schema: PropertyValue = [
            "description": .text(help), "type": .text("object"),
            "properties": .object(fields.map { PropertyField($0.key, $0.describedSchema) }),
            ignored: pattern, "additionalProperties": .flag(false),
        ]
        return schema.adding(required.isEmpty ? [:] : ["required": .list(required)]).adding(rules)
    }

    /// Rules about several fields at once.
    private var rules: PropertyValue {
        let srcOrSegments = PropertyValue.list([Self.needs("src"), Self.needs("segments")])
        return switch self {
        case .scheduleEntry: ["oneOf": .list([Self.needs("show"), Self.needs("display")])]
        case .tile:
            [
                "anyOf": .list([Self.needs("play"), Self.needs("compare")]),
                "dependentSchemas": ["rect": Self.none(of: "cell", "span")],
            ]
        case .item: ["anyOf": srcOrSegments, "dependentSchemas": ["segments": Self.rulesOfSegments]]
        case .comparedItem:
            [
                "anyOf": srcOrSegments,
                "dependentSchemas": ["segments": JSONSchema.reference("item/dependentSchemas/segments").value],
            ]
        case .itemAudio: ["dependentSchemas": ["stems": Self.none(of: "src", "track")]]
        case .lyrics: ["not": Self.needs("src", "track")]
        case .layout, .window, .overflow, .grid, .group, .audio, .bed, .breakEntry, .comparison, .segment, .stem,
            .transition, .toneMapping:
            [:]
        }
    }

    /// With segments, each segment has its own range and, unless the item has a source, its own source.
    private static let rulesOfSegments: PropertyValue = [
        "allOf": .list([
            none(of: "in", "out", "duration"),
            ["anyOf": .list([needs("src"), ["properties": ["segments": ["items": needs("src")]]]])],
        ])
    ]

    private static func needs(_ keys: String...) -> PropertyValue { ["required": .list(keys.map { .text($0) })] }

    private static func none(of keys: String...) -> PropertyValue {
        ["not": ["anyOf": .list(keys.map { needs($0) })]]
    }
}

/// Formats a schema for people. An object or a list that fits is on one line.
private enum SchemaText {
    private static let width = 120

    static func of(_ value: PropertyValue) -> String { lines(of: value, indent: 0, room: width) }

    /// `room`: characters left on the first line.
    private static func lines(of value: PropertyValue, indent: Int, room: Int) -> String {
        let short = ObjectStyle.ofSchema.string(of: value)
        if short.count <= room { return short }
        let inner = String(repeating: " ", count: indent + 2)
        switch value {
        case .object(let fields):
            let members = fields.map { field in
                let key = JSONWriter.text(.text(field.name)) + ": "
                return inner + key
                    + lines(of: field.value, indent: indent + 2, room: width - indent - 3 - key.count)
            }
            return "{\n" + members.joined(separator: ",\n") + "\n" + inner.dropLast(2) + "}"
        case .list(let values):
            let elements = values.map { inner + lines(of: $0, indent: indent + 2, room: width - indent - 3) }
            return "[\n" + elements.joined(separator: ",\n") + "\n" + inner.dropLast(2) + "]"
        case .null, .flag, .integer, .number, .text: return short
        }
    }
}
