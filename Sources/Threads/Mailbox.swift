import Glibc

/// Content for one thread, which any thread may change. The mailbox's thread waits for changes and for files by `poll`.
/// No call but `wait` and `stop` blocks.
///
/// `start` starts the thread, which ends when it finds `isStopping`. Its owner calls `stop`.
public final class Mailbox<Content>: Sendable {
    private struct State {
        var content: Content
        /// True from a change that wakes the thread until `take`. The pipe holds one byte meanwhile.
        var isWoken = false
        /// nil before `start` and after `stop`.
        var worker: Worker?
        var isStopping = false
    }

    private let state: Locked<State>
    /// nil if none was asked for, or none could be made.
    private let pipe: (readEnd: Int32, writeEnd: Int32)?

    public enum Manner { case withPipe, withoutPipe }

    public init(_ content: Content, _ manner: Manner = .withPipe) {
        state = Locked(State(content: content))
        var ends: [Int32] = [-1, -1]
        pipe = manner == .withPipe && Glibc.pipe(&ends) == 0 ? (ends[0], ends[1]) : nil
        for file in ends where file >= 0 {
            _ = fcntl(file, F_SETFL, O_NONBLOCK)
            _ = fcntl(file, F_SETFD, FD_CLOEXEC)
        }
    }

    deinit {
        guard let pipe else { return }
        close(pipe.readEnd)
        close(pipe.writeEnd)
    }

    /// Starts the thread, unless it runs already. Returns false, and starts none, after `stop`.
    @discardableResult
    public func start(
        _ name: String, _ manner: Worker.Manner = .batch, _ body: @escaping @Sendable () -> Void
    ) throws(NoThread) -> Bool {
        try state.locked { state throws(NoThread) in
            if !state.isStopping, state.worker == nil { state.worker = try Worker(name, manner, body) }
            return !state.isStopping
        }
    }

    /// Makes the thread end, and joins it. Waits at most `limit` nanoseconds. Returns the thread's name if it has not
    /// ended.
    @discardableResult
    public func stop(within limit: Int64 = 1_000_000_000) -> [String] {
        let worker = state.locked { state in
            state.isStopping = true
            wake(&state)
            return exchange(&state.worker, with: nil)
        }
        return worker?.join(within: limit) ?? []
    }

    /// False if there is no pipe. `wait` then waits for changes and the deadline only.
    public var canWaitForFiles: Bool { pipe != nil }

    /// Changes the content and wakes the thread. Does neither if the condition does not hold.
    public func post(if condition: (Content) -> Bool = { _ in true }, then change: (inout Content) -> Void) {
        state.locked { state in
            guard condition(state.content) else { return }
            change(&state.content)
            wake(&state)
        }
    }

    private func wake(_ state: inout State) {
        guard !state.isWoken else { return }
        state.isWoken = true
        var byte: UInt8 = 1
        if let pipe { _ = write(pipe.writeEnd, &byte, 1) } else { self.state.wake() }
    }

    /// Reads or changes the content without waking the thread.
    public func locked<Result>(_ body: (inout Content) -> Result) -> Result { state.locked { body(&$0.content) } }

    // MARK: The mailbox's thread

    /// True from `stop` on. The mailbox then stays woken. A thread that must handle all content from before `stop` reads
    /// this before each `take`.
    public var isStopping: Bool { state.locked { $0.isStopping } }

    /// Returns the result of `body`, which empties the content; nil if no change has woken the thread.
    @discardableResult
    public func take<Result>(_ body: (inout Content) -> Result) -> Result? {
        state.locked { state in
            guard state.isWoken else { return nil }
            if !state.isStopping {
                state.isWoken = false
                var byte: UInt8 = 0
                if let pipe { _ = read(pipe.readEnd, &byte, 1) }
            }
            return body(&state.content)
        }
    }

    /// Waits until a change wakes the thread, a file is ready, or this instant of CLOCK_MONOTONIC in nanoseconds has
    /// come. Returns the ready files.
    @discardableResult
    public func wait(until deadline: Int64 = .max, for files: [pollfd] = []) -> Set<Int32> {
        guard let pipe else {
            return state.wait(by: deadline) { $0.isWoken ? [] : nil } ?? []
        }
        var files = files + [pollfd(fd: pipe.readEnd, events: Int16(POLLIN), revents: 0)]
        // Rounded up: the deadline has come when `poll` returns. -1 waits without one.
        let milliseconds = max(0, deadline - monotonicNanoseconds() + 999_999) / 1_000_000
        let count = poll(&files, nfds_t(files.count), deadline == .max ? -1 : Int32(clamping: milliseconds))
        return count > 0 ? Set(files.lazy.filter { $0.revents != 0 }.map(\.fd)) : []
    }
}
