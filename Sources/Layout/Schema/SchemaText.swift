import Base

/// Formats a schema for people. An object or a list that fits is on one line.
enum SchemaText {
    private static let width = 120

    static func of(_ value: PropertyValue) -> String { lines(of: value, indent: 0, room: width) }

    /// `room`: characters left on the first line.
    private static func lines(of value: PropertyValue, indent: Int, room: Int) -> String {
        let short = oneLine(value)
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

    private static func oneLine(_ value: PropertyValue) -> String {
        switch value {
        case .number(let number): number.plain
        case .null, .flag, .integer, .text: JSONWriter.text(value)
        case .list(let values): "[" + values.map(oneLine).joined(separator: ", ") + "]"
        case .object(let fields):
            "{" + fields.map { JSONWriter.text(.text($0.name)) + ": " + oneLine($0.value) }.joined(separator: ", ")
                + "}"
        }
    }
}
