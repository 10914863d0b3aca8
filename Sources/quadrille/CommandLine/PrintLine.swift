import Glibc
import WallCore

/// What the three standard streams may do to the program. Called first of all.
///
/// Where one of them is closed, the next file that is opened would take its place, and lines that are said would be
/// written into it: what stands there instead can be neither read (0) nor written (1, 2). Nobody reads, or a file may
/// not grow any more: errors of writing, and no end of the program.
func takeCareOfStandardStreams() {
    for (number, wrongWay) in [(Int32(0), O_WRONLY), (1, O_RDONLY), (2, O_RDONLY)]
    where fcntl(number, F_GETFD) < 0 {
        // The lowest that is free: this one. It stays with programs that are started, like those that are open.
        _ = open("/dev/null", wrongWay)
    }
    for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
}

/// One line on standard error, whole, from any thread, without secrets and without what a terminal would obey.
func printLine(_ line: String) {
    writeAll(Array((SourceName.withoutSecrets(in: line).printable + "\n").utf8), to: 2)
}

/// What a command answers, on standard output; its exit status: `status`, or where all else was well that it could not
/// be written.
func answer(_ lines: [String], status: Int32) -> Int32 {
    let failure = writeAll(Array((lines.map(\.printable).joined(separator: "\n") + "\n").utf8), to: 1)
    guard failure != 0 else { return status }
    printLine("quadrille: standard output: \(String(cString: strerror(failure)))")
    return [ExitStatus.done, ExitStatus.seams].contains(status) ? ExitStatus.unwritten : status
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
