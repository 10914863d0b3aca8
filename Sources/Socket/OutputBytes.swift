import Glibc

/// Bytes that wait to be sent to a client. Belongs to the thread "control".
struct OutputBytes {
    private var bytes: [UInt8] = []
    private var sent = 0
    /// Time at which the client last took some bytes, or none was waiting.
    private(set) var lastTaken: Int64 = 0
    /// True if sending failed.
    private(set) var hasFailed = false

    var count: Int { bytes.count - sent }

    mutating func append(_ more: [UInt8]) { bytes.append(contentsOf: more) }

    /// Sends as much as the connection takes.
    mutating func send(to file: Int32, _ now: Int64) {
        if count == 0 { lastTaken = now }
        while count > 0, !hasFailed {
            let number = bytes.withUnsafeBytes {
                Glibc.send(file, $0.baseAddress! + sent, $0.count - sent, Int32(MSG_NOSIGNAL))
            }
            if number > 0 { (sent, lastTaken) = (sent + number, now) }
            if number < 0, errno == EAGAIN { break }
            if number < 0, errno != EINTR { hasFailed = true }
        }
        if hasFailed || count == 0 {
            (bytes, sent) = ([], 0)
        } else if sent > ControlClient.mostWaiting {
            bytes.removeSubrange(..<sent)
            sent = 0
        }
    }
}
