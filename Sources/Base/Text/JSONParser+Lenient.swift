import var Glibc.errno
import func Glibc.strtod
import func Glibc.strtoll

/// mpv reads more than RFC 8259 allows: a comma before a closing bracket, keys without quotes, "=" for ":", control
/// characters in texts, the escapes \' \e and \xAB, and C's octal, hexadecimal and shortened numbers. Text after the
/// value is ignored, and bytes that are no UTF-8 are replaced. Unlike mpv, a zero byte in a text is refused: C reads it
/// as the text's end.
extension JSONParser {
    /// Deepest nesting, counting the outermost value, as in mpv.
    static let deepestOfMpv = 50

    /// `line` ends with a zero byte, which is no part of any value: C's functions stop there.
    public static func parse(leniently line: [UInt8]) throws(JSONTrouble) -> PropertyValue {
        precondition(line.last == 0, "a line ends with a zero byte")
        var parser = JSONParser(line, .lenient)
        parser.skipSpace()
        return PropertyValue(try parser.value(depth: 0))
    }

    /// Reads a key without quotes; nil if none begins here.
    mutating func bareKey() -> String? {
        let start = index
        while let next = byte, isLetter(next) || next == UInt8(ascii: "_") || (index > start && isDigit(next)) {
            advance()
        }
        return index > start ? String(decoding: bytes[start..<index], as: UTF8.self) : nil
    }

    /// Reads an integer unless `strtod` reads more characters than `strtoll`. The number's `text` is formatted from its
    /// value.
    mutating func numberAsInC() throws(JSONTrouble) -> JSONValue.Content {
        let (integer, integerLength, number, numberLength) = bytes.withUnsafeBytes { bytes in
            let start = bytes.baseAddress!.assumingMemoryBound(to: CChar.self) + index
            var end: UnsafeMutablePointer<CChar>?
            errno = 0
            let integer = strtoll(start, &end, 0)
            let integerLength = errno == 0 ? end! - UnsafeMutablePointer(mutating: start) : 0
            errno = 0
            let number = strtod(start, &end)
            let numberLength = errno == 0 ? end! - UnsafeMutablePointer(mutating: start) : 0
            return (Int(integer), integerLength, number, numberLength)
        }
        let isInteger = integerLength > 0 && integerLength >= numberLength
        guard isInteger || (numberLength > 0 && number.isFinite) else { throw unexpected("a number") }
        advance(max(integerLength, numberLength))
        return isInteger ? .number(Double(integer), text: String(integer)) : .number(number, text: number.description)
    }
}

extension PropertyValue {
    /// The value without its position in the text.
    public init(_ value: JSONValue) {
        self =
            switch value.content {
            case .null: .null
            case .bool(let flag): .flag(flag)
            case .number(let number, let text): Int(text).map { .integer($0) } ?? .number(number)
            case .string(let text): .text(text)
            case .array(let values): .list(values.map { PropertyValue($0) })
            case .object(let members): .object(members.map { PropertyField($0.key, PropertyValue($0.value)) })
            }
    }
}
