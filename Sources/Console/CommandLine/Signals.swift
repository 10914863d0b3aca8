import Files
import Glibc
import Threads

/// Handles SIGINT, SIGTERM and SIGHUP. The first ends the program as q does. The second ends it at once, and removes
/// half-written files.
public final class Signals {
    private let worker: Worker

    /// `onEnd` is called with the signal, on a thread of its own. Made once, before other threads start.
    public init(onEnd: @escaping @Sendable (Int32) -> Void) throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Failure("no pipe for signals: \(String(cString: strerror(errno)))") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        signalPipe = ends[1]
        let read = ends[0]
        worker = try Worker("signals", stackSize: 1 << 18) {
            var isFirst = true
            while let number = waitForByte(from: read), number != 0 {
                if isFirst { onEnd(Int32(number)) } else { endAtOnce(by: Int32(number)) }
                isFirst = false
            }
            close(read)
        }
        for number in [SIGINT, SIGTERM, SIGHUP] { handle(number) }
    }

    public func stop() {
        for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_DFL) }
        writeByte(0)
        _ = worker.join()
    }
}

private nonisolated(unsafe) var signalPipe: Int32 = -1
/// A bit for each signal that ends the program by `takeFirst`.
private nonisolated(unsafe) var taken: UInt32 = 0

private func handle(_ number: Int32) {
    var before = sigaction()
    sigaction(number, nil, &before)
    // A signal that is ignored from outside (nohup) stays ignored.
    let ignored = unsafeBitCast(SIG_IGN, to: Int.self)
    if unsafeBitCast(before.__sigaction_handler.sa_handler, to: Int.self) == ignored { return }
    taken |= 1 << UInt32(number)
    signal(number, takeFirst)
}

// Both handlers may interrupt any code: they allocate nothing.

private func takeFirst(_ number: Int32) { take(number, next: takeSecond) }

/// Handles the second signal. A third one, of whatever kind, ends the program at once.
private func takeSecond(_ number: Int32) { take(number, next: SIG_DFL) }

private func take(_ number: Int32, next: __sighandler_t?) {
    if taken & 1 << UInt32(SIGINT) != 0 { signal(SIGINT, next) }
    if taken & 1 << UInt32(SIGTERM) != 0 { signal(SIGTERM, next) }
    if taken & 1 << UInt32(SIGHUP) != 0 { signal(SIGHUP, next) }
    writeByte(UInt8(truncatingIfNeeded: number))
}

private func writeByte(_ byte: UInt8) {
    var byte = byte
    let before = errno
    _ = write(signalPipe, &byte, 1)
    errno = before
}

/// Ends the process as if the signal were not handled.
private func endAtOnce(by number: Int32) {
    UnfinishedFiles.removeAll()
    signal(number, SIG_DFL)
    kill(getpid(), number)
    while true { pause() }
}

private func waitForByte(from file: Int32) -> UInt8? {
    var byte: UInt8 = 0
    while true {
        let count = read(file, &byte, 1)
        if count < 0, errno == EINTR { continue }
        return count == 1 ? byte : nil
    }
}
