import Base
import Commands
import Feeds
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

    case pause(GroupID, Command.Switching)
    case setRate(Command.RateChange, of: GroupID)
    /// Moves a group's clock by an amount from where it is, or is about to be.
    case jump(GroupID, by: Time)
    /// Begins a scrub of a tile. `at`: group time that the bar under the pointer shows; nil if there is no bar. `width`:
    /// pixels in which the pointer passes the item.
    case grab(TileID, at: Time?, width: Int)
    case drag(by: Int)
    case letGo

    /// The reported position of a group stands from this group time on.
    case holdPosition(of: GroupID, from: Time)
    /// The reported position of a group goes on. Its clock is set back by a time, as if it had stood.
    case releasePosition(of: GroupID, settingBackBy: Time?)

    // MARK: what is on top

    case cover([Cover])
    /// Forgets what was on top of these tiles: it is over, and what follows is on the screen.
    case uncover([TileID])
    /// Takes off what is on top of a tile, or is to come, at once.
    case leaveTop(of: TileID)
    /// Opens the source of an item that is about to be put on top of a feed. `for`: name of what the item belongs to.
    case openAhead(Item, of: FeedID, for: String)
    case giveUpAhead(String, of: FeedID)

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
    /// Calls the features again at this wall time.
    case lookAgain(at: Time)

    /// True if it moves a clock or changes what a feed plays: the feeds must be updated after it. After a command they
    /// are updated in any case, so this counts only where features follow a change (`Feature.follow`).
    var changesPlayback: Bool {
        switch self {
        case .setABLoop, .pause, .setRate, .jump, .grab, .drag, .letGo, .releasePosition: true
        case .cover, .uncover, .leaveTop: true
        default: false
        }
    }
}

/// A feature's answer to a command.
struct CommandAnswer {
    /// False if the command could not be carried out.
    var isDone: Bool
    var edits: [Edit]

    static func done(_ edits: Edit...) -> CommandAnswer { CommandAnswer(isDone: true, edits: edits) }
    static func refused(_ edits: Edit...) -> CommandAnswer { CommandAnswer(isDone: false, edits: edits) }
}
