/// The command line of `check`.
struct CheckOptions {
    enum Form { case text, json }

    var input = Input.media([])
    var form = Form.text
    var wantsHelp = false

    static let specs = [
        OptionSpec(name: "json", value: nil, help: "as JSON on standard output"),
        OptionSpec(name: "help", value: nil, help: "this text"),
    ]

    init(_ arguments: [String]) throws(UsageMistake) {
        var reader = Arguments(arguments, specs: Self.specs)
        var operands: [String] = []
        while let argument = try reader.next() {
            switch argument {
            case .operand(let text): operands.append(text)
            case .option("json", _): form = .json
            case .option: wantsHelp = true
            }
        }
        if !wantsHelp { input = try Input(operands) }
    }
}
