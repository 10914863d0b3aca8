import Threads

/// What the program can be asked for. A file of the same name is given as ./name.
enum Subcommand: String, CaseIterable {
    case play, check, render, snapshot
}

let version = "0.1.0"

/// Reads the command line, does what it says, and returns the exit status.
func runQuadrille(_ arguments: [String]) -> Int32 {
    let start = monotonicNanoseconds()
    guard let first = arguments.first else {
        say(Help.short)
        return ExitStatus.usage
    }
    let subcommand = Subcommand(rawValue: first)
    let rest = subcommand == nil ? arguments : Array(arguments.dropFirst())
    do throws(UsageMistake) {
        switch subcommand ?? .play {
        case .play:
            let options = try PlayOptions(rest, isBare: subcommand == nil)
            switch options.request {
            case .help: return tell(subcommand == nil ? Help.general : Help.play)
            case .version: return tell("quadrille \(version)")
            case .run: return PlayCommand(options, start: start).run()
            }
        case .check:
            let options = try CheckOptions(rest)
            return options.wantsHelp ? tell(Help.check) : CheckCommand(options).run()
        case .render:
            let options = try RenderOptions(rest, .film)
            return options.wantsHelp ? tell(Help.render) : RenderCommand(options, start: start).run()
        case .snapshot:
            let options = try RenderOptions(rest, .snapshot)
            return options.wantsHelp ? tell(Help.snapshot) : RenderCommand(options, start: start).run()
        }
    } catch {
        say("quadrille: \(error.text)")
        say("quadrille --help says more")
        return ExitStatus.usage
    }
}

enum ExitStatus {
    static let done: Int32 = 0
    static let failed: Int32 = 1
    static let usage: Int32 = 2
    static let seams: Int32 = 3
}

private func tell(_ text: String) -> Int32 {
    print(text)
    return ExitStatus.done
}
