import Base
import Feeds
import Layout

/// Something that may change which layout a wall shows. `LayoutPolicy` takes these.
public enum LayoutEvent: Sendable {
    /// The window is open.
    case started
    /// The instant of `LayoutAction.wake` has come, or the system's clock was set.
    case instantCame
    /// The content of a file has changed.
    case fileChanged(String, FileIdentity)
    /// A user asks for another layout's file.
    case loadAsked(String)
    /// A user asks that the layouts are read again.
    case reloadAsked
    /// The program has written changes by hand into a layout's file. `layout`: the written layout, if the file is that
    /// of the loaded layout; else nil.
    case writtenByProgram(String, FileIdentity, layout: Layout?)
    /// The step of `LayoutAction.then` or `.onWorker` is due.
    case stepIsDue(LayoutStep)

    // Results of actions.

    /// Result of `LayoutAction.read`.
    case layoutRead(LayoutFileRequest, LayoutFileResult, FileIdentity?)
    /// Result of `LayoutAction.identify`; nil if there is no file.
    case fileIdentified(FileIdentity?, FollowedChange)
    /// Result of `LayoutAction.readSources`. The layout has its folders and songs replaced by their files.
    case sourcesRead(SourceFiles, LayoutToShow)
    /// Result of `LayoutAction.look`, if a path was found.
    case sourceFound
}

/// A step that the policy hands to itself: actions may come before it, or another thread carries it out.
public enum LayoutStep: Sendable {
    /// Show the layout that is due. `began`: start of the change that made this necessary; nil if the change starts
    /// with this step.
    case showDue(began: Time?)
    case carryOutDue(FollowedChange)
    /// Retry files and folders that the system refused. Then show the layout that is due.
    case catchUp
    /// Read the scheduled layout again if it is still shown.
    case readScheduled(ScheduledLayout, LayoutFileRequest.Attempt)
    /// Read a layout again after its file was saved.
    case readChangedLayout(String)
    /// Read folders and songs again after one of them, or a file that was copied into a folder, has changed.
    case readChangedSource(String)
    /// Compute the next instant at which something is due.
    case setWake
}

/// Request to read a layout's file.
public struct LayoutFileRequest: Sendable {
    public let name: String
    let use: Use
    let attempt: Attempt
    /// Start of the change.
    let began: Time

    enum Use: Sendable {
        /// The layout is to replace the loaded one.
        case load
        /// The schedule's layout, which is due.
        case show(FollowedChange)
        /// The schedule's layout, which is shown already.
        case showAgain
    }

    /// `retry`: the failure of the attempt before was printed, and is not printed again.
    public enum Attempt: Sendable { case first, retry }
}

/// A change of the schedule that is being carried out.
public struct FollowedChange: Sendable {
    var change: ScheduleChange
    /// Instant at which the schedule was looked up, in seconds since 1970.
    let instant: Int
    let began: Time
}

/// A layout that is to be shown.
public struct LayoutToShow: Sendable {
    public var layout: Layout
    public let cause: ItemBeginning
    /// Start of the change, for its measured length.
    public let began: Time
}
