import Files
import Glibc

/// `$XDG_RUNTIME_DIR/quadrille`: the sockets of all walls of this user, each by the number of its process. A wall's
/// entry is its socket, or a link to it if `--ipc` names another place.
public struct RuntimeFolder {
    let path: String

    /// nil if there is no runtime directory.
    public static var ofUser: RuntimeFolder? {
        guard let root = environment("XDG_RUNTIME_DIR"), root.hasPrefix("/") else { return nil }
        return RuntimeFolder(path: root + "/quadrille")
    }

    /// The entry of this process.
    var ownEntry: String { "\(path)/\(getpid())" }

    /// Makes the folder, to which only this user has access, and removes the entries of processes that have ended.
    /// Returns false if the folder can't be made, or belongs to somebody else.
    func prepare() -> Bool {
        mkdir(path, 0o700)
        var file = stat()
        guard lstat(path, &file) == 0, file.st_mode & S_IFMT == S_IFDIR, file.st_uid == geteuid(),
            file.st_mode & 0o077 == 0 || chmod(path, 0o700) == 0
        else { return false }
        for (process, entry) in entries where kill(process, 0) != 0 && errno == ESRCH {
            if Self.isEntry(entry) { unlink(entry) }
        }
        // Left by an earlier process with this id.
        if Self.isEntry(ownEntry) { unlink(ownEntry) }
        return true
    }

    /// The walls' process ids and sockets, in the order of the ids. A wall that was killed may have left its socket.
    public var entries: [(process: pid_t, socket: String)] {
        (Files.entries(ofFolder: path) ?? []).compactMap { entry in
            pid_t(entry.name).flatMap { $0 > 0 ? ($0, "\(path)/\(entry.name)") : nil }
        }.sorted { $0.0 < $1.0 }
    }

    private static func isEntry(_ path: String) -> Bool {
        var file = stat()
        return lstat(path, &file) == 0 && [S_IFLNK, S_IFSOCK].contains(file.st_mode & S_IFMT)
    }
}

/// A link in the `RuntimeFolder` to a socket elsewhere, by which the user's other programs find the socket.
struct RuntimeLink {
    private let link: String
    private let target: String

    /// Returns nil if the link can't be made. The socket works without it.
    init?(to path: String, in folder: RuntimeFolder) {
        guard let target = absolute(path), target != folder.ownEntry, folder.prepare() else { return nil }
        (link, self.target) = (folder.ownEntry, target)
        guard symlink(target, link) == 0 else { return nil }
    }

    /// Removes the link, unless it leads elsewhere by now.
    func remove() { if linkTarget(of: link) == target { unlink(link) } }
}
