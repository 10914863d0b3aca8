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
    /// nil if none was asked for, or none could be made.
    private let wakePipe: WakePipe?

    enum Manner { case withPipe, withoutPipe }

    init(_ manner: Manner) { wakePipe = manner == .withPipe ? WakePipe() : nil }

    /// True if `wait` can wait for a file too.
    var canWaitForFiles: Bool { wakePipe != nil }

    func post(_ change: (inout Mail) -> Void) {
        let isFirst = state.locked { state in
            change(&state.mail)
            defer { state.isWoken = true }
            if !state.isWoken { wakePipe?.wake() }
            return !state.isWoken
        }
        if isFirst { wakeCondition.wake() }
    }

    /// Called by the watch's thread: returns and clears the content.
    func take() -> Mail {
        state.locked { state in
            if state.isWoken { wakePipe?.clear() }
            defer { state = State() }
            return state.mail
        }
    }

    /// Called by the watch's thread: waits until a request comes, a file is readable or the deadline has come.
    func wait(until deadline: Int64, orFor file: Int32?) {
        guard let wakePipe else {
            return state.wait(on: wakeCondition) { state in
                state.isWoken || monotonicNanoseconds() >= deadline ? .done(()) : .again(deadline: deadline)
            }
        }
        let milliseconds = (deadline - monotonicNanoseconds() + 999_999) / 1_000_000
        var files = [pollfd(fd: wakePipe.file, events: Int16(POLLIN), revents: 0)]
        if let file { files.append(pollfd(fd: file, events: Int16(POLLIN), revents: 0)) }
        poll(&files, nfds_t(files.count), Int32(clamping: max(0, milliseconds)))
    }
}
