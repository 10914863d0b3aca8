import Base

/// The user's own keys: a line `KEY COMMAND ...` for each, as in mpv's input.conf. `#` begins a comment. A wrong line
/// binds nothing.
public struct KeyFile: Sendable {
    public private(set) var keys: [KeyPress: KeyCommand] = [:]
    /// nil if there are none.
    public let mistakes: Mistakes?

    public init(_ bytes: [UInt8]) {
        let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = bytes.starts(with: byteOrderMark) ? bytes.dropFirst(byteOrderMark.count) : bytes[...]
        let list = MistakeList()
        var lines: [KeyPress: (name: String, number: Int)] = [:]
        for (index, bytes) in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            guard let line = Line(bytes, number: index + 1) else { continue }
            func refuse(_ complaint: @autoclosure () -> String, at column: Int) {
                let position = TextPosition(line: line.number, column: column)
                list.add(complaint(), at: position, place: line.key.cut())
            }
            guard let press = KeyPress(name: line.key) else {
                refuse(KeyPress.complaint(about: line.key), at: line.keyColumn)
                continue
            }
            guard let text = line.command else {
                refuse("a command, such as \"focus left\", is missing", at: line.keyColumn)
                continue
            }
            do throws(ControlError) {
                let command = try KeyCommand(text)
                if let other = lines[press] {
                    if keys[press] == command { continue }
                    let same = other.name == line.key ? "the key" : "another name of the key"
                    refuse(
                        "\(same) \(other.name.quoted) of line \(other.number); one of them would be right",
                        at: line.keyColumn)
                } else {
                    (keys[press], lines[press]) = (command, (line.key, line.number))
                }
            } catch { refuse(error.complaint(aboutCommand: text.quoted), at: line.commandColumn) }
        }
        mistakes = list.mistakes
    }

    /// A line with its words, and their columns in Unicode scalars, from 1.
    private struct Line {
        let number: Int
        let key: String
        let keyColumn: Int
        /// nil if the line has none.
        let command: String?
        let commandColumn: Int

        /// nil for a line without a key.
        init?(_ bytes: ArraySlice<UInt8>, number: Int) {
            let line = String(decoding: bytes, as: UTF8.self).unicodeScalars
            let rest = line.drop(while: Self.isBlank)
            guard let first = rest.first, first != "#" else { return nil }
            let key = rest.prefix { !Self.isBlank($0) }
            let text = rest.dropFirst(key.count).drop(while: Self.isBlank)
            let command = String(text.trimmed)
            (self.number, self.key) = (number, String(key))
            keyColumn = line.count - rest.count + 1
            self.command = command.isEmpty || command.hasPrefix("#") ? nil : command
            commandColumn = line.count - text.count + 1
        }

        private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
            UInt8(exactly: scalar.value).map(TextCommands.isBlank) ?? false
        }
    }
}

extension ControlError {
    /// Returns the message about the command of a key, which was refused with this error.
    public func complaint(aboutCommand shown: String) -> String {
        "\(shown) is wrong here; \(detail ?? word.rawValue)"
    }
}
