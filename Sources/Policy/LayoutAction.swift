import Base
import Commands
import Feeds
import Layout

/// Work that `LayoutPolicy` asks for. Actions are carried out in order. If an action has a result, the result is handed
/// to the policy. The actions that the policy returns for it are carried out before the remaining ones.
public enum LayoutAction: Sendable {
    // Actions that wait for files. Only events that come on the thread "files" ask for these.

    /// Read and parse a layout's file. Result: `layoutRead`.
    case read(LayoutFileRequest)
    /// Look up the identity of a file. Result: `fileIdentified`.
    case identify(String, FollowedChange)
    /// Replace the folders and songs of a layout by their files. Result: `sourcesRead`.
    case readSources(LayoutToShow)
    /// Look whether one of these paths leads to a source made of several files. Result: `sourceFound` if so.
    case look(Set<String>, for: SourceKind)

    // Actions on the wall and its surroundings.

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

    // Steps of the policy itself.

    /// Take the step now.
    case then(LayoutStep)
    /// Take the step on the thread that reads files, after the tasks in its queue.
    case onWorker(LayoutStep)

    public enum SourceKind: Sendable { case folder, folderOrSong }
}
