import Files
import WallCore

/// `quadrille log`: sums of what `play --log` wrote, by day, tile and item.
struct LogCommand {
    private let options: LogOptions

    init(_ options: LogOptions) { self.options = options }

    func run() -> Int32 {
        var summary = PlayLogSummary()
        var (isThere, isWhole) = (false, true)
        for name in PlayLogFolder.names(in: options.folder) {
            guard let date = PlayLogFolder.date(ofName: name) else { continue }
            isThere = true
            switch bytes(of: "\(options.folder)/\(name)", atMost: Self.longest) {
            case .success((let lines, _)):
                summary.add(lines, day: date.text)
            case .failure(let trouble):
                say("quadrille: log \(options.folder)/\(name): \(trouble); it is left out")
                isWhole = false
            }
        }
        guard isThere else {
            say("quadrille: log \(options.folder): there is no log in it: no file is called YYYY-MM-DD.jsonl")
            return ExitStatus.failed
        }
        if summary.unreadable > 0 {
            say("quadrille: log: left out, since they are torn or no lines of a log: \(summary.unreadable)")
        }
        let status = isWhole ? ExitStatus.done : ExitStatus.failed
        switch options.form {
        case .table: return answer(table(summary.sorted), status: status)
        case .csv: return answer(csv(summary.sorted), status: status)
        case .json: return answer([json(summary.sorted)], status: status)
        }
    }

    /// Of a day.
    private static let longest = 4 << 30

    private static let names = [
        "day", "tile", "item", "source", "plays", "whole", "seconds", "presented", "missed", "late",
    ]

    private func values(_ row: PlayLogSummary.Row) -> [String] {
        [
            row.day, row.tile, "\(row.item)", row.source, "\(row.plays)", "\(row.whole)", fixed(row.seconds, 3),
            "\(row.presented)", "\(row.missed)", "\(row.late)",
        ]
    }

    /// Numbers to the right.
    private func table(_ rows: [PlayLogSummary.Row]) -> [String] {
        let lines = [Self.names] + rows.map(values)
        let widths = Self.names.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        return lines.map { line in
            let cells = line.enumerated().map { column, text in
                let room = String(repeating: " ", count: widths[column] - text.count)
                return [0, 1, 3].contains(column) ? text + room : room + text
            }
            return cells.joined(separator: "  ")
        }
    }

    private func csv(_ rows: [PlayLogSummary.Row]) -> [String] {
        ([Self.names] + rows.map(values)).map { $0.map(\.csvField).joined(separator: ",") }
    }

    private func json(_ rows: [PlayLogSummary.Row]) -> String {
        JSONWriter.text(
            .list(
                rows.map { row in
                    .object([
                        PropertyField("day", .text(row.day)), PropertyField("tile", .text(row.tile)),
                        PropertyField("item", .integer(row.item)), PropertyField("source", .text(row.source)),
                        PropertyField("plays", .integer(row.plays)), PropertyField("whole", .integer(row.whole)),
                        PropertyField("seconds", .number(row.seconds)),
                        PropertyField("presented", .integer(row.presented)),
                        PropertyField("missed", .integer(row.missed)), PropertyField("late", .integer(row.late)),
                    ])
                }), escaping: .unprintable)
    }
}
