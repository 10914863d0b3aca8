import Base

/// Decides which changes of watched files are reported, and when. Pure: states and time are passed in.
struct QuietFiles {
    private struct File {
        var quiet: Int64
        var known: WatchedFile.Known
        /// nil while the file is quiet.
        var stir: Stir?
    }

    /// A change in progress.
    private struct Stir {
        /// Time at which the file will have been quiet for long enough.
        var due: Int64
        /// State found by the last periodic check; nil if an event reported the change.
        var seen: FileIdentity?
    }

    private static let mostIgnored = 64

    private var files: [String: File] = [:]
    private var ignored: [FileIdentity] = []

    /// Replaces the set of files. Keeps changes in progress for files that are in both sets.
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

    /// Does not report a change whose result is this identity (the program's own write). The last 64 identities are
    /// remembered.
    mutating func ignore(_ identity: FileIdentity) {
        ignored.append(identity)
        ignored.removeFirst(max(0, ignored.count - QuietFiles.mostIgnored))
    }

    /// Notes an event on the file or on the way to it.
    mutating func stir(_ path: String, now: Int64) {
        guard let file = files[path] else { return }
        files[path]!.stir = Stir(due: now + file.quiet)
    }

    /// Takes the file's present identity; nil if there is no file. Returns true if it has newly changed.
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

    /// Files that have been quiet for long enough and are to be checked now, the earliest deadline first.
    func due(now: Int64) -> [String] {
        files.compactMap { path, file in file.stir.map { (path, $0.due) } }.filter { $0.1 <= now }
            .sorted { $0.1 < $1.1 }.map(\.0)
    }

    var nextDue: Int64? { files.values.lazy.compactMap { $0.stir?.due }.min() }

    /// Takes the identity of a file that was due. Returns true if a change is to be reported. A removed file is not
    /// reported: it may be about to be made again.
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
