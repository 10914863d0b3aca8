import Console
import Glibc
import Tools

/// A subcommand of the program. A file of the same name is given as ./name.
enum Subcommand: String, CaseIterable {
    case play, compare, check, render, snapshot, measure, align, blind, calibrate, log, ctl, help, version

    /// nil if the word names a source to play. Throws if the word is neither, and resembles a subcommand's name.
    init?(_ word: String) throws(UsageMistake) {
        if let subcommand = Subcommand(rawValue: word) {
            self = subcommand
            return
        }
        let isName = word.unicodeScalars.allSatisfy { $0.isASCII && $0.properties.isAlphabetic }
        guard isName, access(word, F_OK) != 0,
            let near = meant(by: word, among: Subcommand.allCases.map(\.rawValue))
        else { return nil }
        throw UsageMistake("\(word): no file and no subcommand has this name; did you mean \(near)?")
    }

    /// Options that the subcommand takes, in the order of its help.
    var options: [OptionSpec] {
        switch self {
        case .play: PlayOptions.options(.wall).specs()
        case .compare: PlayOptions.options(.comparison).specs()
        case .check: CheckOptions.options.specs()
        case .render: RenderOptions.options(.film).specs()
        case .snapshot: RenderOptions.options(.snapshot).specs()
        case .measure: MeasureOptions.options.specs()
        case .align: AlignOptions.options.specs()
        case .blind: BlindOptions.options.specs()
        case .calibrate: CalibrateOptions.options.specs()
        case .log: LogOptions.options.specs()
        case .ctl: CtlOptions.options.specs()
        case .help, .version: []
        }
    }

    var help: HelpPage {
        switch self {
        case .play: Help.play
        case .compare: Help.compare
        case .check: Help.check
        case .render: Help.render
        case .snapshot: Help.snapshot
        case .measure: Help.measure
        case .align: Help.align
        case .blind: Help.blind
        case .calibrate: Help.calibrate
        case .log: Help.log
        case .ctl: Help.ctl
        case .help: Help.help
        case .version: Help.version
        }
    }

    /// Lines of `--help`.
    var helpText: [String] {
        switch self {
        case .play, .help, .version: Help.general
        default: help.lines(of: self)
        }
    }
}
