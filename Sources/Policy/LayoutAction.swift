import Base
import Commands
import Feeds
import Layout

/// Work that follows from a change, by `LayoutPolicy.decide`. Actions are carried out in order.
public enum LayoutAction: Sendable {
    /// Show a layout, and report the change.
    case apply(LayoutToShow)
    /// Watch the files that the wall plays, and those of `watchedFiles`.
    case watch
    /// Call with `instantCame` at this instant, in seconds since 1970; nil if nothing is due.
    case wake(at: Int?)
    case setDisplay(DisplayPower)
    /// Ask the wall to play a break that is due.
    case playBreak(String)
    /// A source has another content: its next run opens it anew.
    case forgetFacts(of: String)
    case printLine(String)
    case emit(Event.What)
    /// The command that asked has failed. The last of several reasons counts.
    case fail(ControlError)
    /// Decide this change on the thread "files", after the tasks in its queue.
    case onFiles(LayoutChange)
}
