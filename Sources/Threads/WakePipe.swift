import Glibc

/// A pipe that wakes a thread which waits for files by `poll`. Any thread may call; no call blocks.
///
/// The owner of a mailbox calls `wake` and `clear` under the mailbox's lock, so that the pipe is readable exactly while
/// the mailbox has something new.
public final class WakePipe: Sendable {
    /// Read end, readable while the thread is woken.
    public let file: Int32
    private let writeEnd: Int32

    /// Returns nil with errno set if no pipe can be made.
    public init?() {
        var files: [Int32] = [-1, -1]
        guard pipe(&files) == 0 else { return nil }
        (file, writeEnd) = (files[0], files[1])
        for file in files {
            _ = fcntl(file, F_SETFL, O_NONBLOCK)
            _ = fcntl(file, F_SETFD, FD_CLOEXEC)
        }
    }

    deinit {
        close(file)
        close(writeEnd)
    }

    /// Makes `file` readable.
    public func wake() {
        var byte: UInt8 = 1
        _ = write(writeEnd, &byte, 1)
    }

    /// Called as often as `wake`. `file` is not readable afterwards.
    public func clear() {
        var byte: UInt8 = 0
        _ = read(file, &byte, 1)
    }
}
