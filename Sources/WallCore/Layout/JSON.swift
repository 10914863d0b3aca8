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
