import Base
import Glibc

/// Prepares the three standard streams. Called before anything else.
///
/// If a stream is closed, the next file that is opened would take its number, and printed lines would go into that
/// file. /dev/null takes the number instead, and can be neither read (0) nor written (1, 2). A closed pipe or a limit
/// on file sizes leads to write errors, and does not end the program.
public func prepareStandardStreams() {
    for (number, wrongWay) in [(Int32(0), O_WRONLY), (1, O_RDONLY), (2, O_RDONLY)]
    where fcntl(number, F_GETFD) < 0 {
        // `open` takes the lowest free number, which is this one. Started programs inherit it, as they do open streams.
        _ = open("/dev/null", wrongWay)
    }
    for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
}

/// Prints one whole line on standard error, from any thread, without secrets or characters that control a terminal.
///
/// `printLine` and `printOutput` are the only way to a terminal. An unprintable character is replaced by its code point
/// (`String.printable`). A progress bar is removed first.
public func printLine(_ line: String) {
    writeAll(
        ProgressBar.takeRemoval() + Array((SourceName.withoutSecrets(in: line).printable + "\n").utf8), to: 2)
}

/// Prints lines on standard output. Returns `status`, or `unwritten` if only the printing failed.
public func printOutput(_ lines: [String], status: Int32) -> Int32 {
    ProgressBar.clear()
    let failure = writeAll(Array((lines.map(\.printable).joined(separator: "\n") + "\n").utf8), to: 1)
    guard failure != 0 else { return status }
    printLine("quadrille: standard output: \(String(cString: strerror(failure)))")
    return [ExitStatus.done, ExitStatus.seams].contains(status) ? ExitStatus.unwritten : status
}

/// Prints rows on standard output, each in a line with tabs between its cells. Returns the exit status.
public func printTable(_ rows: [[String]]) -> Int32 {
    let lines = rows.map { row in row.map(\.printable).joined(separator: "\t") + "\n" }
    return writeAll(Array(lines.joined().utf8), to: 1) == 0 ? ExitStatus.done : ExitStatus.unwritten
}

/// Writes all bytes. Returns 0, or the number of the first error.
@discardableResult
func writeAll(_ bytes: [UInt8], to file: Int32) -> Int32 { bytes.withUnsafeBufferPointer { writeAll($0, to: file) } }

@discardableResult
public func writeAll(_ bytes: UnsafeBufferPointer<UInt8>, to file: Int32) -> Int32 {
    var done = 0
    while done < bytes.count {
        let count = write(file, bytes.baseAddress! + done, bytes.count - done)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return count < 0 ? errno : EIO }
        done += count
    }
    return 0
}

/// Returns rows as lines, with blanks between their columns. `right`: indices of columns that are aligned right.
public func aligned(_ rows: [[String]], right: Set<Int> = []) -> [String] {
    let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
        let cells = row.enumerated().map { column, cell in
            let blanks = String(repeating: " ", count: widths[column] - cell.count)
            return right.contains(column) ? blanks + cell : column == row.count - 1 ? cell : cell + blanks
        }
        return cells.joined(separator: "  ")
    }
}

extension String {
    /// The string as a field of a CSV file, in quotes if it contains a separator.
    public var csvField: String {
        guard contains(where: { ",\"\r\n".contains($0) }) else { return self }
        return "\"" + split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
