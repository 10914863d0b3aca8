import Base
import Glibc
import Threads

/// Requests from other threads for the watch's thread.
typealias WatchMailbox = Mailbox<WatchRequests>

public struct WatchRequests {
    /// nil if the set of watched files stays.
    var files: [WatchedFile]?
    var ignored: [FileIdentity] = []
    var isStopping = false
}

/// The loop of the watch's thread. Belongs to that thread.
final class FileWatchLoop {
    /// Shortest time between two reads of the events, in nanoseconds.
    private static let shortestPause: Int64 = 10_000_000

    private let mailbox: WatchMailbox
    private let lookInterval: Int64
    private let changed: (String, FileIdentity) -> Void
    /// nil if inotify is unavailable; then only the periodic check notices changes.
    private var pathWatches: PathWatches?
    private var files = QuietFiles()
    private var nextRead: Int64 = 0
    private var nextLook: Int64 = 0

    init(_ mailbox: WatchMailbox, lookInterval: Int64, _ changed: @escaping (String, FileIdentity) -> Void) {
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
            if let requests = mailbox.take({ requests in exchange(&requests, with: WatchRequests()) }) {
                if requests.isStopping { return }
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
        _ = mailbox.wait(until: isPausing ? min(deadline, nextRead) : deadline, for: file.map { [$0] } ?? [])
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
            for path in touched.stirred { files.stir(path, now: now) }
            rerouted.formUnion(touched.rerouted)
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
