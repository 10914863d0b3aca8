import Analysis
import Console

/// The command line of `log`.
public struct LogOptions {
    enum Form { case table, csv, json }

    var folder = ""
    var form = Form.table
    var grouping = PlayLogSummary.Grouping.source
    public var wantsHelp = false

    public static let specs = [
        OptionSpec(
            name: "by", value: "source|item", help: "a row for each source of a tile, or for each place (source)"),
        OptionSpec(name: "csv", value: nil, help: "as CSV"), OptionSpec(name: "json", value: nil, help: "as JSON"),
        OptionSpec(name: "help", value: nil, help: "this text"),
    ]

    public init(_ arguments: [String]) throws(UsageMistake) {
        var reader = Arguments(arguments, specs: Self.specs)
        var operands: [String] = []
        while let argument = try reader.next() {
            switch argument {
            case .operand(let text): operands.append(text)
            case .option("by", let value):
                let groupings: [String: PlayLogSummary.Grouping] = ["source": .source, "item": .item]
                grouping = try Values.word(value, "--by", ["source", "item"]) { groupings[$0] }
            case .option("csv", _): form = .csv
            case .option("json", _): form = .json
            case .option: wantsHelp = true
            }
        }
        if wantsHelp { return }
        guard operands.count == 1 else { throw UsageMistake("log takes one folder, as --log was given it") }
        folder = operands[0]
    }
}
