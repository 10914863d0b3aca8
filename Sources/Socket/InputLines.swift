import Glibc

/// Bytes that a client sent, as lines. Belongs to the thread "control".
struct InputLines {
    private var bytes: [UInt8] = []
    /// Start of the next line.
    private var start = 0
    /// Index before which there is no line feed after `start`.
    private var searched = 0
    /// True if a whole line is there.
    private(set) var hasNext = false

    /// True if the line that has begun is longer than any line may be.
    var isTooLong: Bool { !hasNext && bytes.count > ControlClient.longestLine }

    /// Drops the bytes of lines that were taken.
    mutating func trim() {
        guard start > 0 else { return }
        bytes.removeSubrange(..<start)
        (start, searched) = (0, searched - start)
    }

    mutating func append(_ more: UnsafeRawBufferPointer.SubSequence) { bytes.append(contentsOf: more) }

    /// Looks for a whole line. Called when bytes were received.
    mutating func look() { hasNext = end() != nil }

    /// Takes the next line, without its line feed; nil if there is no whole line.
    mutating func next() -> ArraySlice<UInt8>? {
        guard let end = end() else { return nil }
        defer { look() }
        let line = bytes[start..<end]
        start = end + 1
        searched = start
        return line
    }

    private mutating func end() -> Int? {
        let end = bytes.withUnsafeBytes { bytes -> Int? in
            guard searched < bytes.count else { return nil }
            let start = bytes.baseAddress!
            return memchr(start + searched, 0x0A, bytes.count - searched).map { UnsafeRawPointer($0) - start }
        }
        searched = end ?? bytes.count
        return end
    }
}

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
