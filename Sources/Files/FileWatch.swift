import Threads

/// Tells when files have changed, once they have been quiet for long enough.
///
/// One thread looks: woken by inotify, which watches the folders on the way to each file, so that a file that is
/// written, replaced, linked elsewhere, or whose folder comes and goes is noticed at once; and every two seconds by
/// itself, for file systems that have no events (NFS, some of FUSE) and where the system has no inotify left.
/// It holds three files, however many are watched. Any thread may call any method; none but `stop` blocks.
/// Its owner stops it.
public final class FileWatch: Sendable {
    private let mailbox: WatchMailbox
    private let worker: Worker

    /// `changed` is told the path as it was given, and what the file is now. It runs on the watch's thread and must not
    /// wait for another thread that may call `stop`. A file that is as it was before is not told, nor is one that is
    /// gone; one that is made again is.
    public convenience init(changed: @escaping @Sendable (String, FileIdentity) -> Void) throws(NoThread) {
        try self.init(.withEvents, lookInterval: 2_000_000_000, changed: changed)
    }

    enum Manner { case withEvents, withoutEvents }

    init(
        _ manner: Manner, lookInterval: Int64, changed: @escaping @Sendable (String, FileIdentity) -> Void
    ) throws(NoThread) {
        let mailbox = WatchMailbox(manner == .withEvents ? .withPipe : .withoutPipe)
        self.mailbox = mailbox
        worker = try Worker("watch", .batch) {
            FileWatchLoop(mailbox, lookInterval: lookInterval, changed).run()
        }
    }

    /// From now on these and no others. With a file of which nothing is known, what happens before the thread has
    /// first looked is not noticed.
    public func watch(_ files: [WatchedFile]) { mailbox.post { $0.files = files } }

    /// A file that gets this identity is not told: the caller has written it. See `FileReplacement.write`, which
    /// announces it.
    public func ignore(_ identity: FileIdentity) { mailbox.post { $0.ignored.append(identity) } }

    /// Nothing is told any more once it is joined. A thread that is held up by a file system that does not answer is
    /// given up after `limit` nanoseconds. Called once.
    @discardableResult
    public func stop(within limit: Int64 = .max) -> Worker.JoinResult {
        mailbox.post { $0.isStopping = true }
        return worker.join(within: limit)
    }
}
