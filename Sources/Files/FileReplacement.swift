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
    /// file takes the old one's name, so that a `FileWatch` can ignore the change.
    @discardableResult
    public static func write(
        _ bytes: [UInt8], to path: String, readers: Readers = .userAlone,
        announce: (FileIdentity) -> Void = { _ in }
    ) throws(FileTrouble) -> FileIdentity {
        try write(bytes, to: path, readers: readers, announce: announce, through: Glibc.write)
    }

    /// Returns the canonical path of the file at `path`; throws if no file could be written there.
    public static func place(of path: String) throws(FileTrouble) -> String {
        let target: String
        do throws(ErrorNumber) {
            target = try end(ofLinks: path)
            _ = try status(ofReplaceable: target)
        } catch { throw FileTrouble(path: path, number: error.number) }
        let real = try realFolder(ofFile: target)
        guard faccessat(AT_FDCWD, real, W_OK | X_OK, AT_EACCESS) == 0 else {
            throw FileTrouble(path: path, number: errno)
        }
        return real + "/" + target.dropFirst(folder(of: target).count)
    }

    /// `put`: write(2), or a test's replacement for it.
    static func write(
        _ bytes: [UInt8], to path: String, readers: Readers = .userAlone, announce: (FileIdentity) -> Void,
        through put: (Int32, UnsafeRawPointer, Int) -> Int
    ) throws(FileTrouble) -> FileIdentity {
        let target: String
        let temporary: TemporaryFile
        do throws(ErrorNumber) {
            target = try end(ofLinks: path)
            let former = try status(ofReplaceable: target)
            temporary = try TemporaryFile(beside: target, for: former, readers)
        } catch { throw FileTrouble(path: path, number: error.number) }
        do throws(ErrorNumber) {
            try temporary.write(bytes, through: put)
            let identity = try temporary.finish()
            announce(identity)
            try temporary.rename(to: target)
            return identity
        } catch {
            temporary.remove()
            throw FileTrouble(path: path, number: error.number)
        }
    }

    /// Follows links to the path of the file, or of the file to be made.
    private static func end(ofLinks path: String) throws(ErrorNumber) -> String {
        var path = path
        // The kernel's limit on links followed.
        for _ in 0...40 {
            guard let target = linkTarget(of: path) else { return path }
            path = target.utf8.first == UInt8(ascii: "/") ? target : folder(of: path) + target
        }
        throw ErrorNumber(ELOOP)
    }

    /// Returns nil if there is no file yet.
    private static func status(ofReplaceable path: String) throws(ErrorNumber) -> stat? {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            if errno == ENOENT { return nil }
            throw ErrorNumber.last
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw ErrorNumber(EISDIR)
        // Replacing a device, a pipe or a socket would destroy it.
        default: throw ErrorNumber(EINVAL)
        }
        guard faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0 else { throw ErrorNumber.last }
        return status
    }
}

struct ErrorNumber: Error {
    let number: Int32
    init(_ number: Int32) { self.number = number }

    /// errno of the call that has just failed.
    static var last: ErrorNumber { ErrorNumber(errno) }
}
