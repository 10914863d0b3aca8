/// The identity of a file and of one state of it. A changed file has another identity.
public struct FileIdentity: Hashable, Sendable {
    public let device: UInt64
    public let inode: UInt64
    public let size: Int64
    /// Modification time in nanoseconds since 1970.
    public let modified: Int64

    public init(device: UInt64, inode: UInt64, size: Int64, modified: Int64) {
        (self.device, self.inode, self.size, self.modified) = (device, inode, size, modified)
    }
}

/// A file that is to be watched.
public struct WatchedFile: Hashable, Sendable {
    /// Absolute or relative to the working folder. It need not exist.
    public var path: String
    /// A change is reported when the file has been quiet for this many nanoseconds.
    public var quiet: Int64
    public var known: Known

    /// State of the file that the owner knows; a differing state is a change.
    public enum Known: Hashable, Sendable {
        /// The state at the watch's first check. For a file that is watched already: the state known so far.
        case asFound
        case absent
        case file(FileIdentity)
    }

    public init(_ path: String, quiet: Int64, known: Known = .asFound) {
        (self.path, self.quiet, self.known) = (path, quiet, known)
    }
}
