import Base
import Layout

/// A layout as it was loaded, without what the command line adds.
public struct LoadedLayout: Sendable {
    /// Name as it was written, so that sources keep their names; nil if there is no layout's file (media, standard
    /// input).
    public var name: String?
    /// Identity of the file that was read last, so that a change is noticed.
    public var file: FileIdentity?
    public var layout: Layout
    /// True unless the system refused the file at the last attempt. A retry may succeed although the file has not
    /// changed.
    public var wasRead = true

    public init(name: String?, file: FileIdentity?, layout: Layout, wasRead: Bool = true) {
        (self.name, self.file, self.layout, self.wasRead) = (name, file, layout, wasRead)
    }
}

/// A layout's file that a schedule names, as it was when it was read.
public struct ScheduledLayout: Equatable, Sendable {
    public var path: String
    /// Identity of the file; nil if there was none.
    public var file: FileIdentity?
    /// True unless the system refused the file. A retry may succeed although the file has not changed.
    public var wasRead = true

    public init(path: String, file: FileIdentity?, wasRead: Bool = true) {
        (self.path, self.file, self.wasRead) = (path, file, wasRead)
    }
}
