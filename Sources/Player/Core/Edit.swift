import Base
import Commands
import Feeds
import Layout
import Scene

/// A change of the wall that a feature asks for. Edits are made in the order in which the feature returns them.
enum Edit {
    // MARK: messages

    /// Shows a text until the next command, or for as long as marks stay.
    case notice(String)
    /// Shows a text over the wall for a time; nil removes it.
    case announce(String?, for: Time)
    case emit(Event.What)
    case window(Command.WindowCommand)

    // MARK: time

    /// Loops a part of the time of a tile's group, or of the tile alone. A mark that is nil is not set.
    case setABLoop(of: TileID, Command.Scope, ABLoopMarks, shortest: Time)

    case pause(GroupID, Command.Switching)
    case setRate(Command.RateChange, of: GroupID)
    /// Moves a group's clock to a group time.
    case jump(GroupID, to: Time)
    /// Begins a scrub of a tile. `at`: group time that the bar under the pointer shows; nil if there is no bar.
    /// `width`: pixels that stand for the length of the item.
    case grab(TileID, at: Time?, width: Int)
    case drag(by: Int)
    case letGo

    /// Holds the reported position of a group from this group time on.
    case holdPosition(of: GroupID, from: Time)
    /// Lets the reported position of a group follow the clock again. The clock is set back by a time, as if it had been
    /// paused; nil leaves the clock.
    case releasePosition(of: GroupID, settingBackBy: Time?)

    // MARK: items on top

    case cover([Cover])
    /// Forgets the items on top of these tiles, which are over.
    case uncover([TileID])
    /// Removes the items on top of a tile at once, even if they have not begun.
    case leaveTop(of: TileID)
    /// Opens the source of an item that is about to be put on top of a feed. `for`: name of the item's break.
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
    /// Changes by hand what the layout states of a tile.
    case changeLayout(of: TileID, (inout TileLayout) -> Void)
    /// Changes the part of an item that is the tile's own: its sound and its key.
    case changeItem(ItemPlace, of: TileID, (inout Item) -> Void)

    // MARK: requests of features

    case keepSamples(Bool)
    case showOnlyWholeComparisons
    /// Records the live frames of a tile; nil ends the recording.
    case recordFrames(of: TileID?)
    case measure(FiguresOrder)
    /// Draws the wall anew, because marks of a feature have changed.
    case draw
    /// Wakes the recorder, which reads the session (`TakeSession`).
    case wakeRecorder
    /// Calls the features again at this wall time: the player is updated then, and features follow each update.
    case lookAgain(at: Time)

    /// True if the edit moves a clock or changes what a feed plays, so that the feeds must be updated. A command is
    /// followed by an update in any case. The value counts only for edits with which features react to a change
    /// (`Feature.react`).
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
