import Base
import Glibc

/// Reads one JSON value as mpv does, which is more than RFC 8259 allows: a comma before a closing bracket, keys without
/// quotes, "=" for ":", control characters in texts, the escapes \' \e and \xAB, and C's octal, hexadecimal and
/// shortened numbers. Text after the value is ignored. Unlike mpv, it refuses a zero byte in a text, which C reads as
/// its end.
struct LenientJSON {
    /// Deepest nesting, counting the outermost value, as in mpv.
    static let deepest = 50

    /// `line` ends with a zero byte.
    static func parse(_ line: [UInt8]) throws(Malformed) -> PropertyValue {
        precondition(line.last == 0, "a line ends with a zero byte")
        var parser = LenientJSON(line: line)
        return try parser.value(depth: 1)
    }

    struct Malformed: Error {}

    /// Ends with a zero byte, which is no part of any value: no step reads past it.
    private let line: [UInt8]
    private var index = 0

    private init(line: [UInt8]) { self.line = line }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard line[index] == byte else { return false }
        index += 1
        return true
    }

    private mutating func skipSpace() { while isSpace(line[index]) { index += 1 } }

    private mutating func skip(word: StaticString) -> Bool {
        guard line[index...].starts(with: UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
        else { return false }
        index += word.utf8CodeUnitCount
        return true
    }

    // MARK: Values

    private mutating func value(depth: Int) throws(Malformed) -> PropertyValue {
        guard depth <= LenientJSON.deepest else { throw Malformed() }
        skipSpace()
        switch line[index] {
        case UInt8(ascii: "n") where skip(word: "null"): return .null
        case UInt8(ascii: "t") where skip(word: "true"): return .flag(true)
        case UInt8(ascii: "f") where skip(word: "false"): return .flag(false)
        case UInt8(ascii: "\""): return .text(try text())
        case UInt8(ascii: "["): return .list(try elements(depth: depth))
        case UInt8(ascii: "{"): return .object(try fields(depth: depth))
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        default: throw Malformed()
        }
    }

    private mutating func elements(depth: Int) throws(Malformed) -> [PropertyValue] {
        var elements: [PropertyValue] = []
        index += 1
        while try !isAtEnd(UInt8(ascii: "]"), isFirst: elements.isEmpty) {
            elements.append(try value(depth: depth + 1))
        }
        return elements
    }

    private mutating func fields(depth: Int) throws(Malformed) -> [PropertyField] {
        var fields: [PropertyField] = []
        index += 1
        while try !isAtEnd(UInt8(ascii: "}"), isFirst: fields.isEmpty) {
            let name = try line[index] == UInt8(ascii: "\"") ? text() : bareKey()
            skipSpace()
            guard skip(UInt8(ascii: ":")) || skip(UInt8(ascii: "=")) else { throw Malformed() }
            fields.append(PropertyField(name, try value(depth: depth + 1)))
        }
        return fields
    }

    /// Skips the comma before the next element, or the closing bracket. Returns true at the bracket.
    private mutating func isAtEnd(_ bracket: UInt8, isFirst: Bool) throws(Malformed) -> Bool {
        skipSpace()
        if skip(bracket) { return true }
        guard isFirst || skip(UInt8(ascii: ",")) else { throw Malformed() }
        skipSpace()
        return skip(bracket)
    }

    private mutating func bareKey() throws(Malformed) -> String {
        let start = index
        while isWordLetter(line[index]) || (index > start && isDigit(line[index])) { index += 1 }
        guard index > start else { throw Malformed() }
        return String(decoding: line[start..<index], as: UTF8.self)
    }

    // MARK: Numbers

    /// Returns an integer unless `strtod` reads more characters than `strtoll`.
    private mutating func number() throws(Malformed) -> PropertyValue {
        let (integer, integerLength, number, numberLength) = line.withUnsafeBytes { bytes in
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
        index += max(integerLength, numberLength)
        if integerLength > 0, integerLength >= numberLength { return .integer(integer) }
        guard numberLength > 0, number.isFinite else { throw Malformed() }
        return .number(number)
    }

    // MARK: Texts

    private mutating func text() throws(Malformed) -> String {
        index += 1
        var text: [UInt8] = []
        while !skip(UInt8(ascii: "\"")) {
            guard line[index] != 0 else { throw Malformed() }
            if skip(UInt8(ascii: "\\")) {
                guard let length = appendEscape(line[index...], to: &text), text.last != 0 else { throw Malformed() }
                index += length
            } else {
                text.append(line[index])
                index += 1
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}

func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

private func isWordLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
}
