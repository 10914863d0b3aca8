import Base
import Glibc
import Threads

/// Reports changed files, once they have been quiet for long enough.
///
/// One thread watches the folders on the way to each file with inotify. It notices at once if a file is written or
/// replaced, if a link on the way changes, or if a folder on the way comes or goes. The thread also checks every two
/// seconds, for file systems without events (NFS, some of FUSE) and for systems that have no inotify instances left. A
/// watch holds three file descriptors, however many files it watches. Any thread may call any method; only `stop`
/// blocks. The owner stops the watch.
public final class FileWatch: Sendable {
    private let mailbox: Mailbox<WatchRequests>

    /// `changed` gets the path as given and the file's new identity. It runs on the watch's thread and must not wait
    /// for a thread that may call `stop`. Unchanged files and removed files are not reported; a file that is made again
    /// is.
    ///
    /// `events`: without a pipe, the thread can't wait for events. `lookInterval`: time between two checks, in
    /// nanoseconds.
    public init(
        events: Mailbox<WatchRequests>.Manner = .withPipe, lookInterval: Int64 = 2_000_000_000,
        changed: @escaping @Sendable (String, FileIdentity) -> Void
    ) throws(NoThread) {
        mailbox = Mailbox(WatchRequests(), events)
        try mailbox.start("watch") { [mailbox] in
            FileWatchLoop(mailbox, lookInterval: lookInterval, changed).run()
        }
    }

    /// Replaces the set of watched files. If a file's `known` state is `asFound`, changes before the thread's first
    /// check are not noticed.
    public func watch(_ files: [WatchedFile]) { mailbox.post { $0.files = files } }

    /// Suppresses the report of a file that gets this identity: the caller has written it. `FileReplacement.write`
    /// announces the identity.
    public func ignore(_ identity: FileIdentity) { mailbox.post { $0.ignored.append(identity) } }

    /// Stops and joins the thread; nothing is reported after that. A thread that a file system holds up is abandoned
    /// after `limit` nanoseconds, and its name returned. Called once.
    @discardableResult
    public func stop(within limit: Int64 = .max) -> [String] {
        mailbox.stop(within: limit)
    }
}

/// Requests from other threads for the watch's thread.
public struct WatchRequests {
    /// nil if the set of watched files stays.
    var files: [WatchedFile]?
    var ignored: [FileIdentity] = []
}

/// The loop of the watch's thread. Belongs to that thread.
private final class FileWatchLoop {
    /// Shortest time between two reads of the events, in nanoseconds.
    private static let shortestPause: Int64 = 10_000_000

    private let mailbox: Mailbox<WatchRequests>
    private let lookInterval: Int64
    private let changed: (String, FileIdentity) -> Void
    /// nil if inotify is unavailable; then only the periodic check notices changes.
    private var pathWatches: PathWatches?
    private var files = QuietFiles()
    private var nextRead: Int64 = 0
    private var nextLook: Int64 = 0

    init(_ mailbox: Mailbox<WatchRequests>, lookInterval: Int64, _ changed: @escaping (String, FileIdentity) -> Void) {
        (self.mailbox, self.lookInterval, self.changed) = (mailbox, lookInterval, changed)
        pathWatches = mailbox.canWaitForFiles ? FolderEvents().map(PathWatches.init) : nil
    }

    deinit { pathWatches?.events.close() }

    /// Returns when the mailbox is stopped.
    func run() {
        while true {
            readEvents()
            if monotonicNanoseconds() >= nextLook { look() }
            // Requests are taken after events are read and before changes are reported, so announced identities are
            // known when a change is reported.
            if mailbox.isStopping { return }
            if let requests = mailbox.take({ requests in exchange(&requests, with: WatchRequests()) }) {
                for identity in requests.ignored { files.ignore(identity) }
                if let watched = requests.files { watch(watched) }
            }
            notify()
            wait()
        }
    }

    private func wait() {
        let deadline = min(nextLook, files.nextDue ?? .max)
        let isPausing = monotonicNanoseconds() < nextRead
        let file = isPausing ? nil : pathWatches.map { pollfd(fd: $0.events.file, events: Int16(POLLIN), revents: 0) }
        mailbox.wait(until: isPausing ? min(deadline, nextRead) : deadline, for: file.map { [$0] } ?? [])
    }

    private func watch(_ watched: [WatchedFile]) {
        files.watch(watched)
        let paths = files.paths
        pathWatches?.lay(paths, among: paths)
        nextLook = 0
    }

    /// Reads events at most once in `shortestPause`, but always before a change is reported: the file may have changed
    /// again.
    private func readEvents() {
        guard let events = pathWatches?.events, monotonicNanoseconds() >= min(nextRead, files.nextDue ?? .max) else {
            return
        }
        let read = events.read()
        guard !read.isEmpty else { return }
        let now = monotonicNanoseconds()
        nextRead = now + FileWatchLoop.shortestPause
        var rerouted = Set<String>()
        for event in read {
            let touched = pathWatches!.touched(by: event)
            for path in touched { files.stir(path, now: now) }
            if event.kind != .content { rerouted.formUnion(touched) }
        }
        if !rerouted.isEmpty { pathWatches!.lay(rerouted, among: files.paths) }
    }

    /// Checks every file, for changes without events: writes by other machines, mounted file systems.
    private func look() {
        let now = monotonicNanoseconds()
        nextLook = files.paths.isEmpty ? .max : now + lookInterval
        var rerouted = Set(pathWatches?.blind ?? [])
        for path in files.paths where files.see(path, FileIdentity(path: path), now: now) { rerouted.insert(path) }
        if !rerouted.isEmpty { pathWatches?.lay(rerouted, among: files.paths) }
    }

    private func notify() {
        for path in files.due(now: monotonicNanoseconds()) {
            let identity = FileIdentity(path: path)
            if files.settle(path, identity, now: monotonicNanoseconds()), let identity { changed(path, identity) }
        }
    }
}
