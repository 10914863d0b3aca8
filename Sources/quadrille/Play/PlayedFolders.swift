import Base
import Console
import Files

/// Folders and songs that a wall plays, as they were when the layout was read, and files that it waits for.
struct PlayedFolders {
    /// Folders that are played, missing paths that may become folders, and songs.
    private(set) var paths: Set<String> = []
    /// Identities of these when the layout was read. Missing paths have none.
    private var identities: [String: FileIdentity] = [:]
    /// Folders that the system did not open.
    private(set) var unopened: Set<String> = []
    /// Files to play once they are there: files that are being copied into folders, and files that songs lack.
    private(set) var unfinished: Set<String> = []
    /// Lines on what songs lack, as they were printed last.
    private var lacks: Set<String> = []

    /// Takes the files of a layout's sources over. Returns lines on what songs lack that are not printed yet.
    mutating func note(_ sources: PlayedSources) -> [String] {
        (paths, identities) = (sources.watched, sources.identities)
        (unopened, unfinished) = (sources.unopened, sources.unfinished)
        let lacks = sources.troubles
        defer { self.lacks = Set(lacks) }
        return lacks.filter { !self.lacks.contains($0) }
    }

    /// Notes that a path has changed. Its file may be watched once more before another layout is read.
    mutating func noteChange(of path: String, to identity: FileIdentity?) {
        if paths.contains(path) { identities[path] = identity }
    }

    /// True if folders and songs may have to be read again when the file at this path changes.
    func concerns(_ path: String) -> Bool { paths.contains(path) || unfinished.contains(path) }

    /// Returns the state that a watched file had when the layout was read. Changes since then are reported, too.
    func known(_ path: String) -> WatchedFile.Known {
        guard paths.contains(path) else { return .asFound }
        return identities[path].map { .file($0) } ?? .absent
    }
}
