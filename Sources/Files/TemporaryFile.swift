import Base
import Glibc
import Threads

/// A new file that is to replace another. Belongs to one thread; ends with `rename` or `remove`.
struct TemporaryFile {
    private let path: String
    private let file: Int32
    private let former: stat?
    /// Name of the file to replace, for errors.
    private let named: String

    /// `former`: status of the file to replace. Only this user can read the new file until it gets that file's mode.
    init(
        beside target: String, for former: stat?, _ readers: FileReplacement.Readers, named: String
    ) throws(FileTrouble) {
        let mode: mode_t = former == nil && readers == .asOthers ? 0o666 : 0o600
        var numbers = SystemRandomNumberGenerator()
        for _ in 0..<100 {
            let path = folder(of: target) + ".quadrille-" + String(numbers.next(), radix: 36)
            UnfinishedFiles.begin(path)
            let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
            if file >= 0 {
                (self.path, self.file, self.former, self.named) = (path, file, former, named)
                return
            }
            let trouble = FileTrouble(path: named, number: errno)
            UnfinishedFiles.end(path)
            if trouble.number != EEXIST && trouble.number != EINTR { throw trouble }
        }
        throw FileTrouble(path: named, number: EEXIST)
    }

    /// Trouble of the call that has just failed.
    private var trouble: FileTrouble { FileTrouble(path: named, number: errno) }

    func write(_ bytes: [UInt8], through put: (Int32, UnsafeRawPointer, Int) -> Int) throws(FileTrouble) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { put(file, $0.baseAddress! + written, $0.count - written) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw FileTrouble(path: named, number: count == 0 ? ENOSPC : errno) }
            written += count
        }
    }

    /// Sets owner and mode, and writes the file to the disk.
    func finish() throws(FileTrouble) -> FileIdentity {
        if let former { try takeOver(former) }
        guard fsync(file) == 0, let identity = FileIdentity(descriptor: file) else { throw trouble }
        return identity
    }

    /// Copies owner, group and mode. If the owner can't be set, the group alone is tried, and the set-user-ID,
    /// set-group-ID and sticky bits are cleared.
    private func takeOver(_ former: stat) throws(FileTrouble) {
        var own = stat()
        guard fstat(file, &own) == 0 else { throw trouble }
        let isSame = own.st_uid == former.st_uid && own.st_gid == former.st_gid
        let isKept = isSame || fchown(file, former.st_uid, former.st_gid) == 0
        if !isKept { _ = fchown(file, uid_t.max, former.st_gid) }
        guard fchmod(file, former.st_mode & (isKept ? 0o7777 : 0o777)) == 0 else { throw trouble }
    }

    /// Takes the name of `target`, closes the file and writes the folder to the disk.
    func rename(to target: String) throws(FileTrouble) {
        guard Glibc.rename(path, target) == 0 else { throw trouble }
        UnfinishedFiles.end(path)
        close(file)
        let folder = Files.folder(of: target)
        let entry = open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard entry >= 0 else { return }
        // Some file systems can't sync a folder; the file is complete all the same.
        fsync(entry)
        close(entry)
    }

    func remove() {
        unlink(path)
        UnfinishedFiles.end(path)
        close(file)
    }
}

/// Temporary files that a sudden end of the program would leave behind. Any thread may call any function.
public enum UnfinishedFiles {
    private static let state = Locked(State())

    private struct State {
        var paths: Set<String> = []
        var isOver = false
    }

    /// Called before the file is made. Does not return once `removeAll` was called: the program is ending.
    public static func begin(_ path: String) {
        let isOver = state.locked { state in
            state.paths.insert(path)
            return state.isOver
        }
        while isOver { pause() }
    }

    /// Called once the file has its final name or is removed.
    public static func end(_ path: String) { state.locked { _ = $0.paths.remove(path) } }

    /// Removes all temporary files before the program ends. May block as long as the file systems do.
    public static func removeAll() {
        let paths = state.locked { state in
            state.isOver = true
            return state.paths
        }
        for path in paths { unlink(path) }
        // Gives a thread that has returned from `begin` the time to make its file, which is then removed too.
        if !paths.isEmpty { Threads.sleep(until: monotonicNanoseconds() + 2_000_000) }
        for path in paths { unlink(path) }
    }
}
