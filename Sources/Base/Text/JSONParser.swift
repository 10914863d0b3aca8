/// Reads JSON, strictly or as mpv does. The parser looks at each byte a fixed number of times and limits nesting, so
/// hostile texts cost neither time nor stack. Duplicate keys are handed on.
public struct JSONParser {
    enum Dialect {
        /// RFC 8259 in UTF-8 without a byte order mark. Half of a surrogate pair in `\u` escapes is refused, at its
        /// backslash.
        case strict
        /// mpv's superset: see JSONParser+Lenient.swift.
        case lenient
    }

    static let deepest = 64
    /// Limit of memory: a value takes 100 bytes or more.
    static let mostValues = 1_500_000

    public static func parse(_ bytes: [UInt8]) throws(JSONTrouble) -> JSONValue {
        var parser = JSONParser(bytes, .strict)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            throw parser.trouble("the file begins with a byte order mark; save it as UTF-8 without one")
        }
        parser.skipSpace()
        if parser.byte == nil { throw parser.trouble("the file is empty; an object with \"tiles\" would be right") }
        let value = try parser.value(depth: 0)
        parser.skipSpace()
        if parser.byte != nil { throw parser.unexpected("nothing but the end of the file") }
        return value
    }

    let bytes: [UInt8]
    private let dialect: Dialect
    private(set) var index = 0
    private var position = TextPosition()
    private var values = 0

    init(_ bytes: [UInt8], _ dialect: Dialect) { (self.bytes, self.dialect) = (bytes, dialect) }

    var byte: UInt8? { index < bytes.count ? bytes[index] : nil }

    private var isLenient: Bool { dialect == .lenient }

    /// Skips one character of `length` bytes that is no line feed.
    mutating func advance(_ length: Int = 1) {
        index += length
        position.column += 1
    }

    mutating func skipSpace() {
        while let next = byte {
            switch next {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): advance()
            case UInt8(ascii: "\n"):
                index += 1
                position = TextPosition(line: position.line + 1, column: 1)
            default: return
            }
        }
    }

    // MARK: Values

    /// `depth`: number of lists and objects that the value is in.
    mutating func value(depth: Int) throws(JSONTrouble) -> JSONValue {
        if isLenient, depth >= JSONParser.deepestOfMpv { throw tooDeep(JSONParser.deepestOfMpv) }
        let start = position
        let first = index
        values += 1
        if values > JSONParser.mostValues {
            throw trouble("too much from here on; \(JSONParser.mostValues.grouped) values are the most")
        }
        let content: JSONValue.Content
        switch byte {
        case UInt8(ascii: "{"): content = .object(try members(depth: depth + 1))
        case UInt8(ascii: "["): content = .array(try elements(depth: depth + 1))
        case UInt8(ascii: "\""): content = .string(try string())
        case .some(let next) where next == UInt8(ascii: "-") || isDigit(next):
            content = isLenient ? try numberAsInC() : try number()
        case UInt8(ascii: "t"): content = try word("true", .bool(true))
        case UInt8(ascii: "f"): content = try word("false", .bool(false))
        case UInt8(ascii: "n"): content = try word("null", .null)
        default: throw unexpected("a value")
        }
        return JSONValue(position: start, bytes: UInt32(first)..<UInt32(index), content: content)
    }

    private mutating func word(_ word: StaticString, _ content: JSONValue.Content) throws(JSONTrouble)
        -> JSONValue.Content
    {
        for letter in word.description.utf8 {
            guard byte == letter else { throw unexpected("\"\(word)\"") }
            advance()
        }
        return content
    }

    private mutating func elements(depth: Int) throws(JSONTrouble) -> [JSONValue] {
        var elements: [JSONValue] = []
        try list(to: "]", of: "value", depth: depth) { parser throws(JSONTrouble) in
            elements.append(try parser.value(depth: depth))
        }
        return elements
    }

    private mutating func members(depth: Int) throws(JSONTrouble) -> [JSONMember] {
        var members: [JSONMember] = []
        try list(to: "}", of: "key", depth: depth) { parser throws(JSONTrouble) in
            let keyPosition = parser.position
            let key = try parser.key()
            parser.skipSpace()
            guard parser.byte == UInt8(ascii: ":") || (parser.isLenient && parser.byte == UInt8(ascii: "=")) else {
                throw parser.unexpected("\":\"")
            }
            parser.advance()
            parser.skipSpace()
            members.append(JSONMember(key: key, keyPosition: keyPosition, value: try parser.value(depth: depth)))
        }
        return members
    }

    /// Reads what a list or an object holds, up to its last bracket. `entry`: reads one entry, which is a `name`.
    private mutating func list(
        to end: Unicode.Scalar, of name: String, depth: Int, _ entry: (inout JSONParser) throws(JSONTrouble) -> Void
    ) throws(JSONTrouble) {
        if depth > JSONParser.deepest { throw tooDeep(JSONParser.deepest) }
        advance()
        skipSpace()
        while byte != UInt8(ascii: end) {
            try entry(&self)
            skipSpace()
            if byte == UInt8(ascii: end) { break }
            guard byte == UInt8(ascii: ",") else { throw unexpected("\",\" or \"\(end)\"") }
            advance()
            skipSpace()
            if byte == UInt8(ascii: end), !isLenient { throw unexpected("another \(name), or no comma before it,") }
        }
        advance()
    }

    private mutating func key() throws(JSONTrouble) -> String {
        if byte == UInt8(ascii: "\"") { return try string() }
        guard isLenient, let name = bareKey() else { throw unexpected("a key in double quotes") }
        return name
    }

    // MARK: Numbers

    private mutating func number() throws(JSONTrouble) -> JSONValue.Content {
        let start = index
        if byte == UInt8(ascii: "-") { advance() }
        if byte == UInt8(ascii: "0") { advance() } else { try digits() }
        if byte == UInt8(ascii: ".") {
            advance()
            try digits()
        }
        if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
            advance()
            if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { advance() }
            try digits()
        }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        guard let number = Double(text) else {
            preconditionFailure("JSON's numbers are a part of Swift's: \(text)")
        }
        return .number(number, text: text.cut())
    }

    private mutating func digits() throws(JSONTrouble) {
        guard isDigit(byte) else { throw unexpected("a digit") }
        while isDigit(byte) { advance() }
    }

    func isDigit(_ byte: UInt8?) -> Bool { byte.map(Base.isDigit) ?? false }

    // MARK: Texts

    /// Lenient texts may have any bytes but zero.
    private mutating func string() throws(JSONTrouble) -> String {
        advance()
        var text: [UInt8] = []
        while let next = byte, next != (isLenient ? 0 : UInt8(ascii: "\n")) {
            switch next {
            case UInt8(ascii: "\""):
                advance()
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"): try escape(to: &text)
            case 0..<0x20 where !isLenient: throw unexpected("an escape such as \\t or \\u0001")
            case 0x80... where !isLenient:
                guard let length = scalarLength() else { throw badUTF8() }
                text.append(contentsOf: bytes[index..<index + length])
                advance(length)
            default:
                text.append(next)
                advance()
            }
        }
        throw unexpected("a double quote at the end of the text")
    }

    private mutating func escape(to text: inout [UInt8]) throws(JSONTrouble) {
        let start = position
        advance()
        if isLenient {
            guard let length = appendEscape(bytes[index...], to: &text), text.last != 0 else {
                throw unexpected("a known escape after a backslash")
            }
            return advance(length)
        }
        guard let letter = byte, "\"\\/bfnrtu".utf8.contains(letter) else {
            throw unexpected("one of \" \\ / b f n r t u after a backslash")
        }
        guard let length = appendEscape(bytes[index...], to: &text, allowsHalves: false) else {
            advance()
            let digits = bytes[index...].prefix(4).prefix { hexDigit($0) != nil }
            for _ in digits { advance() }
            if digits.count < 4 { throw unexpected("four hexadecimal digits after \\u") }
            throw JSONTrouble(
                position: start, text: "half of a surrogate pair; both halves, as in \\ud83d\\ude00, would be right")
        }
        for _ in 0..<length { advance() }
    }

    // MARK: Trouble

    private func trouble(_ text: String) -> JSONTrouble { JSONTrouble(position: position, text: text) }

    private func badUTF8() -> JSONTrouble { trouble("not UTF-8 from here on; save the file as UTF-8") }

    private func tooDeep(_ most: Int) -> JSONTrouble { trouble("nested too deep; \(most) levels are the most") }

    func unexpected(_ right: String) -> JSONTrouble {
        guard byte != nil else { return trouble("the file ends here; \(right) would be right") }
        guard let length = scalarLength() else { return badUTF8() }
        if isComment { return trouble("JSON has no comments; put the text into a key that begins with \"x-\"") }
        let found = String(decoding: bytes[index..<index + length], as: UTF8.self)
        return trouble("unexpected \(found.quoted); \(right) would be right")
    }

    /// True if a comment of another language begins here.
    private var isComment: Bool {
        let rest = bytes[index...]
        return rest.starts(with: "//".utf8) || rest.starts(with: "/*".utf8) || rest.starts(with: "#".utf8)
    }

    /// Length of the character at the index, in bytes; nil if it is no UTF-8.
    private func scalarLength() -> Int? {
        let first = bytes[index]
        let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        guard index + length <= bytes.count else { return nil }
        return String(validating: bytes[index..<index + length], as: UTF8.self).map { _ in length }
    }
}

/// True for the bytes that JSON allows between its words.
public func isSpace(_ byte: UInt8) -> Bool { " \t\r\n".utf8.contains(byte) }

/// True for an ASCII digit.
public func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

/// True for an ASCII letter.
public func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }

/// Value of an ASCII hexadecimal digit.
public func hexDigit(_ byte: UInt8) -> UInt8? { Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init) }
