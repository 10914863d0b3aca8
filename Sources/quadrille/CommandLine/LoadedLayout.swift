import Files
import Layout

/// A layout as it was loaded, without what the command line adds.
struct LoadedLayout {
    /// Name as it was written, so that sources keep their names; nil if there is no layout's file (media, standard
    /// input).
    var name: String?
    /// Identity of the file that was read last, so that a change is noticed.
    var file: FileIdentity?
    var layout: Layout
    /// True unless the system refused the file at the last attempt. A retry may succeed although the file has not
    /// changed.
    var wasRead = true
}
