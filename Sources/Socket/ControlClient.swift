import Glibc
import Threads

/// A client's connection: reads lines for its session, and sends the session's output. Belongs to the thread "control".
/// No call blocks, and each does a bounded amount of work.
///
/// While `mostWaiting` bytes are unsent, nothing is read from the client. The connection is closed if the client takes
/// no byte for `patience`, or if events raise the unsent bytes to `mostEver`.
final class ControlClient {
    static let longestLine = 1 << 20
    static let mostWaiting = 1 << 20
    static let mostEver = 4 << 20
    /// Timeout in nanoseconds.
    static let patience: Int64 = 1_000_000_000

    private static let bytesPerTurn = 64 << 10
    /// Most lines, or commands of one line, run in one turn.
    private static let stepsPerTurn = 32
    /// Time after which no further line is run in one turn, and no further property compared, in nanoseconds.
    private static let timePerTurn: Int64 = 2_000_000

    let file: Int32
    let session: ControlSession
    /// True while the observed properties are to be compared again for this client.
    var mustCompare = false
    /// True if the connection is to be closed now.
    private(set) var isOver = false
    /// Time that the client has taken, in nanoseconds. A client that rests is credited no time (`SocketServer.work`).
    var spent: Int64

    private var input = InputLines()
    private var output = OutputBytes()
    /// True if the client will send nothing more.
    private var isEnding = false

    /// Takes ownership of the open, non-blocking file.
    /// `spent`: time that the client is taken to have had already.
    init(file: Int32, session: ControlSession, spent: Int64) {
        (self.file, self.session, self.spent) = (file, session, spent)
    }

    deinit { close(file) }

    /// True if property changes may be sent: no output and no request is pending.
    var canBeSent: Bool { output.count == 0 && !session.isWaiting && !output.hasFailed && !isOver }

    /// True if a line, or the rest of one, is buffered and may be run now.
    var canWork: Bool {
        (input.hasNext || session.hasQueue) && !session.isWaiting && output.count < ControlClient.mostWaiting
    }

    /// Time at which the connection is closed unless the client takes some output; nil while there is room.
    var closingTime: Int64? {
        output.count >= ControlClient.mostWaiting ? output.lastTaken + ControlClient.patience : nil
    }

    /// Events to poll for; 0 if none.
    var awaitedEvents: Int16 { (canRead ? Int16(POLLIN) : 0) | (output.count > 0 ? Int16(POLLOUT) : 0) }

    private var canRead: Bool {
        !input.hasNext && !session.hasQueue && !session.isWaiting && !isEnding
            && output.count < ControlClient.mostWaiting
    }

    func read() {
        guard canRead else { return }
        input.trim()
        let count = withUnsafeTemporaryAllocation(byteCount: ControlClient.bytesPerTurn, alignment: 1) { buffer in
            let count = recv(file, buffer.baseAddress!, buffer.count, 0)
            if count > 0 { input.append(UnsafeRawBufferPointer(buffer)[..<count]) }
            return count
        }
        if count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR) { isEnding = true }
        input.look()
        if input.isTooLong { isOver = true }
    }

    /// Runs buffered lines, at least one and a bounded number of them, for a bounded time.
    func work() {
        spend { isLate in
            var steps = 0
            while canWork, steps < ControlClient.stepsPerTurn, session.replies.count < ControlClient.bytesPerTurn {
                steps += 1
                if session.hasQueue { session.runNext() } else if let line = input.next() { session.take(line) }
                if isLate() { return }
            }
        }
    }

    /// Compares observed properties, at least one of them, for a bounded time.
    func compare(_ values: PropertyLook) { spend { isLate in mustCompare = !session.look(values, until: isLate) } }

    private func spend(_ body: (_ isLate: () -> Bool) -> Void) {
        let began = monotonicNanoseconds()
        body { monotonicNanoseconds() - began >= ControlClient.timePerTurn }
        spent += monotonicNanoseconds() - began
    }

    /// Sends as much as the connection takes.
    func flush(_ now: Int64) {
        output.send(to: file, now)
        let more = session.takeOutput()
        if !more.isEmpty, !output.hasFailed {
            output.append(more)
            output.send(to: file, now)
        }
        if output.count + session.events.count >= ControlClient.mostEver { isOver = true }
        if let closingTime, now >= closingTime { isOver = true }
        if isEnding, !input.hasNext, !session.hasQueue, !session.isWaiting, output.count == 0 { isOver = true }
    }
}
