import Glibc

/// A client's connection: reads lines for its session, and sends the session's output. Belongs to the socket's thread.
/// No call blocks, and each does a bounded amount of work.
///
/// While `mostWaiting` bytes are unsent, nothing is read from the client. The connection is closed if the client takes
/// none of them for `patience`, or if events raise the unsent bytes to `mostEver`.
final class ControlClient {
    static let longestLine = 1 << 20
    static let mostWaiting = 1 << 20
    static let mostEver = 4 << 20
    /// Timeout in nanoseconds.
    static let patience: Int64 = 1_000_000_000

    private static let bytesPerTurn = 64 << 10
    /// Most lines, or commands of one line, run in one turn.
    private static let stepsPerTurn = 32

    let file: Int32
    let session: ControlSession
    /// True while the observed properties are to be compared again for this client.
    var owesLook = false
    /// True if the connection is to be closed now.
    private(set) var isOver = false

    private var input: [UInt8] = []
    /// Start of the next line in `input`.
    private var lineStart = 0
    /// Index before which `input` has no line feed after `lineStart`.
    private var searched = 0
    private var output: [UInt8] = []
    private var sent = 0
    /// Time at which the client last took some output or none was waiting.
    private var lastTaken: Int64 = 0
    /// True if the client will send nothing more.
    private var isEnding = false
    /// True if sending failed. Commands that were received are still run.
    private var isDeaf = false

    /// Takes ownership of the open, non-blocking file.
    init(file: Int32, session: ControlSession) { (self.file, self.session) = (file, session) }

    deinit { close(file) }

    private var waiting: Int { output.count - sent }

    /// True if property changes may be sent: no output and no request is pending.
    var canBeSent: Bool { waiting == 0 && !session.isWaiting && !isDeaf && !isOver }

    /// True if a line, or the rest of one, is buffered and may be run now.
    var canWork: Bool {
        (hasLine || session.hasQueue) && !session.isWaiting && waiting < ControlClient.mostWaiting
    }

    /// Time at which the connection is closed unless the client takes some output; nil while there is room.
    var closingTime: Int64? { waiting >= ControlClient.mostWaiting ? lastTaken + ControlClient.patience : nil }

    /// Events to poll for; 0 if none.
    var awaitedEvents: Int16 { (canRead ? Int16(POLLIN) : 0) | (waiting > 0 ? Int16(POLLOUT) : 0) }

    private var hasLine = false
    private var canRead: Bool {
        !hasLine && !session.hasQueue && !session.isWaiting && !isEnding && waiting < ControlClient.mostWaiting
    }

    func read() {
        guard canRead else { return }
        if lineStart > 0 {
            input.removeSubrange(..<lineStart)
            (lineStart, searched) = (0, searched - lineStart)
        }
        let count = withUnsafeTemporaryAllocation(byteCount: ControlClient.bytesPerTurn, alignment: 1) { buffer in
            let count = recv(file, buffer.baseAddress!, buffer.count, 0)
            if count > 0 { input.append(contentsOf: buffer[..<count]) }
            return count
        }
        if count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR) { isEnding = true }
        hasLine = findLine() != nil
        if !hasLine, input.count > ControlClient.longestLine { isOver = true }
    }

    /// Runs buffered lines, a bounded number of them.
    func work() {
        var steps = 0
        while canWork, steps < ControlClient.stepsPerTurn, session.replies.count < ControlClient.bytesPerTurn {
            steps += 1
            if session.hasQueue {
                session.runNext()
            } else if let end = findLine() {
                session.take(input[lineStart..<end])
                lineStart = end + 1
                searched = lineStart
                hasLine = findLine() != nil
            }
        }
    }

    /// Sends as much as the connection takes.
    func flush(_ now: Int64) {
        send(now)
        let more = session.takeOutput()
        if !more.isEmpty, !isDeaf {
            output.append(contentsOf: more)
            send(now)
        }
        if waiting + session.events.count >= ControlClient.mostEver { isOver = true }
        if let closingTime, now >= closingTime { isOver = true }
        if isEnding, !hasLine, !session.hasQueue, !session.isWaiting, waiting == 0 { isOver = true }
    }

    private func send(_ now: Int64) {
        if waiting == 0 { lastTaken = now }
        while waiting > 0, !isDeaf {
            let count = output.withUnsafeBytes {
                Glibc.send(file, $0.baseAddress! + sent, $0.count - sent, Int32(MSG_NOSIGNAL))
            }
            if count > 0 { (sent, lastTaken) = (sent + count, now) }
            if count < 0, errno == EAGAIN { break }
            if count < 0, errno != EINTR { isDeaf = true }
        }
        if isDeaf || waiting == 0 {
            (output, sent) = ([], 0)
        } else if sent > ControlClient.mostWaiting {
            output.removeSubrange(..<sent)
            sent = 0
        }
    }

    private func findLine() -> Int? {
        let end = input.withUnsafeBytes { bytes -> Int? in
            guard searched < bytes.count else { return nil }
            let start = bytes.baseAddress!
            return memchr(start + searched, 0x0A, bytes.count - searched).map { UnsafeRawPointer($0) - start }
        }
        searched = end ?? input.count
        return end
    }
}
