import Commands
import Console
import Glibc
import Player
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

    /// Lines of `--help`.
    var helpText: [String] {
        switch self {
        case .play, .help, .version: HelpPage.general
        default: help.lines(of: self)
        }
    }

    var help: HelpPage {
        switch self {
        case .play:
            HelpPage(
                summary: "play many videos in one window, without seams",
                usages: [
                    "[play] [options] LAYOUT.json": "a wall from its layout; - reads standard input",
                    "[play] [options] MEDIA...": "files or URLs in a grid, each looped, the first one heard",
                ],
                operands: .layoutOrMedium, options: PlayOptions.options(.wall).specs(),
                introduction: "many videos in one window, without seams",
                tables: [HelpPage.keysOfWall],
                notes: [
                    """
                    $XDG_CONFIG_HOME/quadrille/keys.conf (~/.config/quadrille/keys.conf) binds keys to commands, as
                    KEY COMMAND in a line.
                    """
                ],
                exits: .ofWall)
        case .compare:
            HelpPage(
                summary: "compare clips in step, in one window",
                usages: ["compare [options] A B...": "two clips by a wipe, more in a grid, in step"],
                operands: .medium, options: PlayOptions.options(.comparison).specs(),
                introduction: """
                    clips held against the first, in step. Two fill the window, one on each side of a line that a drag
                    moves; v shows their difference and other ways, y their PSNR and SSIM. Three and more stand in a grid,
                    and y measures each against the first
                    """,
                tables: [HelpPage.keysOfWall], exits: .ofWall)
        case .check:
            HelpPage(
                summary: "check a layout and its sources, and whether it plays without seams",
                usages: ["check [options] LAYOUT.json | MEDIA...": "is it right, and will it be seamless?"],
                operands: .layoutOrMedium, options: CheckCommand.options.specs(),
                introduction: """
                    is a layout right, what are its sources, and will it be seamless? Where not, why, and the ffmpeg
                    command that mends the file
                    """,
                exits: .init(
                    done: "seamless", failed: "nothing can be played", usage: "the layout is wrong",
                    seams: "playable, with what is listed"))
        case .render:
            HelpPage(
                summary: "write a wall into a file",
                usages: ["render [options] LAYOUT.json | MEDIA... -o FILE": ""],
                operands: .layoutOrMedium, options: RenderCommand.ofFilm.specs(),
                introduction: "the wall into a file, each frame exactly the one that is due; no display is needed",
                notes: ["The file appears when it is whole."], exits: .ofRender)
        case .snapshot:
            HelpPage(
                summary: "write one frame of a wall as a PNG",
                usages: ["snapshot [options] LAYOUT.json | MEDIA... --at TIME -o FILE.png": ""],
                operands: .layoutOrMedium, options: RenderCommand.ofSnapshot.specs(),
                introduction: "the wall at one instant as a PNG; no display is needed",
                exits: .ofRender)
        case .measure:
            HelpPage(
                summary: "measure how far films are from the first, frame by frame",
                usages: ["measure [options] REFERENCE OTHER... [-o FILE.html|.csv|.json]": ""],
                operands: .medium, options: MeasureCommand.options.specs(),
                introduction: """
                    how far each film is from the first, frame by frame: PSNR and SSIM as FFmpeg's filters psnr and ssim
                    count them, for the frames that are on screen at one instant; no display is needed
                    """,
                notes: [
                    """
                    The means and the lowest of each film are printed. HTML has curves over time and the worst frames;
                    CSV and JSON a row for each frame of the reference. What has another size or pixel format is made
                    as the reference is.
                    """
                ],
                exits: .init(
                    failed: "it could not be measured", unwritten: "it could not be written",
                    signal: "after signal N (130: Ctrl+C), and no file"))
        case .align:
            HelpPage(
                summary: "find out by how much recordings are ahead of or behind the first",
                usages: ["align [options] REFERENCE OTHER...": "by how much each is ahead of or behind the first"],
                operands: .medium, options: AlignCommand.options.specs(),
                introduction: """
                    by how many seconds each file is ahead of (above 0) or behind the first: the offset with which their
                    tiles are in step. Found by sound, else by how the frames change, up to half of the shorter one
                    """,
                exits: .init(
                    failed: "one can't be read, or has no offset that is more than a guess",
                    usage: "wrong usage or layout", unwritten: "what was to be written could not be",
                    signal: "after signal N (130: Ctrl+C)"))
        case .blind:
            HelpPage(
                summary: "test whether two clips can be told apart",
                usages: ["blind [options] A B": "can you tell them apart? (A/B/X)"],
                operands: .medium, options: BlindCommand.options.specs(),
                introduction: """
                    can you tell two clips apart? X is A or B by chance, anew in each trial; look at all three as often as
                    you like, and answer which of them X is. The screen does not show it, and sound is off
                    """,
                tables: [.init(title: "keys and pointer", keys: KeyTable.blind)],
                notes: [
                    """
                    At the end: what X was, what you answered, how many were right, and the probability of at least as
                    many by chance.
                    """
                ],
                exits: .init(
                    done: "done, also before the last trial", failed: "one can't be shown, or it could not run",
                    displayGone: "the display went away", unwritten: "what was to be written could not be"))
        case .calibrate:
            HelpPage(
                summary: "measure the delay of this machine's sound, microphone and screen",
                usages: ["calibrate [options]": "how late this machine's sound and microphone are"],
                options: CalibrateCommand.options.specs(),
                introduction: """
                    how late recordings of this machine are. It plays twenty clicks, listens to them with the microphone,
                    and keeps by how much they come later than the sound server reports, for each pair of output and
                    input. Recordings are that much earlier from then on. --by-eye: how late the screen is, used unless
                    audio.delay is set
                    """,
                tables: [.init(title: "keys of --by-eye", keys: KeyTable.byEye)],
                notes: ["It is kept in $XDG_STATE_HOME/quadrille/calibration.json (~/.local/state/quadrille)."],
                exits: .init(
                    failed: "nothing is heard, or too much noise, or it could not run",
                    unwritten: "what was measured could not be kept", signal: "after signal N (130: Ctrl+C)"))
        case .log:
            HelpPage(
                summary: "sum up what a wall has played",
                usages: ["log [options] FOLDER": "what was played, by day, tile and source"],
                operands: .folder, options: LogCommand.options.specs(),
                introduction: """
                    sums of what play --log FOLDER wrote, by day, tile and source: how often each was on the screen
                    (plays), how often to its end with at least 99 % of its frames (whole), which share of its frames was
                    presented, for how many seconds, and how many frames there should have been, were presented, missed
                    and late
                    """,
                exits: .init(failed: "there is no log in the folder", unwritten: "the answer could not be written"))
        case .ctl:
            HelpPage(
                summary: "send a command to a running wall",
                usages: ["ctl [--ipc PATH] COMMAND...": "a command for a wall that is running"],
                operands: .command, options: CtlCommand.options.specs(),
                introduction: "sends a command to a wall that is running, and prints the reply",
                optionsTitle: "options, before the command",
                tables: [
                    .init(
                        title: "commands",
                        rows: CtlCommand.words.map { ($0.usage, $0.help) }
                            + CommandTable.specs.map { ($0.usage, $0.help) })
                ],
                notes: [
                    """
                    A FILE begins at the folder in which ctl runs. The property property-list has the names of all
                    properties (quadrille ctl get property-list).
                    """,
                    """
                    health --nagios prints one line. The status is 0 if no tile is ill; 1 if sources are skipped; 2 if
                    a tile is ill, or the wall does not reply; 3 if no wall is found.
                    """,
                ],
                exits: .init(
                    failed:
                        "the wall refused the command, there is none, or more than one; for health also: a tile is ill",
                    unwritten: "the reply could not be printed"))
        case .help:
            HelpPage(
                summary: "print help",
                usages: ["help [SUBCOMMAND] | version": "also as --help, -h and --version"],
                operands: .subcommand)
        case .version:
            HelpPage(summary: "print the version")
        }
    }
}

extension HelpPage {
    fileprivate static let keysOfWall = Table(title: "keys and pointer", keys: KeyTable.wall)

    /// Printed if the command line is empty.
    static var short: [String] {
        let pages = Subcommand.allCases.map(\.help).filter { !$0.options.isEmpty }
        return usageLines(pages.flatMap(\.usages).map(\.key) + ["--help"])
    }

    /// All subcommands, and the options and keys of `play`.
    static var general: [String] {
        let usages = Subcommand.allCases.flatMap(\.help.usages), play = Subcommand.play.help
        let overview = zip(usageLines(usages.map(\.key)), usages.map(\.value)).map { line, remark in
            remark.isEmpty ? line : line + String(repeating: " ", count: max(3, 48 - line.count)) + remark
        }
        return joined(
            [
                ["quadrille: \(play.introduction)"], overview, play.optionTable("options of play").lines,
                wrapped(
                    """
                    TIME is seconds (83.5), 1:23.5 or 1:02:03. --name value and --name=value both work; -- ends
                    options. A file named like a subcommand is given as ./check.
                    """), keysOfWall.lines,
            ] + play.notes.map(wrapped) + [
                play.exitLines,
                wrapped(
                    """
                    quadrille --registry prints the subcommands and their options, the commands, the properties, the
                    keys, the fields of layouts and the events as JSON; quadrille --schema prints the JSON Schema of
                    layouts
                    """),
            ])
    }
}

extension HelpPage.Exits {
    fileprivate static let ofWall = HelpPage.Exits(
        failed: "it could not run", usage: "wrong usage or layout", displayGone: "the display went away",
        unwritten: "what was to be written (a trace, an answer) could not be")
    fileprivate static let ofRender = HelpPage.Exits(
        failed: "it could not be made", usage: "wrong usage or layout", unwritten: "it could not be written",
        signal: "after signal N (130: Ctrl+C)")
}
