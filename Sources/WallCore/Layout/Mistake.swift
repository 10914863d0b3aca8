/// One mistake in a layout file.
public struct Mistake: Hashable, Sendable {
    /// From 1; columns in Unicode scalars.
    public var line: Int
    public var column: Int
    /// A path such as `tiles[1].play[0].rate`, or `JSON`.
    public var place: String
    /// What is wrong, and what would be right: one line.
    public var text: String

    public init(line: Int, column: Int, place: String, text: String) {
        (self.line, self.column, self.place, self.text) = (line, column, place, text)
    }

    public func rendered(path: String) -> String { "\(path):\(line):\(column): \(place): \(text)" }
}

/// Collects the mistakes of one reading; used by one thread.
final class MistakeList {
    private var found: [Mistake] = []

    func add(_ text: String, at position: TextPosition, place: String) {
        found.append(Mistake(line: position.line, column: position.column, place: place, text: text))
    }

    /// In the order of the file.
    var sorted: [Mistake] {
        found.enumerated().sorted {
            ($0.element.line, $0.element.column, $0.offset) < ($1.element.line, $1.element.column, $1.offset)
        }.map(\.element)
    }
}

extension String {
    /// In double quotes, on one line, without secrets and without characters that cannot be seen, not over 40
    /// characters.
    var quoted: String {
        var text = "\""
        for scalar in SourceName.withoutSecrets(self).cut().unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\t": text += "\\t"
            default: text += scalar.printable
            }
        }
        return text + "\""
    }

    /// Its first 40 Unicode scalars, and a mark if there are more.
    func cut() -> String {
        var short = String.UnicodeScalarView(unicodeScalars.prefix(40))
        if unicodeScalars.dropFirst(40).first != nil { short.append("…") }
        return String(short)
    }
}
