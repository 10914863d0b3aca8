import Base
import Commands
import Feeds
import Layout

/// Something that may change which layout a wall shows. `LayoutPolicy.decide` takes these.
public enum LayoutChange: Sendable {
    // Changes that are decided without files. They come on any thread.

    /// The window is open.
    case started
    /// The instant of `LayoutAction.wake` has come, or the system's clock was set.
    case instantCame
    /// The content of a file has changed.
    case fileChanged(String, FileIdentity)
    /// The program has written changes by hand into a layout's file. `layout`: the written layout, if the file is that
    /// of the loaded layout; else nil.
    case writtenByProgram(String, FileIdentity, layout: Layout?)

    // Changes for which files are read. They come on the thread "files".

    /// A user asks for another layout's file.
    case loadAsked(String)
    /// A user asks that the layouts are read again.
    case reloadAsked
    /// Another layout may be due.
    case dueMayDiffer
    /// The same, and files and folders that the system refused may be read now. The file watch does not report that.
    case catchUp
    /// A layout's file, by its absolute path, was saved. Other layouts may be loaded and shown by now.
    case layoutSaved(String)
    /// A folder, a song, or a file that was copied into a folder has changed.
    case sourceSaved(String)

    /// True if the change may be decided only after files were read.
    public var needsFiles: Bool {
        switch self {
        case .started, .instantCame, .fileChanged, .writtenByProgram: false
        case .loadAsked, .reloadAsked, .dueMayDiffer, .catchUp, .layoutSaved, .sourceSaved: true
        }
    }
}

/// Power of the display. `cec`: true if the television is switched off, too.
public enum DisplayPower: Sendable, Equatable { case on, off(cec: Bool) }

/// Work that follows from a change, by `LayoutPolicy.decide`. Actions are carried out in order.
public enum LayoutAction: Sendable {
    /// Show a layout, with its folders and songs replaced by their files, and report the change. `began`: start of the
    /// change, for its measured length.
    case apply(Layout, because: ItemBeginning, began: Time)
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
