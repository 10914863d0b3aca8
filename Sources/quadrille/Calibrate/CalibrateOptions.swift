import Console

/// The command line of `calibrate`.
struct CalibrateOptions {
    enum Task { case byEar, byEye, forget }

    private(set) var task = Task.byEar
    /// Names on the sound server; nil if its default is meant.
    private(set) var output: String?
    private(set) var input: String?
    private(set) var window = WindowOptions()

    /// Options that choose a task, in the order of the command line.
    private var tasks: [String] = []

    static let options = Option<CalibrateOptions>.table(
        [
            Option("output", .name, "the sound output, as pactl calls it", default: "the default one", into: \.output),
            Option("input", .name, "the microphone", default: "the default input", into: \.input),
            Option(flag: "by-eye", "measure how late the screen is: a flash and a click are made to meet") {
                $0.choose(.byEye, "--by-eye")
            },
            Option(flag: "forget", "forget all that was ever measured") { $0.choose(.forget, "--forget") },
        ],
        WindowOptions.options.lifted(into: \.window), [.help])

    init(_ arguments: [String]) throws(UsageMistake) {
        if let text = try Self.options.read(arguments, into: &self).first {
            throw UsageMistake("\(text): calibrate plays its own clicks, and takes no files")
        }
        if tasks.count > 1 { throw UsageMistake("\(tasks[0]) and \(tasks[1]): one of them") }
        if task != .byEar, let name = input.map({ _ in "--input" }) ?? output.map({ _ in "--output" }) {
            throw UsageMistake("\(name) is for the microphone, and \(tasks[0]) needs none")
        }
    }

    private mutating func choose(_ task: Task, _ option: String) {
        self.task = task
        tasks.append(option)
    }
}

extension OptionValue where Value == String {
    /// Name of an output or input of the sound server.
    fileprivate static var name: OptionValue {
        OptionValue(.text, "NAME") { text, option throws(UsageMistake) in
            if text.isEmpty {
                throw UsageMistake("\(option) needs a name; pactl list short sinks (or sources) lists them")
            }
            return text
        }
    }
}
