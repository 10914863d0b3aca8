/// A file that is to be watched.
public struct WatchedFile: Hashable, Sendable {
    /// Absolute or relative to the working folder. It need not exist.
    public var path: String
    /// A change is told when nothing has happened to the file for so many nanoseconds.
    public var quiet: Int64
    public var known: Known

    /// What the owner knows of the file; a change is what differs from it.
    public enum Known: Hashable, Sendable {
        /// What the watch finds when it first looks. For a file that is watched already: what it knows.
        case asFound
        case absent
        case file(FileIdentity)
    }

    public init(_ path: String, quiet: Int64, known: Known = .asFound) {
        (self.path, self.quiet, self.known) = (path, quiet, known)
    }
}

/// Decides which changes of watched files are told, and when. Pure: what is seen and the time are passed in.
struct QuietFiles {
    private struct File {
        var quiet: Int64
        var known: WatchedFile.Known
        /// nil: nothing is going on.
        var stir: Stir?
    }

    /// A file is being changed.
    private struct Stir {
        /// When it has been quiet for long enough.
        var due: Int64
        /// Where only looking shows that it changes: what was seen last.
        var seen: FileIdentity?
    }

    private static let mostIgnored = 64

    private var files: [String: File] = [:]
    private var ignored: [FileIdentity] = []

    /// From now on these and no others. What goes on with those that stay goes on.
    mutating func watch(_ watched: [WatchedFile]) {
        let former = files
        files = [:]
        for file in watched {
            var state = former[file.path] ?? File(quiet: file.quiet, known: .asFound)
            state.quiet = file.quiet
            if file.known != .asFound { state.known = file.known }
            files[file.path] = state
        }
    }

    var paths: [String] { Array(files.keys) }

    /// A file that gets this identity has not changed. The last 64 are remembered.
    mutating func ignore(_ identity: FileIdentity) {
        ignored.append(identity)
        ignored.removeFirst(max(0, ignored.count - QuietFiles.mostIgnored))
    }

    /// Something was done to the file or on the way to it.
    mutating func stir(_ path: String, now: Int64) {
        guard let file = files[path] else { return }
        files[path]!.stir = Stir(due: now + file.quiet)
    }

    /// What the file is just now; nil: there is none. Answers whether that is news.
    @discardableResult
    mutating func see(_ path: String, _ identity: FileIdentity?, now: Int64) -> Bool {
        guard let file = files[path] else { return false }
        if file.known == .asFound {
            files[path]!.known = identity.map(WatchedFile.Known.file) ?? .absent
            return false
        }
        guard let identity, file.known != .file(identity) else { return false }
        if let stir = file.stir, stir.seen == nil || stir.seen == identity { return false }
        files[path]!.stir = Stir(due: now + file.quiet, seen: identity)
        return true
    }

    /// Which are to be looked at now, because they have been quiet for long enough: the first that was due first.
    func due(now: Int64) -> [String] {
        files.compactMap { path, file in file.stir.map { (path, $0.due) } }.filter { $0.1 <= now }
            .sorted { $0.1 < $1.1 }.map(\.0)
    }

    var nextDue: Int64? { files.values.lazy.compactMap { $0.stir?.due }.min() }

    /// What a file is that was due. Answers whether that is to be told. A file that is gone is not told: it may be
    /// about to be made again.
    mutating func settle(_ path: String, _ identity: FileIdentity?, now: Int64) -> Bool {
        guard let file = files[path], let stir = file.stir else { return false }
        if let seen = stir.seen, let identity, seen != identity {
            files[path]!.stir = Stir(due: now + file.quiet, seen: identity)
            return false
        }
        files[path]!.stir = nil
        guard let identity, file.known != .file(identity) else { return false }
        files[path]!.known = .file(identity)
        return file.known != .asFound && !ignored.contains(identity)
    }
}
