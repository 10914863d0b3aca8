import Base

/// The JSON Schema of layouts, made from the declared fields.
public enum LayoutSchema {
    /// The lines of `layouts/layout.schema.json`.
    public static var lines: [String] { SchemaText.of(schema).split(separator: "\n").map(String.init) }

    /// Every field as an object: the kind of object that has it, its key, the schema of its value, and its help.
    public static var fields: [PropertyValue] {
        LayoutObject.allCases.flatMap { object in
            object.fields.all.map { field in
                .object([
                    PropertyField("object", .text(object.rawValue)), PropertyField("key", .text(field.key)),
                    PropertyField("value", .object(field.valueSchema)),
                    PropertyField("help", .text(field.help ?? "")),
                ])
            }
        }
    }

    private static var schema: PropertyValue {
        let shared = SharedSchema.allCases.map { PropertyField($0.rawValue, $0.schema.value) }
        let objects = LayoutObject.allCases.filter { $0 != .layout }.map { object in
            PropertyField(object.rawValue, .object(object.schema))
        }
        return .object(
            [
                PropertyField("$schema", .text("https://json-schema.org/draft/2020-12/schema")),
                PropertyField("title", .text("Quadrille layout")),
            ] + LayoutObject.layout.schema + [PropertyField("$defs", .object(shared + objects))])
    }
}

extension LayoutObject {
    fileprivate var schema: [PropertyField] {
        let required = fields.all.filter { $0.required != nil }.map { PropertyValue.text($0.key) }
        return [
            PropertyField("description", .text(help)), PropertyField("type", .text("object")),
            PropertyField("properties", .object(fields.all.map { PropertyField($0.key, $0.describedSchema) })),
            LayoutFields.ignoredKeys, PropertyField("additionalProperties", .flag(false)),
        ] + (required.isEmpty ? [] : [PropertyField("required", .list(required))]) + rules
    }

    /// Rules about several fields at once.
    private var rules: [PropertyField] {
        switch self {
        case .scheduleEntry: [PropertyField("oneOf", .list([Self.needs("show"), Self.needs("display")]))]
        case .tile:
            [
                PropertyField("anyOf", .list([Self.needs("play"), Self.needs("compare")])),
                Self.if("rect", Self.none(of: "cell", "span")),
            ]
        case .item: [Self.srcOrSegments, Self.if("segments", Self.rulesOfSegments)]
        case .comparedItem:
            [
                Self.srcOrSegments,
                Self.if("segments", JSONSchema.reference("item/dependentSchemas/segments").value),
            ]
        case .itemAudio: [Self.if("stems", Self.none(of: "src", "track"))]
        case .lyrics: [PropertyField("not", Self.needs("src", "track"))]
        case .layout, .window, .overflow, .grid, .group, .audio, .bed, .breakEntry, .comparison, .segment, .stem,
            .transition,
            .toneMapping:
            []
        }
    }

    private static let srcOrSegments = PropertyField("anyOf", .list([needs("src"), needs("segments")]))

    /// With segments, each segment has its own range and, unless the item has a source, its own source.
    private static let rulesOfSegments: PropertyValue = {
        let each = PropertyValue.object([PropertyField("items", needs("src"))])
        let inSegments = PropertyValue.object([
            PropertyField("properties", .object([PropertyField("segments", each)]))
        ])
        return .object([
            PropertyField(
                "allOf",
                .list([
                    none(of: "in", "out", "duration"),
                    .object([PropertyField("anyOf", .list([needs("src"), inSegments]))]),
                ]))
        ])
    }()

    private static func needs(_ keys: String...) -> PropertyValue {
        .object([PropertyField("required", .list(keys.map { .text($0) }))])
    }

    private static func none(of keys: String...) -> PropertyValue {
        .object([PropertyField("not", .object([PropertyField("anyOf", .list(keys.map { needs($0) }))]))])
    }

    private static func `if`(_ key: String, _ schema: PropertyValue) -> PropertyField {
        PropertyField("dependentSchemas", .object([PropertyField(key, schema)]))
    }
}
