import Base
import Commands
import Console
import Tools

/// Help of a subcommand. `--help`, the overview of all subcommands and `quadrille --registry` are made from it.
struct HelpPage {
    /// One line for lists, such as the names of manual pages.
    let summary: String
    /// Command lines without the program's name, and their remarks in the overview; empty if the line says enough.
    var usages: KeyValuePairs<String, String> = [:]
    /// Kind of the operands; nil if there are none. `command`: a command of the control socket with its arguments, or
    /// one of `CtlCommand.words`.
    var operands: NameKind?
    /// Options that the subcommand takes, in the order of its help.
    var options: [OptionSpec] = []
    /// First paragraph of the help, which follows the subcommand's name. The help breaks its lines anew.
    var introduction = ""
    var optionsTitle = "options"
    /// Further tables, such as keys.
    var tables: [Table] = []
    /// Paragraphs between the tables and the exit statuses.
    var notes: [String] = []
    var exits: Exits?

    /// Names with their descriptions.
    struct Table {
        let title: String
        let rows: [(name: String, description: String)]

        var lines: [String] { [title] + aligned(rows.map { [$0.name, $0.description] }).map { "  \($0)" } }
    }

    /// Meanings of the exit statuses; nil for those that the subcommand does not have.
    struct Exits {
        var done = "done"
        let failed: String
        var usage = "wrong usage"
        var seams: String?
        var displayGone: String?
        var unwritten: String?
        var signal: String?

        var list: [(status: String, meaning: String)] {
            let meanings: [String?] = [done, failed, usage, seams, displayGone, unwritten]
            let numbered = meanings.enumerated().map { ("\($0)", $1) } + [("128 + N", signal)]
            return numbered.compactMap { status, meaning in meaning.map { (status, $0) } }
        }
    }

    /// Lines of the help of a subcommand.
    func lines(of subcommand: Subcommand) -> [String] {
        let paragraphs = [
            Self.wrapped("quadrille \(subcommand.rawValue): \(introduction)"), Self.usageLines(usages.map(\.key)),
            optionTable(optionsTitle).lines,
        ]
        return Self.joined(paragraphs + tables.map(\.lines) + notes.map(Self.wrapped) + [exitLines])
    }

    func optionTable(_ title: String) -> Table { Table(title: title, rows: options.map { ($0.usage, $0.help) }) }

    static func usageLines(_ usages: [String]) -> [String] {
        usages.enumerated().map { place, line in (place == 0 ? "usage: quadrille " : "       quadrille ") + line }
    }

    /// Exit statuses as a paragraph.
    var exitLines: [String] {
        let exits = exits?.list.map { "\($0.status) \($0.meaning)" } ?? []
        return Self.wrapped("exit status: " + exits.joined(separator: ", "))
    }

    /// The description as an object, for `quadrille --registry`.
    var json: PropertyValue {
        let exits = (exits?.list ?? []).map { status, meaning -> PropertyValue in
            ["status": .text(status), "meaning": .text(meaning)]
        }
        let page: PropertyValue = [
            "summary": .text(summary), "usage": .list(usages.map { .text($0.key) }), "exit": .list(exits),
        ]
        guard operands == .command else { return page }
        let words = CtlCommand.words.map { word -> PropertyValue in
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

extension HelpPage.Table {
    init(title: String, keys: KeyTable) {
        self.init(title: title, rows: keys.lines.map { ($0.keys, $0.description) })
    }
}
