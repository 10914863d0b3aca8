import Base
import Glibc

/// The reason for a failed read of a file.
public struct ReadingTrouble: Error, CustomStringConvertible {
    public let description: String

    init(_ what: String) { description = what }
    init(_ number: Int32) { description = String(cString: strerror(number)) }
}

/// Reads a whole file of at most `limit` bytes; `-` is standard input. May block as long as the file system does.
public func bytes(
    of path: String, atMost limit: Int = 64 << 20
) -> Result<(bytes: [UInt8], file: FileIdentity?), ReadingTrouble> {
    // Without O_NONBLOCK, opening a FIFO may never return.
    let file = path == "-" ? 0 : Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return .failure(ReadingTrouble(errno)) }
    defer { if file != 0 { close(file) } }
    var status = stat()
    if file != 0, fstat(file, &status) == 0, ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) {
        return .failure(ReadingTrouble("it is not a regular file"))
    }
    let identity = FileIdentity(descriptor: file)
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    while true {
        let count = Glibc.read(file, &chunk, chunk.count)
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { return .failure(ReadingTrouble(errno)) }
        if count == 0 { return .success((bytes, identity)) }
        bytes += chunk[..<count]
        if bytes.count > limit { return .failure(ReadingTrouble(EFBIG)) }
    }
}
