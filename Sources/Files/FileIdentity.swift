import Glibc

/// Which file a path leads to, and which state of it: another of either is another identity.
public struct FileIdentity: Hashable, Sendable {
    public let device: UInt64
    public let inode: UInt64
    public let size: Int64
    /// In nanoseconds since 1970.
    public let modified: Int64

    init(device: UInt64, inode: UInt64, size: Int64, modified: Int64) {
        (self.device, self.inode, self.size, self.modified) = (device, inode, size, modified)
    }

    /// Of what `path` leads to, links followed; nil where nothing can be seen. May block as long as the file system does.
    public init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Of an open file: what has been read from it is of this identity if it is the same before and after.
    public init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        size = Int64(status.st_size)
        modified =
            Int64(status.st_mtim.tv_sec).multipliedReportingOverflow(by: 1_000_000_000).partialValue
            &+ Int64(status.st_mtim.tv_nsec)
    }
}

/// What the system has refused to do with a file.
public struct FileTrouble: Error, Equatable, CustomStringConvertible {
    public let path: String
    /// As errno says it.
    public let number: Int32

    public init(path: String, number: Int32) { (self.path, self.number) = (path, number) }

    public var description: String { "\(path): \(String(cString: strerror(number)))" }
}

/// The folder of a file, absolute and without links, as `LayoutPatch.moved` wants it. The file need not exist, its
/// folder must. May block as long as the file system does.
public func realFolder(ofFile path: String) throws(FileTrouble) -> String {
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let folder = slash.map { String(path[...$0]) } ?? "."
    guard let real = realpath(folder, nil) else { throw FileTrouble(path: folder, number: errno) }
    defer { free(real) }
    return String(cString: real)
}
