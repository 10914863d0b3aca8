import Base
import Commands
import Console
import Player
import Tools

/// The texts of --help, by lines.
enum Help {
    static let short = lines(
        """
        usage: quadrille [play] [options] LAYOUT.json | MEDIA...
               quadrille compare [options] A B...
               quadrille check [--json] LAYOUT.json | MEDIA...
               quadrille render [options] LAYOUT.json | MEDIA... -o FILE
               quadrille snapshot [options] LAYOUT.json | MEDIA... --at TIME -o FILE.png
               quadrille measure [options] REFERENCE OTHER... [-o FILE.html|.csv|.json]
               quadrille align [--write LAYOUT.json] REFERENCE OTHER...
               quadrille blind [options] A B
               quadrille calibrate
               quadrille log [--csv|--json] FOLDER
               quadrille ctl [--ipc PATH] COMMAND...
               quadrille --help
        """)

    static let general = lines(
        """
        quadrille: many videos in one window, without seams

        usage: quadrille [play] [options] LAYOUT.json   a wall from its layout; - reads standard input
               quadrille [play] [options] MEDIA...      files or URLs in a grid, each looped, the first one heard
               quadrille compare [options] A B...       two clips by a wipe, more in a grid, in step
               quadrille check [--json] LAYOUT.json | MEDIA...   is it right, and will it be seamless?
               quadrille render [options] LAYOUT.json | MEDIA... -o FILE
               quadrille snapshot [options] LAYOUT.json | MEDIA... --at TIME -o FILE.png
               quadrille measure [options] REFERENCE OTHER... [-o FILE.html|.csv|.json]
               quadrille align [--write LAYOUT.json] REFERENCE OTHER...   by how much each is ahead of or behind the first
               quadrille blind [options] A B            can you tell them apart? (A/B/X)
               quadrille calibrate                      how late this machine's sound and microphone are
               quadrille log [--csv|--json] FOLDER      what was played, by day, tile and source
               quadrille ctl [--ipc PATH] COMMAND...    a command for a wall that is running
               quadrille help [SUBCOMMAND] | version    also as --help, -h and --version

        options of play
        \(options(of: .play))

        TIME is seconds (83.5), 1:23.5 or 1:02:03. --name value and --name=value both work; -- ends options.
        A file named like a subcommand is given as ./check.

        keys and pointer
        \(table(of: KeyTable.wall))

        $XDG_CONFIG_HOME/quadrille/keys.conf (~/.config/quadrille/keys.conf) binds keys to commands, as KEY COMMAND in a
        line.

        exit status: 0 done, 1 it could not run, 2 wrong usage or layout, 4 the display went away, 5 what was to be
        written (a trace, an answer) could not be

        quadrille --registry prints the options of each subcommand, the commands, the properties, the keys, the fields
        of layouts and the events as JSON; quadrille --schema prints the JSON Schema of layouts
        """)

    static let compare = lines(
        """
        quadrille compare: clips held against the first, in step. Two fill the window, one on each side of a line that a
        drag moves; v shows their difference and other ways, y their PSNR and SSIM. Three and more stand in a grid, and
        y measures each against the first

        usage: quadrille compare [options] A B...

        options
        \(options(of: .compare))

        keys and pointer
        \(table(of: KeyTable.wall))

        exit status: as of play (quadrille --help)
        """)

    static let check = lines(
        """
        quadrille check: is a layout right, what are its sources, and will it be seamless? Where not, why, and the ffmpeg
        command that mends the file

        usage: quadrille check [options] LAYOUT.json | MEDIA...

        options
        \(options(of: .check))

        exit status: 0 seamless, 1 nothing can be played, 2 the layout is wrong, 3 playable, with what is listed
        """)

    static let render = lines(
        """
        quadrille render: the wall into a file, each frame exactly the one that is due; no display is needed

        usage: quadrille render [options] LAYOUT.json | MEDIA... -o FILE

        options
        \(options(of: .render))

        exit status: 0 done, 1 it could not be made, 2 wrong usage or layout, 5 it could not be written, 128 plus the
        signal after one (130: Ctrl+C); the file appears when it is whole
        """)

    static let snapshot = lines(
        """
        quadrille snapshot: the wall at one instant as a PNG; no display is needed

        usage: quadrille snapshot [options] LAYOUT.json | MEDIA... --at TIME -o FILE.png

        options
        \(options(of: .snapshot))
        """)

    static let measure = lines(
        """
        quadrille measure: how far each film is from the first, frame by frame: PSNR and SSIM as FFmpeg's filters psnr
        and ssim count them, for the frames that are on screen at one instant; no display is needed

        usage: quadrille measure [options] REFERENCE OTHER... [-o FILE.html|.csv|.json]

        options
        \(options(of: .measure))

        The means and the lowest of each film are printed. HTML has curves over time and the worst frames; CSV and JSON
        a row for each frame of the reference. What has another size or pixel format is made as the reference is.

        exit status: 0 done, 1 it could not be measured, 2 wrong usage, 5 it could not be written, 128 plus the signal
        after one (130: Ctrl+C), and no file
        """)

    static let align = lines(
        """
        quadrille align: by how many seconds each file is ahead of (above 0) or behind the first: the offset with which
        their tiles are in step. Found by sound, else by how the frames change, up to half of the shorter one

        usage: quadrille align [options] REFERENCE OTHER...

        options
        \(options(of: .align))

        exit status: 0 done, 1 one can't be read, or has no offset that is more than a guess, 2 wrong usage or layout,
        5 what was to be written could not be, 128 plus the signal after one (130: Ctrl+C)
        """)

    static let blind = lines(
        """
        quadrille blind: can you tell two clips apart? X is A or B by chance, anew in each trial; look at all three as
        often as you like, and answer which of them X is. The screen does not show it, and sound is off

        usage: quadrille blind [options] A B

        options
        \(options(of: .blind))

        keys and pointer
        \(table(of: KeyTable.blind))

        At the end: what X was, what you answered, how many were right, and the probability of at least as many by
        chance.

        exit status: 0 done, also before the last trial, 1 one can't be shown, or it could not run, 2 wrong usage, 4 the
        display went away, 5 what was to be written could not be
        """)

    static let calibrate = lines(
        """
        quadrille calibrate: how late recordings of this machine are. It plays twenty clicks, listens to them with the
        microphone, and keeps by how much they come later than the sound server reports, for each pair of output and
        input. Recordings are that much earlier from then on. --by-eye: how late the screen is, used unless audio.delay
        is set

        usage: quadrille calibrate [options]

        options
        \(options(of: .calibrate))

        keys of --by-eye
        \(table(of: KeyTable.byEye))

        It is kept in $XDG_STATE_HOME/quadrille/calibration.json (~/.local/state/quadrille).

        exit status: 0 done, 1 nothing is heard, or too much noise, or it could not run, 2 wrong usage, 5 what was
        measured could not be kept, 128 plus the signal after one (130: Ctrl+C)
        """)

    static let log = lines(
        """
        quadrille log: sums of what play --log FOLDER wrote, by day, tile and source: how often each was on the screen (plays),
        how often to its end with at least 99 % of its frames (whole), which share of its frames was presented, for how many
        seconds, and how many frames there should have been, were presented, missed and late

        usage: quadrille log [options] FOLDER

        options
        \(options(of: .log))

        exit status: 0 done, 1 there is no log in the folder, 2 wrong usage, 5 the answer could not be written
        """)

    static let ctl = lines(
        """
        quadrille ctl: sends a command to a wall that is running, and prints the reply

        usage: quadrille ctl [--ipc PATH] COMMAND...

        options, before the command
        \(options(of: .ctl))

        commands
        \(aligned(CtlOptions.words.map { ($0.key, $0.value) } + CommandTable.specs.map { ($0.usage, $0.help) }))

        A FILE begins at the folder in which ctl runs. The property property-list has the names of all properties
        (quadrille ctl get property-list).

        exit status: 0 done, 1 the wall refused the command, or there is none, or more than one, 2 wrong usage, 5 the
        reply could not be printed
        """)

    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    private static func options(of subcommand: Subcommand) -> String {
        aligned(subcommand.options.map { ($0.usage, $0.help) })
    }

    private static func table(of keys: KeyTable) -> String { aligned(keys.lines.map { ($0.keys, $0.description) }) }

    private static func aligned(_ lines: [(name: String, description: String)]) -> String {
        let width = lines.map(\.name.count).max() ?? 0
        return lines.map { name, description in
            "  " + name + String(repeating: " ", count: width + 2 - name.count) + description
        }.joined(separator: "\n")
    }
}
