import Glibc

/// `$XDG_RUNTIME_DIR/quadrille/PID`, a link to the socket by which the user's other programs find it.
struct RuntimeLink {
    private let link: String
    private let target: String

    /// The folder of all walls of this user; nil without a folder for what lives as long as the user's session.
    static var folder: String? {
        guard let root = getenv("XDG_RUNTIME_DIR").map({ String(cString: $0) }), root.hasPrefix("/") else { return nil }
        return root + "/quadrille"
    }

    /// nil where no link can be made; the socket itself is there all the same.
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
        // Of an earlier process with this number.
        if RuntimeLink.isLink(link) { unlink(link) }
        guard symlink(target, link) == 0 else { return nil }
    }

    /// Does nothing where it meanwhile leads elsewhere.
    func remove() {
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = bytes.withUnsafeMutableBytes {
            readlink(link, $0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count)
        }
        if count >= 0, String(decoding: bytes[..<count], as: UTF8.self) == target { unlink(link) }
    }

    /// Of processes that are no more.
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
