import Glibc
import WallCore

/// One line on standard error, whole, from any thread, without secrets and without what a terminal would obey.
func say(_ line: String) {
    writeAll(Array((SourceName.withoutSecrets(in: line).printable + "\n").utf8), to: 2)
}

/// What a command answers, on standard output; its exit status: `status`, or that it could not be written.
func answer(_ lines: [String], status: Int32) -> Int32 {
    let failure = writeAll(Array((lines.map(\.printable).joined(separator: "\n") + "\n").utf8), to: 1)
    guard failure != 0 else { return status }
    say("quadrille: standard output: \(String(cString: strerror(failure)))")
    return ExitStatus.failed
}

/// Gives up on an error, and answers its number; 0: all is written.
@discardableResult
func writeAll(_ bytes: [UInt8], to file: Int32) -> Int32 { bytes.withUnsafeBufferPointer { writeAll($0, to: file) } }

@discardableResult
func writeAll(_ bytes: UnsafeBufferPointer<UInt8>, to file: Int32) -> Int32 {
    var done = 0
    while done < bytes.count {
        let count = write(file, bytes.baseAddress! + done, bytes.count - done)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return count < 0 ? errno : EIO }
        done += count
    }
    return 0
}
