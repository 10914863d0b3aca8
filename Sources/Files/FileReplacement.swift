import Base
import Glibc

/// Writes a file whole or not at all.
///
/// The bytes go into a new file in the same folder, which then takes the old one's name. If the path is a link, the
/// link stays and its target is replaced. Mode and, where permitted, owner and group are kept; other hard links keep
/// the old content. A file that the user may not write is not replaced, even if the folder is writable. On any failure,
/// the old file is unchanged and the new one is removed.
public enum FileReplacement {
    /// Permissions of a new file.
    public enum Readers {
        /// Only this user: the file may hold passwords.
        case userAlone
        /// The default permissions of this user's new files.
        case asOthers
    }

    /// Any thread may call; blocks until the bytes are on the disk. `announce` gets the new file's identity before that
    /// file takes the old one's name, so that a `FileWatch` can ignore the change. `put`: another function than write(2)
    /// only in tests.
    @discardableResult
    public static func write(
        _ bytes: [UInt8], to path: String, readers: Readers = .userAlone,
        announce: (FileIdentity) -> Void = { _ in }, through put: (Int32, UnsafeRawPointer, Int) -> Int = Glibc.write
    ) throws(FileTrouble) -> FileIdentity {
        let target = try end(ofLinks: path), former = try status(ofReplaceable: target, named: path)
        let temporary = try TemporaryFile(beside: target, for: former, readers, named: path)
        do throws(FileTrouble) {
            try temporary.write(bytes, through: put)
            let identity = try temporary.finish()
            announce(identity)
            try temporary.rename(to: target)
            return identity
        } catch {
            temporary.remove()
            throw error
        }
    }

    /// Returns the canonical path of the file at `path`; throws if no file could be written there.
    public static func place(of path: String) throws(FileTrouble) -> String {
        let target = try end(ofLinks: path)
        _ = try status(ofReplaceable: target, named: path)
        let real = try realFolder(ofFile: target)
        guard faccessat(AT_FDCWD, real, W_OK | X_OK, AT_EACCESS) == 0 else {
            throw FileTrouble(path: path, number: errno)
        }
        return real + "/" + target.dropFirst(folder(of: target).count)
    }

    /// Follows links to the path of the file, or of the file to be made.
    private static func end(ofLinks named: String) throws(FileTrouble) -> String {
        var path = named
        // The kernel's limit on links followed.
        for _ in 0...40 {
            guard let target = linkTarget(of: path) else { return path }
            path = target.utf8.first == UInt8(ascii: "/") ? target : folder(of: path) + target
        }
        throw FileTrouble(path: named, number: ELOOP)
    }

    /// Returns nil if there is no file yet.
    private static func status(ofReplaceable path: String, named: String) throws(FileTrouble) -> stat? {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            if errno == ENOENT { return nil }
            throw FileTrouble(path: named, number: errno)
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw FileTrouble(path: named, number: EISDIR)
        // Replacing a device, a pipe or a socket would destroy it.
        default: throw FileTrouble(path: named, number: EINVAL)
        }
        guard faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0 else { throw FileTrouble(path: named, number: errno) }
        return status
    }
}
