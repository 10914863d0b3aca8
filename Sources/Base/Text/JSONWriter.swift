/// Writes values as mpv does: no blanks, numbers with six decimals. The bytes are always valid JSON in UTF-8.
public struct JSONWriter {
    /// Selects the characters of a string that are escaped.
    public enum Escapes: Sendable {
        /// Characters that JSON requires to be escaped.
        case needed
        /// Also characters that no terminal can show.
        case unprintable
    }

    private let escapes: Escapes
    private var bytes: [UInt8] = []

    private init(_ escapes: Escapes) { self.escapes = escapes }

    public static func bytes(of value: PropertyValue, escaping escapes: Escapes = .needed) -> [UInt8] {
        var writer = JSONWriter(escapes)
        writer.write(value)
        return writer.bytes
    }

    /// One line, with the line feed at its end.
    public static func line(_ object: PropertyValue) -> [UInt8] { bytes(of: object) + [UInt8(ascii: "\n")] }

    public static func line(_ fields: [PropertyField]) -> [UInt8] { line(.object(fields)) }

    /// Appends one line, with the line feed at its end, to `bytes`.
    public static func append(
        line fields: [PropertyField], to bytes: inout [UInt8], escaping escapes: Escapes = .needed
    ) {
        var writer = JSONWriter(escapes)
        swap(&writer.bytes, &bytes)
        writer.write(.object(fields))
        writer.bytes.append(UInt8(ascii: "\n"))
        swap(&writer.bytes, &bytes)
    }

    public static func text(_ value: PropertyValue, escaping escapes: Escapes = .needed) -> String {
        String(decoding: bytes(of: value, escaping: escapes), as: UTF8.self)
    }

    private mutating func write(_ value: PropertyValue) {
        switch value {
        case .null: write(plain: "null")
        case .flag(let flag): write(plain: flag ? "true" : "false")
        case .integer(let integer): write(plain: String(integer))
        // JSON has no infinity or NaN; like mpv, write them as strings.
        case .number(let number): number.isFinite ? write(plain: number.sixDecimals) : write(text: number.sixDecimals)
        case .text(let text): write(text: text)
        case .list(let values):
            for (index, value) in values.enumerated() {
                bytes.append(UInt8(ascii: index > 0 ? "," : "["))
                write(value)
            }
            write(plain: values.isEmpty ? "[]" : "]")
        case .object(let fields):
            for (index, field) in fields.enumerated() {
                bytes.append(UInt8(ascii: index > 0 ? "," : "{"))
                write(text: field.name)
                bytes.append(UInt8(ascii: ":"))
                write(field.value)
            }
            write(plain: fields.isEmpty ? "{}" : "}")
        }
    }

    private mutating func write(plain text: String) { bytes.append(contentsOf: text.utf8) }

    private mutating func write(text: String) {
        bytes.append(UInt8(ascii: "\""))
        switch escapes {
        case .needed: for byte in text.utf8 { write(byte) }
        case .unprintable:
            for scalar in text.unicodeScalars {
                if scalar.value < 0x20 || scalar.isPrintable {
                    for byte in String(scalar).utf8 { write(byte) }
                } else {
                    for unit in String(scalar).utf16 { write(escaped: unit) }
                }
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func write(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): write(plain: "\\\"")
        case UInt8(ascii: "\\"): write(plain: "\\\\")
        case 0x08: write(plain: "\\b")
        case 0x09: write(plain: "\\t")
        case 0x0A: write(plain: "\\n")
        case 0x0C: write(plain: "\\f")
        case 0x0D: write(plain: "\\r")
        case 0..<0x20: write(escaped: UInt16(byte))
        default: bytes.append(byte)
        }
    }

    private mutating func write(escaped unit: UInt16) {
        write(plain: "\\u" + String(unit, radix: 16).zeroPadded(to: 4))
    }
}
