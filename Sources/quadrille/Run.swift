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
            (isatty(2) == 1 ? FirstSteps.here(calledAs: line.first ?? "quadrille").lines : Help.short).forEach(
                printLine)
            return ExitStatus.usage
        }
        if first == "--complete" { return printTable(Completion.current.answer(to: arguments.dropFirst()).rows) }
        if arguments == ["--registry"] { return printOutput([Registry.json], status: ExitStatus.done) }
        if arguments == ["--schema"] { return printOutput(LayoutSchema.lines, status: ExitStatus.done) }
        subcommand = try Subcommand(first)
        return try run(subcommand, subcommand == nil ? arguments : Array(arguments.dropFirst()), start: start)
    } catch {
        printLine("quadrille: \(error.text)")
        printLine("see quadrille \(subcommand.map { "\($0.rawValue) " } ?? "")--help")
        return ExitStatus.usage
    }
}

private func play(_ options: PlayOptions, _ subcommand: Subcommand, start: Int64) -> Int32 {
    switch options.request {
    case .help: return help(subcommand)
    case .version: return printVersion(options.loudness)
    case .save(let file): return SaveLayout(options, to: file).run()
    case .run: return PlayCommand(options, start: start).run()
    }
}

private func help(_ subcommand: Subcommand) -> Int32 {
    printOutput(subcommand.helpText, status: ExitStatus.done)
}

/// Without a subcommand, the arguments are played.
private func run(_ subcommand: Subcommand?, _ arguments: [String], start: Int64) throws(UsageMistake) -> Int32 {
    switch subcommand ?? .play {
    case .play: return play(try PlayOptions(arguments), .play, start: start)
    case .compare: return play(try PlayOptions(arguments, .comparison), .compare, start: start)
    case .check:
        let options = try CheckOptions(arguments)
        return options.wantsHelp ? help(.check) : CheckCommand(options).run()
    case .render:
        let options = try RenderOptions(arguments, .film)
        return options.wantsHelp ? help(.render) : RenderCommand(options, start: start).run()
    case .snapshot:
        let options = try RenderOptions(arguments, .snapshot)
        return options.wantsHelp ? help(.snapshot) : RenderCommand(options, start: start).run()
    case .measure:
        let options = try MeasureOptions(arguments)
        return options.wantsHelp ? help(.measure) : MeasureCommand(options).run()
    case .align:
        let options = try AlignOptions(arguments)
        return options.wantsHelp ? help(.align) : AlignCommand(options).run()
    case .blind:
        let options = try BlindOptions(arguments)
        return options.wantsHelp ? help(.blind) : try BlindCommand(options, start: start).run()
    case .calibrate:
        let options = try CalibrateOptions(arguments)
        return options.wantsHelp ? help(.calibrate) : CalibrateCommand(options, start: start).run()
    case .log:
        let options = try LogOptions(arguments)
        return options.wantsHelp ? help(.log) : LogCommand(options).run()
    case .ctl:
        let options = try CtlOptions(arguments, folder: workingFolder())
        return options.wantsHelp ? help(.ctl) : CtlCommand(options).run()
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
