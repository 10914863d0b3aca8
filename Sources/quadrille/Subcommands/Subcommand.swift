import Console
import Glibc

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

    var options: [OptionSpec] { help.options }

    /// Lines of `--help`.
    var helpText: [String] {
        switch self {
        case .play, .help, .version: HelpPage.general
        default: help.lines(of: self)
        }
    }
}
