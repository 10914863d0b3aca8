import Analysis
import Console

/// The command line of `log`.
public struct LogOptions {
    enum Form { case table, csv, json }

    var folder = ""
    var form = Form.table
    var grouping = PlayLogSummary.Grouping.source

    public static let options: [Option<LogOptions>] = [
        Option(
            "by", .oneOf(["source": .source, "item": .item]),
            "a row for each source of a tile, or for each place", default: "source", into: \.grouping),
        Option(flag: "csv", "print CSV", sets: \.form, to: .csv),
        Option(flag: "json", "print JSON", sets: \.form, to: .json),
        .help,
    ]

    public init(_ arguments: [String]) throws(UsageMistake) {
        let operands = try Self.options.read(arguments, into: &self)
        guard operands.count == 1 else { throw UsageMistake("log takes one folder, as --log was given it") }
        folder = operands[0]
    }
}
