import Console

/// The command line of `check`.
public struct CheckOptions {
    enum Form { case text, json }

    var content = WallContent.media([])
    var form = Form.text
    /// Number of pipelines; nil if the layout's number is meant.
    var pipelines: Int?
    /// Trace that a run wrote with --trace; nil if there is none.
    var trace: String?
    /// Options with which the layout would be played.
    var wall = WallOptions()
    public var wantsHelp = false

    public static let specs = [
        OptionSpec(name: "json", value: nil, help: "as JSON on standard output"),
        OptionSpec(name: "pipelines", value: "N", help: "for so many decoders (the layout's)"),
        OptionSpec(
            name: "trace", value: "FILE", help: "the seams that play --trace FILE measured, beside the promised"),
        OptionSpec(name: "together", value: nil, help: "check as for play --together"),
        OptionSpec(name: "no-loop", value: nil, help: "check as for play --no-loop"),
        OptionSpec(name: "help", value: nil, help: "this text"),
    ]

    public init(_ arguments: [String]) throws(UsageMistake) {
        var reader = Arguments(arguments, specs: Self.specs)
        var operands: [String] = []
        while let argument = try reader.next() {
            switch argument {
            case .operand(let text): operands.append(text)
            case .option("json", _): form = .json
            case .option("pipelines", let value): pipelines = try Values.whole(value, 1...64, "--pipelines")
            case .option("trace", let value): trace = value
            case .option(let name, let value): if try wall.take(name, value) == .another { wantsHelp = true }
            }
        }
        if wantsHelp { return }
        content = try WallContent(operands)
        try wall.check(content)
    }
}
