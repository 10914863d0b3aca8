import Base

/// Description of a field: its key, its values, and a line of help.
struct FieldSpec: Sendable {
    let key: String
    let schema: JSONSchema
    /// nil if the schema is that of an object, which has a description.
    let help: String?
    /// Value that holds without the field, as JSON text; nil if it depends on others, or if there is none.
    let usual: [UInt8]?
    /// The value that would be right if the field is missing; nil if it may be missing.
    let required: String?

    init(_ key: String, _ schema: JSONSchema, _ help: String?, default usual: [UInt8]?, required: String?) {
        (self.key, self.schema, self.help, self.usual, self.required) = (key, schema, help, usual, required)
    }

    /// The schema of the field, with help and default value.
    var describedSchema: PropertyValue {
        .object((help.map { [PropertyField("description", .text($0))] } ?? []) + valueSchema)
    }

    /// The schema of its value, with the default value.
    var valueSchema: [PropertyField] {
        schema.members + (usual.map { [PropertyField("default", PropertyValue(writtenJSON: $0))] } ?? [])
    }
}

extension PropertyValue {
    /// The value of a text that was written as JSON.
    init(writtenJSON text: [UInt8]) {
        guard let value = try? JSONParser.parse(text) else {
            preconditionFailure("no JSON: \(String(decoding: text, as: UTF8.self))")
        }
        self.init(value)
    }
}

/// Fields that one kind of object may have.
struct FieldSpecs: Sendable {
    let all: [FieldSpec]
    let keys: [String]
    private let known: Set<String>

    init(_ all: [FieldSpec]) {
        self.all = all
        keys = all.map(\.key)
        known = Set(keys)
    }

    func contains(_ key: String) -> Bool { known.contains(key) }
}
