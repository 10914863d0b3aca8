import Base
import Glibc
import Media
import Threads

/// Delays the opening of a file that is being written until nothing has been written for two seconds. Otherwise a half
/// copied film would be reported as damaged.
struct FilesBeingWritten: Sendable {
    /// Start of the program's run, in real time. Files written before are not delayed.
    private let begin: Int64
    private static let quiet: Int64 = 2_000_000_000
    /// Longest wait, in nanoseconds. A file that is copied for longer is tried again later.
    private static let patience: Int64 = 8_000_000_000

    init() { begin = realTimeNanoseconds() }

    /// Waits until the file is quiet, on an opener's thread.
    func wait(for location: String, _ deadline: Deadline) throws(SourceTrouble) {
        guard let path = SourceName.path(of: location) else { return }
        let limit = monotonicNanoseconds() + Self.patience
        while let rest = rest(of: path), !deadline.isCancelled {
            let now = monotonicNanoseconds()
            guard now < limit else { throw SourceTrouble(.unreadable, "the file is still being written") }
            Threads.sleep(until: now + min(rest, 100_000_000))
        }
    }

    /// Remaining time until the file counts as quiet, in nanoseconds; nil if it is quiet or does not exist.
    private func rest(of location: String) -> Int64? {
        var status = stat()
        guard stat(location, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        let written = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
        let age = realTimeNanoseconds() &- written
        return written >= begin && age >= 0 && age < Self.quiet ? Self.quiet - age : nil
    }
}
