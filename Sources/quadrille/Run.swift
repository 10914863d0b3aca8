import Console
import Files
import Glibc
import Layout
import Threads
import Tools

/// Reads the command line, carries it out, and returns the exit status.
func runQuadrille() -> Int32 {
    let start = monotonicNanoseconds()
    prepareStandardStreams()
    var subcommand: Subcommand?
    do throws(UsageMistake) {
        let line = try commandLine()
        let arguments = Array(line.dropFirst())
        guard let first = arguments.first else {
            let steps = isatty(2) == 1 ? FirstSteps.lines(calledAs: line.first ?? "quadrille") : HelpPage.short
            steps.forEach(printLine)
            return ExitStatus.usage
        }
        if first == "--complete" { return printTable(Completion.system.answer(to: arguments.dropFirst()).rows) }
        if arguments == ["--registry"] { return printOutput([Registry.json], status: ExitStatus.done) }
        if arguments == ["--schema"] { return printOutput(LayoutSchema.lines, status: ExitStatus.done) }
        subcommand = try Subcommand(first)
        return try run(subcommand, subcommand == nil ? arguments : Array(arguments.dropFirst()), start: start)
    } catch {
        if error.isHelp { return help(subcommand ?? .play) }
        printLine("quadrille: \(error.text)")
        printLine("see quadrille \(subcommand.map { "\($0.rawValue) " } ?? "")--help")
        return ExitStatus.usage
    }
}

private func play(_ options: PlayOptions, start: Int64) -> Int32 {
    switch options.request {
    case .version: return printVersion(options.report.loudness)
    case .save(let file): return Failure.status { try options.save(to: file) }
    case .run: return PlayCommand(options, start: start).run()
    }
}

private func help(_ subcommand: Subcommand) -> Int32 {
    printOutput(subcommand.helpText, status: ExitStatus.done)
}

/// Without a subcommand, the arguments are played.
private func run(_ subcommand: Subcommand?, _ arguments: [String], start: Int64) throws(UsageMistake) -> Int32 {
    switch subcommand ?? .play {
    case .play: return play(try PlayOptions(arguments), start: start)
    case .compare: return play(try PlayOptions(arguments, .comparison), start: start)
    case .check: return try CheckCommand(arguments).run()
    case .render: return try RenderCommand(arguments, .film).run(since: start)
    case .snapshot: return try RenderCommand(arguments, .snapshot).run(since: start)
    case .measure: return try MeasureCommand(arguments).run()
    case .align: return try AlignCommand(arguments).run()
    case .blind: return try BlindCommand(arguments).run(since: start)
    case .calibrate: return try CalibrateCommand(arguments).run(since: start)
    case .log: return try LogCommand(arguments).run()
    case .ctl: return try CtlCommand(arguments, folder: workingFolder()).run()
    case .help:
        guard let word = arguments.first, !["-h", "--help"].contains(word) else { return help(.help) }
        let names = Subcommand.allCases.map(\.rawValue)
        guard arguments.count == 1, let asked = Subcommand(rawValue: word) else {
            throw UsageMistake("help \(arguments.joined(separator: " ")): one of \(names.joined(separator: ", "))")
        }
        return help(asked)
    case .version:
        switch arguments {
        case []: return printVersion(.usual)
        case ["--verbose"]: return printVersion(.verbose)
        case ["--help"], ["-h"]: return help(.version)
        default:
            throw UsageMistake("version takes --verbose and nothing more; a file of that name is given as ./version")
        }
    }
}

private func printVersion(_ loudness: Loudness) -> Int32 {
    printOutput(loudness == .verbose ? Version.full : Version.short, status: ExitStatus.done)
}
