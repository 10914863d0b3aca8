import Base
import Glibc

extension FileIdentity {
    /// Identity of the file at `path`, links followed; nil if it can't be read. May block as long as the file system
    /// does.
    public init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Identity of an open file. Bytes read from the file belong to this identity if it is the same before and after
    /// the read.
    public init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        self.init(
            device: UInt64(status.st_dev), inode: UInt64(status.st_ino), size: Int64(status.st_size),
            modified: Int64(status.st_mtim.tv_sec).multipliedReportingOverflow(by: 1_000_000_000).partialValue
                &+ Int64(status.st_mtim.tv_nsec))
    }
}

/// A file operation that the system has refused.
public struct FileTrouble: Error, Equatable, CustomStringConvertible {
    public let path: String
    /// Value of errno.
    public let number: Int32

    public init(path: String, number: Int32) { (self.path, self.number) = (path, number) }

    public var description: String { "\(path): \(String(cString: strerror(number)))" }
}

/// The reason for a failed read of a file.
public struct ReadingTrouble: Error, CustomStringConvertible {
    public let description: String
    public private(set) var isTooLarge = false

    init(_ what: String) { description = what }
    init(_ number: Int32) { (description, isTooLarge) = (String(cString: strerror(number)), number == EFBIG) }
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
