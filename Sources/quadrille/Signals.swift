import Glibc
import Threads

/// SIGINT, SIGTERM and SIGHUP end the program as q does; a second one ends it at once.
final class Signals {
    private let worker: Worker

    /// `onEnd` is called on a thread of its own. Made once, before other threads start.
    init(onEnd: @escaping @Sendable () -> Void) {
        var ends: [Int32] = [-1, -1]
        precondition(pipe(&ends) == 0, "no pipe for signals")
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        signalPipe = ends[1]
        let read = ends[0]
        worker = Worker("signals", stackSize: 1 << 18) {
            if waitForByte(from: read) == UInt8(ascii: "s") { onEnd() }
            close(read)
        }
        for number in [SIGINT, SIGTERM, SIGHUP] { handle(number) }
        signal(SIGPIPE, SIG_IGN)
    }

    func stop() {
        for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_DFL) }
        writeByte(UInt8(ascii: "q"))
        _ = worker.join()
    }
}

private nonisolated(unsafe) var signalPipe: Int32 = -1

private func handle(_ number: Int32) {
    var before = sigaction()
    sigaction(number, nil, &before)
    // One that is ignored from outside (nohup) stays ignored.
    let ignored = unsafeBitCast(SIG_IGN, to: Int.self)
    if unsafeBitCast(before.__sigaction_handler.sa_handler, to: Int.self) == ignored { return }
    signal(number, takeSignal)
}

private func takeSignal(_ number: Int32) {
    signal(number, SIG_DFL)
    writeByte(UInt8(ascii: "s"))
}

private func writeByte(_ byte: UInt8) {
    var byte = byte
    _ = write(signalPipe, &byte, 1)
}

private func waitForByte(from file: Int32) -> UInt8? {
    var byte: UInt8 = 0
    while true {
        let count = read(file, &byte, 1)
        if count < 0, errno == EINTR { continue }
        return count == 1 ? byte : nil
    }
}
