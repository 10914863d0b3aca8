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
