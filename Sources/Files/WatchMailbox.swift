import Base
import Glibc
import Threads

/// Requests from other threads for the watch's thread. Any thread may call `post`; it never blocks.
final class WatchMailbox: Sendable {
    struct Mail {
        /// nil if the set of watched files stays.
        var files: [WatchedFile]?
        var ignored: [FileIdentity] = []
        var isStopping = false
    }

    private struct State {
        var mail = Mail()
        var isWoken = false
    }

    private let state = Locked(State())
    private let wakeCondition = WakeCondition()
    /// Both ends of a pipe; empty if none could be made.
    private let wakeFiles: [Int32]

    enum Manner { case withPipe, withoutPipe }

    init(_ manner: Manner) {
        var files: [Int32] = [-1, -1]
        let isMade = manner == .withPipe && pipe(&files) == 0
        wakeFiles = isMade ? files : []
        for file in wakeFiles {
            _ = fcntl(file, F_SETFL, O_NONBLOCK)
            _ = fcntl(file, F_SETFD, FD_CLOEXEC)
        }
    }

    deinit { for file in wakeFiles { close(file) } }

    /// True if `wait` can wait for a file too.
    var canWaitForFiles: Bool { !wakeFiles.isEmpty }

    func post(_ change: (inout Mail) -> Void) {
        let isFirst = state.locked { state in
            change(&state.mail)
            defer { state.isWoken = true }
            return !state.isWoken
        }
        guard isFirst else { return }
        wakeCondition.wake()
        if canWaitForFiles {
            var byte: UInt8 = 0
            _ = write(wakeFiles[1], &byte, 1)
        }
    }

    /// Called by the watch's thread: returns and clears the content.
    func take() -> Mail {
        state.locked { state in
            if state.isWoken && canWaitForFiles {
                var bytes: (UInt64, UInt64) = (0, 0)
                _ = read(wakeFiles[0], &bytes, 16)
            }
            defer { state = State() }
            return state.mail
        }
    }

    /// Called by the watch's thread: waits until a request comes, a file is readable or the deadline has come.
    func wait(until deadline: Int64, orFor file: Int32?) {
        guard canWaitForFiles else {
            return state.wait(on: wakeCondition) { state in
                state.isWoken || monotonicNanoseconds() >= deadline ? .done(()) : .again(deadline: deadline)
            }
        }
        let milliseconds = (deadline - monotonicNanoseconds() + 999_999) / 1_000_000
        var files = [pollfd(fd: wakeFiles[0], events: Int16(POLLIN), revents: 0)]
        if let file { files.append(pollfd(fd: file, events: Int16(POLLIN), revents: 0)) }
        poll(&files, nfds_t(files.count), Int32(clamping: max(0, milliseconds)))
    }
}
