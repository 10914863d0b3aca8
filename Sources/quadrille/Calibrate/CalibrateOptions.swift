import Console

/// The command line of `calibrate`.
struct CalibrateOptions {
    enum Task { case byEar, byEye, forget }

    private(set) var task = Task.byEar
    /// Names on the sound server; nil if its default is meant.
    private(set) var output: String?
    private(set) var input: String?
    private(set) var window = WindowOptions()
    private(set) var wantsHelp = false

    static let specs =
        [
            OptionSpec(name: "output", value: "NAME", help: "the sound output, as pactl calls it (the default one)"),
            OptionSpec(name: "input", value: "NAME", help: "the microphone (the default input)"),
            OptionSpec(
                name: "by-eye", value: nil, help: "how late the screen is: a flash and a click are made to meet"),
            OptionSpec(name: "forget", value: nil, help: "all that was ever measured"),
        ] + WindowOptions.specs + [OptionSpec(name: "help", value: nil, help: "this text")]

    init(_ arguments: [String]) throws(UsageMistake) {
        var reader = Arguments(arguments, specs: Self.specs)
        var tasks: [String] = []
        while let argument = try reader.next() {
            switch argument {
            case .operand(let text): throw UsageMistake("\(text): calibrate plays its own clicks, and takes no files")
            case .option("help", _): wantsHelp = true
            case .option("output", let value): output = try Self.name(value, "--output")
            case .option("input", let value): input = try Self.name(value, "--input")
            case .option(let name, _) where ["by-eye", "forget"].contains(name):
                task = name == "forget" ? .forget : .byEye
                tasks.append("--\(name)")
            case .option(let name, let value): _ = try window.take(name, value)
            }
        }
        if tasks.count > 1 { throw UsageMistake("\(tasks[0]) and \(tasks[1]): one of them") }
        if task != .byEar, let name = input.map({ _ in "--input" }) ?? output.map({ _ in "--output" }) {
            throw UsageMistake("\(name) is for the microphone, and \(tasks[0]) needs none")
        }
    }

    private static func name(_ value: String, _ option: String) throws(UsageMistake) -> String {
        if value.isEmpty {
            throw UsageMistake("\(option) needs a name; pactl list short sinks (or sources) lists them")
        }
        return value
    }
}
