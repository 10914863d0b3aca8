/// A place in a text: lines and columns from 1, columns in Unicode scalars.
public struct TextPosition: Hashable, Comparable, Sendable {
    public var line = 1
    public var column = 1

    public init(line: Int = 1, column: Int = 1) { (self.line, self.column) = (line, column) }

    public static func < (a: TextPosition, b: TextPosition) -> Bool { (a.line, a.column) < (b.line, b.column) }
}

/// A JSON value with its position in the text.
public struct JSONValue: Sendable {
    /// Position of its first character.
    public var position: TextPosition
    /// Its bytes in the text of at most 4 GiB, with quotes and brackets. Half as large as a range of Int: every value of
    /// a layout has one.
    let bytes: Range<UInt32>
    public var content: Content

    public enum Content: Sendable {
        case null
        case bool(Bool)
        /// Infinite if it is too large for a Double. `text` is for messages and may be cut.
        case number(Double, text: String)
        case string(String)
        case array([JSONValue])
        /// In the order of the file, duplicate keys included.
        case object([JSONMember])
    }

    public var range: Range<Int> { Int(bytes.lowerBound)..<Int(bytes.upperBound) }

    /// Members of an object; empty for other values.
    public var members: [JSONMember] { if case .object(let members) = content { members } else { [] } }

    /// Elements of a list; empty for other values.
    public var elements: [JSONValue] { if case .array(let values) = content { values } else { [] } }

    public var number: Double? { if case .number(let number, _) = content { number } else { nil } }

    public var string: String? { if case .string(let text) = content { text } else { nil } }

    /// Returns the value of an object's key; nil if there is none.
    public subscript(key: String) -> JSONValue? { members.first { $0.key == key }?.value }
}

public struct JSONMember: Sendable {
    public var key: String
    public var keyPosition: TextPosition
    public var value: JSONValue
}

/// Why a text is no JSON. `position`: the first character that is not allowed there.
public struct JSONTrouble: Error {
    public var position: TextPosition
    public var text: String
}
