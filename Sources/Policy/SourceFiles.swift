import Base

/// Files of a layout's folders and songs, as they were when these were read.
public struct SourceFiles: Sendable {
    /// Folders, missing paths that may become folders, and songs. If one of them changes, all are to be read again.
    public var watched: Set<String> = []
    /// Identities of the watched paths before they were read. Missing paths have none.
    public var identities: [String: FileIdentity] = [:]
    /// Folders that the system did not open. A retry may succeed although the folder has not changed.
    public var unopened: Set<String> = []
    /// Files to play once they are there: files that are being copied into folders, and files that songs lack.
    public var unfinished: Set<String> = []
    /// Lines on what songs lack.
    public var lacks: [String] = []

    public init() {}

    /// Notes a path's new identity. The path may be watched again, with this identity, before its layout is read again.
    mutating func noteChange(of path: String, to identity: FileIdentity) {
        if watched.contains(path) { identities[path] = identity }
    }

    /// True if folders and songs may have to be read again when the file at this path changes.
    func concerns(_ path: String) -> Bool { watched.contains(path) || unfinished.contains(path) }

    /// Returns the state that a watched file had when the layout was read. Changes since then are reported, too.
    func known(_ path: String) -> WatchedFile.Known {
        guard watched.contains(path) else { return .asFound }
        return identities[path].map { .file($0) } ?? .absent
    }
}
