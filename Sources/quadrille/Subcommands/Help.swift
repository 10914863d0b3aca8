import Commands
import Console
import Player
import Tools

/// The helps of the subcommands.
enum Help {
    /// Printed if the command line is empty.
    static var short: [String] {
        let usages = Subcommand.allCases.filter { !$0.options.isEmpty }.flatMap(\.help.usages).map(\.line) + ["--help"]
        return usages.enumerated().map { place, line in (place == 0 ? "usage: quadrille " : "       quadrille ") + line
        }
    }

    /// All subcommands, and the options and keys of `play`.
    static var general: [String] {
        let usages = Subcommand.allCases.flatMap(\.help.usages)
        let overview = usages.enumerated().map { place, usage in
            let start = (place == 0 ? "usage: quadrille " : "       quadrille ") + usage.line
            return usage.remark.isEmpty
                ? start : start + String(repeating: " ", count: max(3, 48 - start.count)) + usage.remark
        }
        return HelpPage.joined(
            [
                ["quadrille: \(play.introduction)"], overview, Subcommand.play.optionTable("options of play").lines,
                HelpPage.wrapped(
                    """
                    TIME is seconds (83.5), 1:23.5 or 1:02:03. --name value and --name=value both work; -- ends
                    options. A file named like a subcommand is given as ./check.
                    """), keysOfWall.lines,
            ] + play.notes.map(HelpPage.wrapped) + [
                play.exitLines,
                HelpPage.wrapped(
                    """
                    quadrille --registry prints the subcommands and their options, the commands, the properties, the
                    keys, the fields of layouts and the events as JSON; quadrille --schema prints the JSON Schema of
                    layouts
                    """),
            ])
    }

    private static let keysOfWall = HelpPage.Table(title: "keys and pointer", keys: KeyTable.wall)

    static let play = HelpPage(
        summary: "play many videos in one window, without seams",
        usages: [
            .init(line: "[play] [options] LAYOUT.json", remark: "a wall from its layout; - reads standard input"),
            .init(
                line: "[play] [options] MEDIA...",
                remark: "files or URLs in a grid, each looped, the first one heard"),
        ],
        operands: .layoutOrMedia, introduction: "many videos in one window, without seams", tables: [keysOfWall],
        notes: [
            """
            $XDG_CONFIG_HOME/quadrille/keys.conf (~/.config/quadrille/keys.conf) binds keys to commands, as KEY COMMAND
            in a line.
            """
        ],
        exits: exitsOfWall)

    private static let exitsOfWall: [HelpPage.Exit] = [
        .status(ExitStatus.done, "done"), .status(ExitStatus.failed, "it could not run"),
        .status(ExitStatus.usage, "wrong usage or layout"), .status(ExitStatus.displayGone, "the display went away"),
        .status(ExitStatus.unwritten, "what was to be written (a trace, an answer) could not be"),
    ]

    static let compare = HelpPage(
        summary: "compare clips in step, in one window",
        usages: [
            .init(line: "compare [options] A B...", remark: "two clips by a wipe, more in a grid, in step")
        ],
        operands: .media,
        introduction: """
            clips held against the first, in step. Two fill the window, one on each side of a line that a drag moves; v
            shows their difference and other ways, y their PSNR and SSIM. Three and more stand in a grid, and y measures
            each against the first
            """,
        tables: [keysOfWall], exits: exitsOfWall)

    static let check = HelpPage(
        summary: "check a layout and its sources, and whether it plays without seams",
        usages: [
            .init(
                line: "check [options] LAYOUT.json | MEDIA...", remark: "is it right, and will it be seamless?")
        ],
        operands: .layoutOrMedia,
        introduction: """
            is a layout right, what are its sources, and will it be seamless? Where not, why, and the ffmpeg
            command that mends the file
            """,
        exits: [
            .status(ExitStatus.done, "seamless"), .status(ExitStatus.failed, "nothing can be played"),
            .status(ExitStatus.usage, "the layout is wrong"),
            .status(ExitStatus.seams, "playable, with what is listed"),
        ])

    static let render = HelpPage(
        summary: "write a wall into a file",
        usages: [.init(line: "render [options] LAYOUT.json | MEDIA... -o FILE")], operands: .layoutOrMedia,
        introduction: "the wall into a file, each frame exactly the one that is due; no display is needed",
        notes: ["The file appears when it is whole."], exits: exitsOfRender)

    private static let exitsOfRender: [HelpPage.Exit] = [
        .status(ExitStatus.done, "done"), .status(ExitStatus.failed, "it could not be made"),
        .status(ExitStatus.usage, "wrong usage or layout"), .status(ExitStatus.unwritten, "it could not be written"),
        .signal("after signal N (130: Ctrl+C)"),
    ]

    static let snapshot = HelpPage(
        summary: "write one frame of a wall as a PNG",
        usages: [.init(line: "snapshot [options] LAYOUT.json | MEDIA... --at TIME -o FILE.png")],
        operands: .layoutOrMedia, introduction: "the wall at one instant as a PNG; no display is needed",
        exits: exitsOfRender)

    static let measure = HelpPage(
        summary: "measure how far films are from the first, frame by frame",
        usages: [.init(line: "measure [options] REFERENCE OTHER... [-o FILE.html|.csv|.json]")], operands: .media,
        introduction: """
            how far each film is from the first, frame by frame: PSNR and SSIM as FFmpeg's filters psnr
            and ssim count them, for the frames that are on screen at one instant; no display is needed
            """,
        notes: [
            """
            The means and the lowest of each film are printed. HTML has curves over time and the worst frames; CSV and
            JSON a row for each frame of the reference. What has another size or pixel format is made as the reference
            is.
            """
        ],
        exits: [
            .status(ExitStatus.done, "done"), .status(ExitStatus.failed, "it could not be measured"),
            .status(ExitStatus.usage, "wrong usage"), .status(ExitStatus.unwritten, "it could not be written"),
            .signal("after signal N (130: Ctrl+C), and no file"),
        ])

    static let align = HelpPage(
        summary: "find out by how much recordings are ahead of or behind the first",
        usages: [
            .init(
                line: "align [options] REFERENCE OTHER...",
                remark: "by how much each is ahead of or behind the first")
        ],
        operands: .media,
        introduction: """
            by how many seconds each file is ahead of (above 0) or behind the first: the offset with which
            their tiles are in step. Found by sound, else by how the frames change, up to half of the shorter one
            """,
        exits: [
            .status(ExitStatus.done, "done"),
            .status(ExitStatus.failed, "one can't be read, or has no offset that is more than a guess"),
            .status(ExitStatus.usage, "wrong usage or layout"),
            .status(ExitStatus.unwritten, "what was to be written could not be"),
            .signal("after signal N (130: Ctrl+C)"),
        ])

    static let blind = HelpPage(
        summary: "test whether two clips can be told apart",
        usages: [.init(line: "blind [options] A B", remark: "can you tell them apart? (A/B/X)")], operands: .media,
        introduction: """
            can you tell two clips apart? X is A or B by chance, anew in each trial; look at all three as
            often as you like, and answer which of them X is. The screen does not show it, and sound is off
            """,
        tables: [.init(title: "keys and pointer", keys: KeyTable.blind)],
        notes: [
            """
            At the end: what X was, what you answered, how many were right, and the probability of at least as many by
            chance.
            """
        ],
        exits: [
            .status(ExitStatus.done, "done, also before the last trial"),
            .status(ExitStatus.failed, "one can't be shown, or it could not run"),
            .status(ExitStatus.usage, "wrong usage"), .status(ExitStatus.displayGone, "the display went away"),
            .status(ExitStatus.unwritten, "what was to be written could not be"),
        ])

    static let calibrate = HelpPage(
        summary: "measure the delay of this machine's sound, microphone and screen",
        usages: [
            .init(line: "calibrate [options]", remark: "how late this machine's sound and microphone are")
        ],
        operands: .nothing,
        introduction: """
            how late recordings of this machine are. It plays twenty clicks, listens to them with the
            microphone, and keeps by how much they come later than the sound server reports, for each pair of output and
            input. Recordings are that much earlier from then on. --by-eye: how late the screen is, used unless audio.delay
            is set
            """,
        tables: [.init(title: "keys of --by-eye", keys: KeyTable.byEye)],
        notes: ["It is kept in $XDG_STATE_HOME/quadrille/calibration.json (~/.local/state/quadrille)."],
        exits: [
            .status(ExitStatus.done, "done"),
            .status(ExitStatus.failed, "nothing is heard, or too much noise, or it could not run"),
            .status(ExitStatus.usage, "wrong usage"),
            .status(ExitStatus.unwritten, "what was measured could not be kept"),
            .signal("after signal N (130: Ctrl+C)"),
        ])

    static let log = HelpPage(
        summary: "sum up what a wall has played",
        usages: [
            .init(line: "log [options] FOLDER", remark: "what was played, by day, tile and source")
        ],
        operands: .folder,
        introduction: """
            sums of what play --log FOLDER wrote, by day, tile and source: how often each was on the screen (plays), how
            often to its end with at least 99 % of its frames (whole), which share of its frames was presented, for how
            many seconds, and how many frames there should have been, were presented, missed and late
            """,
        exits: [
            .status(ExitStatus.done, "done"), .status(ExitStatus.failed, "there is no log in the folder"),
            .status(ExitStatus.usage, "wrong usage"), .status(ExitStatus.unwritten, "the answer could not be written"),
        ])

    static let ctl = HelpPage(
        summary: "send a command to a running wall",
        usages: [.init(line: "ctl [--ipc PATH] COMMAND...", remark: "a command for a wall that is running")],
        operands: .command(more: CtlOptions.words),
        introduction: "sends a command to a wall that is running, and prints the reply",
        optionsTitle: "options, before the command",
        tables: [
            .init(
                title: "commands",
                rows: CtlOptions.words.map { ($0.usage, $0.help) } + CommandTable.specs.map { ($0.usage, $0.help) })
        ],
        notes: [
            """
            A FILE begins at the folder in which ctl runs. The property property-list has the names of all properties
            (quadrille ctl get property-list).
            """,
            """
            health --nagios prints one line. The status is 0 if no tile is ill; 1 if sources are skipped; 2 if a tile
            is ill, or the wall does not reply; 3 if no wall is found.
            """,
        ],
        exits: [
            .status(ExitStatus.done, "done"),
            .status(
                ExitStatus.failed,
                "the wall refused the command, there is none, or more than one; for health also: a tile is ill"),
            .status(ExitStatus.usage, "wrong usage"), .status(ExitStatus.unwritten, "the reply could not be printed"),
        ])

    static let help = HelpPage(
        summary: "print help",
        usages: [.init(line: "help [SUBCOMMAND] | version", remark: "also as --help, -h and --version")],
        operands: .subcommand, introduction: "", exits: [])

    static let version = HelpPage(
        summary: "print the version", usages: [], operands: .nothing, introduction: "", exits: [])
}
