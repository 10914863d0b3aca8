import Glibc

/// One line on standard error, whole, from any thread.
func say(_ line: String) {
    var bytes = Array(line.utf8)
    bytes.append(0x0A)
    writeAll(bytes, to: 2)
}

/// Gives up on an error: whoever read it is gone.
func writeAll(_ bytes: [UInt8], to file: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
    }
}
