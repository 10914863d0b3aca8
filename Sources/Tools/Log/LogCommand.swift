import Analysis
import Base
import Console
import Files
import Glibc
import Layout

/// `quadrille log`: sums of what `play --log` wrote, by day, tile and source.
public struct LogCommand {
    private enum Form { case table, csv, json }

    private var folder = ""
    private var form = Form.table
    private var grouping = PlayLogSummary.Grouping.source

    public static let options: [Option<LogCommand>] = [
        Option(
            "by", .oneOf(["source", "item"]), "a row for each source of a tile, or for each place"
        ) { $0.grouping = $1 }.default("source"),
        Option(flag: "csv", "print CSV") { $0.form = .csv },
        Option(flag: "json", "print JSON") { $0.form = .json },
        .help,
    ]

    public init(_ arguments: [String]) throws(UsageMistake) {
        let operands = try Self.options.read(arguments, into: &self)
        guard operands.count == 1 else { throw UsageMistake("log takes one folder, as --log was given it") }
        folder = operands[0]
    }

    public func run() -> Int32 { Failure.status(of: sum) }

    private func sum() throws(Failure) -> Int32 {
        var summary = PlayLogSummary(by: grouping)
        var isWhole = true
        let days = PlayLogFolder.dates(in: folder).map(\.text)
        for day in days {
            let file = "\(folder)/\(day).jsonl"
            switch bytes(of: file, atMost: Self.longest) {
            case .success((let lines, _)): summary.add(lines, day: day)
            case .failure(let trouble):
                printLine("quadrille: log \(file): \(trouble); it is left out")
                isWhole = false
            }
        }
        guard !days.isEmpty else {
            let isFolder = access(folder, F_OK) == 0
            let reason =
                isFolder ? "there is no log in it: no file is called YYYY-MM-DD.jsonl" : "there is no such folder"
            throw Failure("log \(folder): \(reason)")
        }
        if summary.unreadable > 0 {
            printLine("quadrille: log: left out, since they are torn or no lines of a log: \(summary.unreadable)")
        }
        let status = isWhole ? ExitStatus.done : ExitStatus.failed
        switch form {
        case .table: return printOutput(table(summary.rows), status: status)
        case .csv: return printOutput(csv(summary.rows), status: status)
        case .json: return printOutput([json(summary.rows)], status: status)
        }
    }

    /// Largest size of a day's log, in bytes.
    private static let longest = 4 << 30

    /// Columns of text, which are aligned left.
    private static let texts: Set<String> = ["day", "tile", "source"]

    /// Returns the columns of a row, by name. `share` is a fraction from 0 to 1.
    private func fields(_ row: PlayLogSummary.Row) -> [PropertyField] {
        let columns: PropertyValue = [
            "day": .text(row.key.day), "tile": .text(row.key.tile), "item": .integerOrNull(row.key.item),
            "source": .text(row.key.source), "plays": .integer(row.plays), "whole": .integer(row.whole),
            "share": .numberOrNull(row.share.map(Self.cut)), "seconds": .number(row.seconds),
            "frames": .integer(row.frames), "presented": .integer(row.presented),
            "missed": .integer(row.dropped), "late": .integer(row.late),
        ]
        return columns.fields.filter { names.contains($0.name) }
    }

    /// Rounds down to four digits: 0.98996 must not become 0.99.
    private static func cut(_ share: Double) -> Double { (share * 10_000 + 1e-6).rounded(.down) / 10_000 }

    private var names: [String] {
        let shared = ["source", "plays", "whole", "share", "seconds", "frames", "presented", "missed", "late"]
        return ["day", "tile"] + (grouping == .item ? ["item"] : []) + shared
    }

    private func words(_ field: PropertyField, share: (Double) -> String) -> String {
        switch field.value {
        case .text(let text): text
        case .integer(let number): "\(number)"
        case .number(let number): field.name == "share" ? share(number) : fixed(number, 3)
        default: ""
        }
    }

    /// Returns the columns of a row for a table, where a song has its title and artist in place of its file.
    private func shown(_ row: PlayLogSummary.Row) -> [PropertyField] {
        fields(row).map { field in
            guard field.name == "source", let names = row.names else { return field }
            return PropertyField("source", .text(names.text))
        }
    }

    /// Returns a table with its numbers aligned right.
    private func table(_ rows: [PlayLogSummary.Row]) -> [String] {
        let names = names
        let cells = rows.map {
            shown($0).map { words($0) { "\(fixed(($0 * 1000 + 1e-6).rounded(.down) / 10, 1)) %" } }
        }
        return aligned([names] + cells, right: Set(names.indices.filter { !Self.texts.contains(names[$0]) }))
    }

    private func csv(_ rows: [PlayLogSummary.Row]) -> [String] {
        ([names] + rows.map { fields($0).map { words($0) { fixed($0, 4) } } })
            .map { $0.map(\.csvField).joined(separator: ",") }
    }

    private func json(_ rows: [PlayLogSummary.Row]) -> String {
        let objects = rows.map { PropertyValue.object(fields($0)).adding($0.names?.json ?? [:]) }
        return JSONWriter.text(.list(objects), escaping: .unprintable)
    }
}

extension MediaNames {
    /// The names as fields of an object.
    var json: PropertyValue {
        (["title": .text(title), "artist": .textOrNull(artist)] as PropertyValue).withoutNulls
    }
}
