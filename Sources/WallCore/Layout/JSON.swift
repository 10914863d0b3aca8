/// A place in a text: lines and columns from 1, columns in Unicode scalars.
struct TextPosition: Hashable, Comparable, Sendable {
    var line = 1
    var column = 1

    static func < (a: TextPosition, b: TextPosition) -> Bool { (a.line, a.column) < (b.line, b.column) }
}

/// A JSON value that knows where it stands.
struct JSONValue: Sendable {
    /// Of its first character.
    var position: TextPosition
    /// Its bytes in the text, quotes and brackets included.
    var bytes: ByteRange
    var content: Content

    enum Content: Sendable {
        case null
        case bool(Bool)
        /// Infinite when it is too large for a Double. The text is for messages and may be cut.
        case number(Double, text: String)
        case string(String)
        case array([JSONValue])
        /// In the order of the file, duplicate keys included.
        case object([JSONMember])
    }
}

/// Bytes of a text of at most 4 GiB. Half as large as a range of Int: every value of a layout has one.
struct ByteRange: Sendable {
    private let start: UInt32
    private let end: UInt32

    init(_ range: Range<Int>) {
        (start, end) = (UInt32(truncatingIfNeeded: range.lowerBound), UInt32(truncatingIfNeeded: range.upperBound))
    }

    var range: Range<Int> { Int(start)..<Int(end) }
}

extension JSONValue {
    var range: Range<Int> { bytes.range }

    /// Empty where it is no object.
    var members: [JSONMember] {
        if case .object(let members) = content { members } else { [] }
    }

    /// The elements of a list; empty where it is none.
    var elements: [JSONValue] {
        if case .array(let values) = content { values } else { [] }
    }

    var string: String? {
        if case .string(let text) = content { text } else { nil }
    }

    /// Of an object, by key; nil where it is none or has no such key.
    subscript(key: String) -> JSONValue? { members.first { $0.key == key }?.value }
}

struct JSONMember: Sendable {
    var key: String
    var keyPosition: TextPosition
    var value: JSONValue
}

/// Why a text is no JSON, at the first character that can't stand where it stands.
struct JSONTrouble: Error {
    var position: TextPosition
    var text: String
}
