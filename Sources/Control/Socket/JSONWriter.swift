import Glibc
import WallCore

/// Writes values as mpv does: no blanks, numbers with six decimals. The bytes are always valid JSON in UTF-8.
struct JSONWriter {
    private(set) var bytes: [UInt8] = []

    /// One line, with the line feed that ends it.
    static func line(_ fields: [PropertyField]) -> [UInt8] {
        var writer = JSONWriter()
        writer.write(.object(fields))
        writer.bytes.append(UInt8(ascii: "\n"))
        return writer.bytes
    }

    static func text(_ value: PropertyValue) -> String {
        var writer = JSONWriter()
        writer.write(value)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    mutating func write(_ value: PropertyValue) {
        switch value {
        case .null: write(plain: "null")
        case .flag(let flag): write(plain: flag ? "true" : "false")
        case .integer(let integer): write(plain: String(integer))
        // JSON has no word for what is not finite; mpv writes a text.
        case .number(let number): number.isFinite ? write(plain: decimals(number)) : write(text: decimals(number))
        case .text(let text): write(text: text)
        case .list(let values):
            bytes.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                write(value)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let fields):
            bytes.append(UInt8(ascii: "{"))
            for (index, field) in fields.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                write(text: field.name)
                bytes.append(UInt8(ascii: ":"))
                write(field.value)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    private mutating func write(plain text: String) { bytes.append(contentsOf: text.utf8) }

    private mutating func write(text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""): write(plain: "\\\"")
            case UInt8(ascii: "\\"): write(plain: "\\\\")
            case 0x08: write(plain: "\\b")
            case 0x09: write(plain: "\\t")
            case 0x0A: write(plain: "\\n")
            case 0x0C: write(plain: "\\f")
            case 0x0D: write(plain: "\\r")
            case 0..<0x20: write(plain: byte < 0x10 ? "\\u000" : "\\u00", String(byte, radix: 16))
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func write(plain first: String, _ second: String) {
        write(plain: first)
        write(plain: second)
    }
}

/// As C's %f writes it: six decimals; "inf", "-inf", "nan".
func decimals(_ number: Double) -> String {
    guard !number.isNaN else { return "nan" }
    // The largest has 309 digits before the point.
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 352) { buffer in
        _ = withVaList([number]) { vsnprintf(buffer.baseAddress!, buffer.count, "%f", $0) }
        return String(cString: buffer.baseAddress!)
    }
}

extension PropertyValue {
    /// As `get_property_string` and `${=name}` give it.
    var asPropertyText: String {
        switch self {
        case .flag(let flag): flag ? "yes" : "no"
        case .integer(let integer): String(integer)
        case .number(let number): decimals(number)
        case .text(let text): text
        case .null, .list, .object: JSONWriter.text(self)
        }
    }
}
