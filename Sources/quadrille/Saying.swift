import Glibc

/// One line on standard error, whole, from any thread.
func say(_ line: String) {
    var bytes = Array(line.utf8)
    bytes.append(0x0A)
    writeAll(bytes, to: 2)
}

/// Gives up on an error: whoever read it is gone.
func writeAll(_ bytes: [UInt8], to file: Int32) { bytes.withUnsafeBufferPointer { writeAll($0, to: file) } }

func writeAll(_ bytes: UnsafeBufferPointer<UInt8>, to file: Int32) {
    var done = 0
    while done < bytes.count {
        let count = write(file, bytes.baseAddress! + done, bytes.count - done)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return }
        done += count
    }
}
