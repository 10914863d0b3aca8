import Base
import Threads

/// Reports changed files, once they have been quiet for long enough.
///
/// One thread watches the folders on the way to each file with inotify. It notices at once if a file is written or
/// replaced, if a link on the way changes, or if a folder on the way comes or goes. The thread also checks every two
/// seconds, for file systems without events (NFS, some of FUSE) and for systems that have no inotify instances left. A
/// watch holds three file descriptors, however many files it watches. Any thread may call any method; only `stop`
/// blocks. The owner stops the watch.
public final class FileWatch: Sendable {
    private let mailbox: WatchMailbox
    private let worker: Worker

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
        let mailbox = WatchMailbox(WatchRequests(), events)
        self.mailbox = mailbox
        worker = try Worker("watch", .batch) {
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
    /// after `limit` nanoseconds. Called once.
    @discardableResult
    public func stop(within limit: Int64 = .max) -> Worker.JoinResult {
        mailbox.post { $0.isStopping = true }
        return worker.join(within: limit)
    }
}
