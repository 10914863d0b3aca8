import Base
import Console
import Glibc
import Measurement

/// `quadrille calibrate`: measures how late recordings and the screen of this machine are.
struct CalibrateCommand {
    /// A task other than listening, by its option.
    private enum Task: String { case byEye = "--by-eye", forget = "--forget" }

    /// In the order of the command line. More than one is a mistake.
    private var tasks: [Task] = []
    /// Names on the sound server; nil if its default is meant.
    private var output: String?
    private var input: String?
    private var window = WindowOptions()

    static let options = Option<CalibrateCommand>.table(
        [
            Option("output", .text("NAME"), "the sound output, as pactl calls it") { $0.output = $1 }
                .default("the default one"),
            Option("input", .text("NAME"), "the microphone") { $0.input = $1 }.default("the default input"),
            Option(flag: "by-eye", "measure how late the screen is: a flash and a click are made to meet") {
                $0.tasks.append(.byEye)
            },
            Option(flag: "forget", "forget all that was ever measured") { $0.tasks.append(.forget) },
        ],
        WindowOptions.options.lifted(into: \.window), [.help])

    init(_ arguments: [String]) throws(UsageMistake) {
        if let text = try Self.options.read(arguments, into: &self).first {
            throw UsageMistake("\(text): calibrate plays its own clicks, and takes no files")
        }
        for (option, name) in [("--output", output), ("--input", input)] where name == "" {
            throw UsageMistake("\(option) needs a name; pactl list short sinks (or sources) lists them")
        }
        guard let task = tasks.first else { return }
        if tasks.count > 1 { throw UsageMistake("\(task.rawValue) and \(tasks[1].rawValue): one of them") }
        if let name = input.map({ _ in "--input" }) ?? output.map({ _ in "--output" }) {
            throw UsageMistake("\(name) is for the microphone, and \(task.rawValue) needs none")
        }
    }

    /// `start`: time at which the program began.
    func run(since start: Int64) -> Int32 {
        switch tasks.first {
        case nil: Ending.status(of: listen)
        case .byEye: Failure.status { try FlashAndClick.play(in: window, since: start) }
        case .forget:
            Failure.status {
                let wasThere = try KeptCalibration.forget()
                let words = wasThere ? "\(KeptCalibration.path) is forgotten" : "nothing was kept"
                return printOutput([words], status: ExitStatus.done)
            }
        }
    }

    private func listen(_ ending: Ending) throws -> Int32 {
        ending.prepare { $0 }
        guard let lock = KeptCalibration.lock() else {
            throw Failure("another calibrate is listening; one after the other would be right")
        }
        defer { close(lock) }
        // A measurement that can't be kept is not begun.
        _ = try KeptCalibration.read()
        printLine("quadrille: \(Click.count) clicks; be quiet for a quarter of a minute")
        let heard = Result { () throws(Failure) in
            try ClickLoop.listen(output: output, input: input, isEndRequested: { ending.isRequested })
        }
        ending.leaveToMainThread()
        if let asked = ending.status { return asked }
        let (verdict, pair) = try heard.get()
        return try keep(verdict, pair)
    }

    private func keep(_ verdict: Click.Verdict, _ pair: Calibration.Pair) throws -> Int32 {
        let names = "\(pair.output) to \(pair.input)"
        switch verdict {
        case .nothingHeard:
            throw Failure("\(names): no click is heard; is the output loud enough, and the microphone on?")
        case .tooMuchNoise(let heard):
            throw Failure(
                "\(names): too much noise: \(heard) of \(Click.count) clicks are heard; "
                    + "a louder output or a quieter room would be right")
        case .unsteady(let spread):
            throw Failure(
                "\(names): the delays of the clicks differ by \(Self.milliseconds(spread)) ms; "
                    + "the delay of takes can't be measured")
        case .measured(let late, let spread, let heard):
            let date = SystemTime.text(SystemTime.nanoseconds)
            try KeptCalibration.keep {
                $0.keep(Calibration.Lateness(late: late, spread: spread, date: date), for: pair)
            }
            return printOutput(
                [
                    "\(names): takes are \(Self.milliseconds(late)) ms later than the sound server reports "
                        + "(\(heard) of \(Click.count) clicks, spread \(Self.milliseconds(spread)) ms)",
                    "kept in \(KeptCalibration.path); quadrille calibrate --forget forgets it",
                ], status: ExitStatus.done)
        }
    }

    /// Returns a time in milliseconds, with two decimals.
    private static func milliseconds(_ time: Time) -> String { fixed(time.seconds * 1000, 2) }
}
