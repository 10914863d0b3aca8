import Base
import Commands
import Console
import Tools

/// Help of a subcommand. `--help`, the overview of all subcommands and `quadrille --registry` are made from it.
struct HelpPage {
    /// One line for lists, such as the names of manual pages.
    let summary: String
    let usages: [Usage]
    let operands: Operands
    /// First paragraph of the help, which follows the subcommand's name. The help breaks its lines anew.
    let introduction: String
    var optionsTitle = "options"
    /// Further tables, such as keys.
    var tables: [Table] = []
    /// Paragraphs between the tables and the exit statuses.
    var notes: [String] = []
    let exits: [Exit]

    /// A command line, without the program's name.
    struct Usage {
        let line: String
        /// Remark in the overview; empty if the line says enough.
        var remark = ""
    }

    /// Operands of a command line.
    enum Operands {
        case nothing
        /// A layout, or media.
        case layoutOrMedia
        case media, folder, subcommand
        /// A command of the control socket with its arguments. `more`: words that only the subcommand takes.
        case command(more: [CtlOptions.Word])
    }

    /// Names with their descriptions.
    struct Table {
        let title: String
        let rows: [(name: String, description: String)]

        init(title: String, rows: [(name: String, description: String)]) { (self.title, self.rows) = (title, rows) }

        init(title: String, keys: KeyTable) {
            self.init(title: title, rows: keys.lines.map { ($0.keys, $0.description) })
        }

        var lines: [String] {
            let width = rows.map(\.name.count).max() ?? 0
            return [title]
                + rows.map { name, description in
                    "  " + name + String(repeating: " ", count: width + 2 - name.count) + description
                }
        }
    }

    /// An exit status and its meaning.
    struct Exit {
        let status: String
        let meaning: String

        static func status(_ status: Int32, _ meaning: String) -> Exit {
            Exit(status: String(status), meaning: meaning)
        }

        /// Status after signal N.
        static func signal(_ meaning: String) -> Exit { Exit(status: "128 + N", meaning: meaning) }
    }

    /// Lines of the help of a subcommand.
    func lines(of subcommand: Subcommand) -> [String] {
        let usage = usages.enumerated().map { place, usage in
            (place == 0 ? "usage: quadrille " : "       quadrille ") + usage.line
        }
        var paragraphs = [
            Self.wrapped("quadrille \(subcommand.rawValue): \(introduction)"), usage,
            subcommand.optionTable(optionsTitle).lines,
        ]
        paragraphs += tables.map(\.lines)
        return Self.joined(paragraphs + notes.map(Self.wrapped) + [exitLines])
    }

    /// Exit statuses as a paragraph.
    var exitLines: [String] {
        Self.wrapped("exit status: " + exits.map { "\($0.status) \($0.meaning)" }.joined(separator: ", "))
    }

    /// The description as an object, for `quadrille --registry`.
    var json: PropertyValue {
        let exits = exits.map { exit -> PropertyValue in
            ["status": .text(exit.status), "meaning": .text(exit.meaning)]
        }
        let page: PropertyValue = [
            "summary": .text(summary), "usage": .list(usages.map { .text($0.line) }), "exit": .list(exits),
        ]
        guard case .command(let more) = operands, !more.isEmpty else { return page }
        let words = more.map { word -> PropertyValue in
            ["name": .text(word.name), "usage": .text(word.usage), "help": .text(word.help)]
        }
        return page.adding(["words": .list(words)])
    }

    /// Paragraphs as lines, with an empty line between them.
    static func joined(_ paragraphs: [[String]]) -> [String] { Array(paragraphs.joined(separator: [""])) }

    private static let width = 120

    /// A paragraph as lines, broken at blanks.
    static func wrapped(_ text: String) -> [String] {
        var lines = [""]
        for word in text.split(whereSeparator: \.isWhitespace) {
            let line = lines[lines.count - 1]
            if line.isEmpty {
                lines[lines.count - 1] = String(word)
            } else if line.count + 1 + word.count <= width {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}

extension Subcommand {
    func optionTable(_ title: String) -> HelpPage.Table {
        HelpPage.Table(title: title, rows: options.map { ($0.usage, $0.help) })
    }
}
