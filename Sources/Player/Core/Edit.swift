import Base
import Commands
import Layout
import Scene

/// The vocabulary in which features answer: each case is one change of the wall. Edits are made in their order.
enum Edit {
    // MARK: what the user and programs learn

    /// Shows a text until the next command, or for as long as marks stay.
    case notice(String)
    /// Shows a text over the wall for a time; nil removes it.
    case announce(String?, for: Time)
    case emit(Event.What)
    case window(Command.WindowCommand)

    // MARK: time

    /// Plays a part of the time of a tile's group over and over, or of the tile alone. A mark that is nil is not set.
    case setABLoop(of: TileID, Command.Scope, ABLoopMarks, shortest: Time)

    // MARK: tiles and views

    case focus(TileID)
    case toggleZoom
    /// Shows a comparison of other tiles over the wall; nil removes it.
    case overlay(ComparisonLayout?, group: String)
    case compare(TileID, ComparisonLayout)
    /// Shows one side of a comparison in blink mode; nil lets the sides alternate.
    case showSide(Int?, of: TileID)
    case swapSides(of: TileID)
    /// Magnifies the frames of a group; nil shows them whole.
    case magnify(group: String, FrameZoom?)
    /// Changes the part of an item that is the tile's own: its sound and its key.
    case changeItem(ItemPlace, of: TileID, (inout Item) -> Void)

    // MARK: what features need

    case keepSamples(Bool)
    case showOnlyWholeComparisons
    /// Records the live frames of a tile; nil ends it.
    case recordFrames(of: TileID?)
    case measure(FiguresOrder)
    /// Draws the wall anew: something changed that features show.
    case draw
    /// Has the recorder look at the session.
    case wakeRecorder
}

/// What a feature answers to a command.
struct CommandAnswer {
    /// False if the command could not be carried out.
    var isDone: Bool
    var edits: [Edit]

    static func done(_ edits: Edit...) -> CommandAnswer { CommandAnswer(isDone: true, edits: edits) }
    static func refused(_ edits: Edit...) -> CommandAnswer { CommandAnswer(isDone: false, edits: edits) }
}
