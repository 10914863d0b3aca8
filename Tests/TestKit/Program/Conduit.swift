import Foundation

/// A pipe that no child inherits by accident: an open end in another process would hide the end of the data.
///
/// Used by one thread at a time.
final class Conduit: @unchecked Sendable {
    private(set) var reading: Int32 = -1
    private(set) var writing: Int32 = -1

    /// Held while a pipe is made and while a child is started.
    static let spawning = NSLock()

    init() {
        var ends: [Int32] = [-1, -1]
        Conduit.spawning.withLock {
            guard pipe(&ends) == 0 else { preconditionFailure("pipe: \(errno)") }
            for end in ends where fcntl(end, F_SETFD, FD_CLOEXEC) != 0 { preconditionFailure("fcntl: \(errno)") }
        }
        (reading, writing) = (ends[0], ends[1])
    }

    func closeReading() {
        if reading >= 0 { close(reading) }
        reading = -1
    }

    func closeWriting() {
        if writing >= 0 { close(writing) }
        writing = -1
    }

    /// Blocks until the bytes are taken. Returns false if the reading end is closed.
    func write(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var done = 0
            while done < buffer.count {
                let count = Glibc.write(writing, buffer.baseAddress! + done, buffer.count - done)
                guard count > 0 else { return false }
                done += count
            }
            return true
        }
    }

    deinit {
        closeReading()
        closeWriting()
    }
}
