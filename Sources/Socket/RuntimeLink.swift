import Glibc

/// `$XDG_RUNTIME_DIR/quadrille/PID`, a link to the socket, by which the user's other programs find the socket.
struct RuntimeLink {
    private let link: String
    private let target: String

    /// Folder of the links of all walls of this user; nil if there is no runtime directory.
    static var folder: String? {
        guard let root = getenv("XDG_RUNTIME_DIR").map({ String(cString: $0) }), root.hasPrefix("/") else { return nil }
        return root + "/quadrille"
    }

    /// Returns nil if the link can't be made. The socket works without it.
    init?(to path: String, in folder: String) {
        guard let target = RuntimeLink.absolute(path) else { return nil }
        mkdir(folder, 0o700)
        var file = stat()
        guard lstat(folder, &file) == 0, file.st_mode & S_IFMT == S_IFDIR, file.st_uid == geteuid(),
            file.st_mode & 0o077 == 0 || chmod(folder, 0o700) == 0
        else { return nil }
        RuntimeLink.removeLeftOver(in: folder)
        link = "\(folder)/\(getpid())"
        self.target = target
        guard link != target else { return nil }
        // Left by an earlier process with this id.
        if RuntimeLink.isLink(link) { unlink(link) }
        guard symlink(target, link) == 0 else { return nil }
    }

    /// Removes the link, unless it leads elsewhere by now.
    func remove() {
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = bytes.withUnsafeMutableBytes {
            readlink(link, $0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count)
        }
        if count >= 0, String(decoding: bytes[..<count], as: UTF8.self) == target { unlink(link) }
    }

    /// Removes the links of processes that have ended.
    private static func removeLeftOver(in folder: String) {
        guard let entries = opendir(folder) else { return }
        defer { closedir(entries) }
        while let entry = readdir(entries) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard let process = pid_t(name), process > 0, kill(process, 0) != 0, errno == ESRCH else { continue }
            if isLink("\(folder)/\(name)") { unlink("\(folder)/\(name)") }
        }
    }

    private static func isLink(_ path: String) -> Bool {
        var file = stat()
        return lstat(path, &file) == 0 && file.st_mode & S_IFMT == S_IFLNK
    }

    private static func absolute(_ path: String) -> String? {
        if path.hasPrefix("/") { return path }
        guard let folder = getcwd(nil, 0) else { return nil }
        defer { free(folder) }
        return String(cString: folder) + "/" + path
    }
}
