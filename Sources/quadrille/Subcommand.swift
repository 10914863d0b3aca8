import Threads

/// What the program can be asked for. A file of the same name is given as ./name.
enum Subcommand: String, CaseIterable {
    case play, check, render, snapshot
}

/// Reads the command line, does what it says, and returns the exit status.
func runQuadrille() -> Int32 {
    let start = monotonicNanoseconds()
    takeCareOfStandardStreams()
    do throws(UsageMistake) {
        let arguments = Array(try commandLine().dropFirst())
        guard let first = arguments.first else {
            Help.short.forEach(say)
            return ExitStatus.usage
        }
        let subcommand = Subcommand(rawValue: first)
        let rest = subcommand == nil ? arguments : Array(arguments.dropFirst())
        switch subcommand ?? .play {
        case .play:
            let options = try PlayOptions(rest, isBare: subcommand == nil)
            switch options.request {
            case .help: return answer(subcommand == nil ? Help.general : Help.play, status: ExitStatus.done)
            case .version: return answer(["quadrille \(version)"], status: ExitStatus.done)
            case .run:
                var command = PlayCommand(options, start: start)
                return command.run()
            }
        case .check:
            let options = try CheckOptions(rest)
            return options.wantsHelp ? answer(Help.check, status: ExitStatus.done) : CheckCommand(options).run()
        case .render:
            let options = try RenderOptions(rest, .film)
            return options.wantsHelp
                ? answer(Help.render, status: ExitStatus.done) : RenderCommand(options, start: start).run()
        case .snapshot:
            let options = try RenderOptions(rest, .snapshot)
            return options.wantsHelp
                ? answer(Help.snapshot, status: ExitStatus.done) : RenderCommand(options, start: start).run()
        }
    } catch {
        say("quadrille: \(error.text)")
        say("quadrille --help says more")
        return ExitStatus.usage
    }
}
