import Glibc
import Threads

/// A listening Unix socket at a path, to which only its user may connect. Its owner calls `remove`.
struct SocketPath {
    let path: String
    /// Non-blocking. Owned by the caller.
    let listener: Int32
    private let device: dev_t
    private let inode: ino_t

    /// Longest path in bytes, without the final zero byte.
    static let longest = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    init(_ path: String) throws(ControlSocketTrouble.Reason) {
        guard !path.utf8.isEmpty, !path.utf8.contains(0) else { throw .system(ENOENT) }
        guard path.utf8.count <= SocketPath.longest else { throw .tooLong }
        let listener = SocketPath.makeSocket()
        guard listener >= 0 else { throw .system(errno) }
        do throws(ControlSocketTrouble.Reason) {
            // On Linux the socket's mode becomes the mode of its file at `bind`.
            guard fchmod(listener, 0o600) == 0 else { throw .system(errno) }
            let folder = lockFolder(of: path)
            defer { if folder >= 0 { close(folder) } }
            try SocketPath.bind(listener, to: path)
            var file = stat()
            guard listen(listener, 64) == 0, lstat(path, &file) == 0 else { throw .system(errno) }
            (self.path, self.listener, device, inode) = (path, listener, file.st_dev, file.st_ino)
        } catch {
            close(listener)
            throw error
        }
    }

    /// Removes the file, unless another process has replaced it.
    func remove() {
        var file = stat()
        guard lstat(path, &file) == 0, file.st_dev == device, file.st_ino == inode else { return }
        unlink(path)
    }

    private static func makeSocket() -> Int32 {
        socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
    }

    /// Binds the socket. Replaces a socket at the path on which no process listens.
    private static func bind(_ listener: Int32, to path: String) throws(ControlSocketTrouble.Reason) {
        if withSocketAddress(of: path, { Glibc.bind(listener, $0, $1) }) == 0 { return }
        guard errno == EADDRINUSE else { throw .system(errno) }
        var file = stat()
        if lstat(path, &file) == 0 {
            guard file.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket }
            guard isLeftOver(path) else { throw .inUse }
            unlink(path)
        }
        guard withSocketAddress(of: path, { Glibc.bind(listener, $0, $1) }) == 0 else {
            throw errno == EADDRINUSE ? .inUse : .system(errno)
        }
    }

    private static func isLeftOver(_ path: String) -> Bool {
        let probe = makeSocket()
        guard probe >= 0 else { return false }
        defer { close(probe) }
        return withSocketAddress(of: path) { connect(probe, $0, $1) } != 0 && errno == ECONNREFUSED
    }
}

/// Locks the folder of a path while a socket is probed, replaced and bound. Without the lock, two programs that start at
/// once could take each other's new socket for a stale one. After a second without the lock the caller goes on without
/// it. Returns the file that holds the lock until it is closed; below 0 if it can't be opened.
private func lockFolder(of path: String) -> Int32 {
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let folder = open(slash.map { String(path[...$0]) } ?? ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    let deadline = monotonicNanoseconds() + 1_000_000_000
    while folder >= 0, flock(folder, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK, monotonicNanoseconds() < deadline {
        sleep(until: monotonicNanoseconds() + 10_000_000)
    }
    return folder
}

/// Calls `body` with the address of a path, which must not be longer than `SocketPath.longest`.
func withSocketAddress(of path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }
}
