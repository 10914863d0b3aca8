import Base

/// Prefixes that mpv allows before a command's name. Prefixes for the on-screen display are accepted and ignored.
public enum CommandPrefix: String, Sendable {
    case async, sync, raw, repeatable
    case expandProperties = "expand-properties"
    case noOSD = "no-osd"
    case osdBar = "osd-bar"
    case osdMessage = "osd-msg"
    case osdMessageBar = "osd-msg-bar"
    case osdAuto = "osd-auto"
    case nonRepeatable = "nonrepeatable"
    case nonScalable = "nonscalable"
}

/// One command from a line of text.
public struct TextCommand: Hashable, Sendable {
    public let prefixes: [CommandPrefix]
    public let name: String
    public let arguments: [String]
}

/// Reads a line of text commands, as mpv's input.conf has them: words between blanks, in "double quotes" with escapes,
/// in 'single quotes', or between `X and X` for any X; ";" between commands; "#" begins a comment.
public struct TextCommands {
    /// Returns the commands of a line. Throws, so that none is run, if the line is not well formed.
    public static func parse(_ line: [UInt8]) throws(ControlError) -> [TextCommand] {
        var parser = TextCommands(line: line[...])
        var commands: [TextCommand] = []
        repeat {
            var words: [String] = []
            while let word = try parser.word() { words.append(word) }
            let prefixes = words.lazy.map { CommandPrefix(rawValue: $0) }.prefix { $0 != nil }.compactMap { $0 }
            let rest = words.dropFirst(prefixes.count)
            guard let name = rest.first, !name.isEmpty else {
                throw ControlError(.invalidParameter, because: "a command's name is missing")
            }
            commands.append(TextCommand(prefixes: Array(prefixes), name: name, arguments: Array(rest.dropFirst())))
        } while parser.skipSemicolon()
        return commands
    }

    /// Rest of the line that is not read yet.
    private var line: ArraySlice<UInt8>

    /// Returns true if another command follows. A semicolon at the end of the line begins none.
    private mutating func skipSemicolon() -> Bool {
        skipSpace()
        guard line.first == UInt8(ascii: ";") else { return false }
        line.removeFirst()
        skipSpace()
        return line.first.map { !TextCommands.endsWord($0) } ?? false
    }

    private static let brokenQuote = ControlError(
        .invalidParameter, because: "a quote does not end, or holds an unknown escape")

    /// Returns the next word; nil at the end of a command.
    private mutating func word() throws(ControlError) -> String? {
        skipSpace()
        guard let first = line.first else { return nil }
        switch first {
        case UInt8(ascii: "\""): return try doubleQuoted()
        case UInt8(ascii: "'"): return try quoted(until: [first], after: 1)
        case UInt8(ascii: "`") where line.count > 1:
            return try quoted(until: [line[line.startIndex + 1], first], after: 2)
        default:
            let word = line.prefix { !TextCommands.endsWord($0) }
            line.removeFirst(word.count)
            return word.isEmpty ? nil : String(decoding: word, as: UTF8.self)
        }
    }

    private mutating func doubleQuoted() throws(ControlError) -> String {
        line.removeFirst()
        var text: [UInt8] = []
        while let byte = line.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let length = appendEscape(line, to: &text), text.last != 0 else { throw Self.brokenQuote }
                line.removeFirst(length)
            default: text.append(byte)
            }
        }
        throw Self.brokenQuote
    }

    private mutating func quoted(until end: [UInt8], after opening: Int) throws(ControlError) -> String {
        line.removeFirst(opening)
        var length = 0
        while !line.dropFirst(length).starts(with: end) {
            guard length < line.count else { throw Self.brokenQuote }
            length += 1
        }
        defer { line.removeFirst(length + end.count) }
        return String(decoding: line.prefix(length), as: UTF8.self)
    }

    private mutating func skipSpace() { line = line.drop(while: TextCommands.isBlank) }

    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private static func endsWord(_ byte: UInt8) -> Bool {
        isBlank(byte) || byte == UInt8(ascii: "#") || byte == UInt8(ascii: ";")
    }
}
