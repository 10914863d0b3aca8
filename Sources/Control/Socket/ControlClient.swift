import Glibc

/// A connection: reads lines for its session, and sends what the session has to say. Lives on the socket's thread.
/// No call blocks, and each does a bounded amount of work.
final class ControlClient {
    static let longestLine = 1 << 20
    static let mostWaiting = 1 << 20

    private static let bytesPerTurn = 64 << 10
    private static let linesPerTurn = 32

    let file: Int32
    let session: ControlSession
    /// The observed properties are to be looked at again.
    var owesLook = false
    /// It is to be closed now.
    private(set) var isOver = false

    private var input: [UInt8] = []
    /// Of the next line in `input`.
    private var lineStart = 0
    /// No line feed lies between `lineStart` and here.
    private var searched = 0
    private var output: [UInt8] = []
    private var sent = 0
    /// Nothing more comes from it.
    private var isEnding = false
    /// It reads no more; what it sent is still carried out.
    private var isDeaf = false

    /// Takes the open, non-blocking file over.
    init(file: Int32, session: ControlSession) { (self.file, self.session) = (file, session) }

    deinit { close(file) }

    private var hasWaitingOutput: Bool { sent < output.count }

    /// It may be told of properties: nothing else waits for it.
    var canBeTold: Bool { !hasWaitingOutput && !session.isWaiting && !isDeaf && !isOver }

    /// A line lies here and can be taken at once.
    private(set) var hasWork = false

    /// What the thread waits for; 0: for nothing.
    var awaitedEvents: Int16 {
        let reads = !hasWork && !session.isWaiting && !isEnding
        return (reads ? Int16(POLLIN) : 0) | (hasWaitingOutput ? Int16(POLLOUT) : 0)
    }

    func read() {
        guard !hasWork, !session.isWaiting, !isEnding else { return }
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
        hasWork = findLine() != nil
        if !hasWork, input.count > ControlClient.longestLine { isOver = true }
    }

    /// Takes some of the lines that lie here.
    func work() {
        var lines = 0
        while hasWork, !session.isWaiting, lines < ControlClient.linesPerTurn,
            session.replies.count < ControlClient.bytesPerTurn
        {
            guard let end = findLine() else { break }
            session.take(input[lineStart..<end])
            lineStart = end + 1
            searched = lineStart
            lines += 1
            hasWork = findLine() != nil
        }
    }

    /// Sends what the connection takes.
    func flush() {
        send()
        let isLate = output.count - sent >= ControlClient.mostWaiting
        let more = session.takeOutput()
        if !more.isEmpty, !isDeaf {
            output.append(contentsOf: more)
            send()
        }
        if hasWaitingOutput && isLate && !more.isEmpty { isOver = true }
        if session.events.count >= ControlClient.mostWaiting { isOver = true }
        if isEnding, !hasWork, !session.isWaiting, !hasWaitingOutput { isOver = true }
    }

    private func send() {
        while hasWaitingOutput, !isDeaf {
            let count = output.withUnsafeBytes {
                Glibc.send(file, $0.baseAddress! + sent, $0.count - sent, Int32(MSG_NOSIGNAL))
            }
            if count > 0 { sent += count }
            if count < 0, errno == EAGAIN { break }
            if count < 0, errno != EINTR { isDeaf = true }
        }
        if isDeaf || !hasWaitingOutput {
            (output, sent) = ([], 0)
        } else if sent > ControlClient.bytesPerTurn {
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
