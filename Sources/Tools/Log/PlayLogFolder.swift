import Base
import Console
import Files
import Glibc
import Layout

/// The folder of a log: a file of whole lines for each day, YYYY-MM-DD.jsonl. Used by one thread.
public struct PlayLogFolder: Sendable {
    private let path: String
    private let days: Int
    private var day: CivilDate?
    private var file: Int32 = -1
    private var isReported = false
    /// True if something was written since the last `sync`.
    private var isDirty = false
    /// True if a line could not be written.
    private(set) var isIncomplete = false

    /// Makes the folder if only its last part is missing.
    public init(path: String, days: Int) throws(UsageMistake) {
        (self.path, self.days) = (path.hasSuffix("/") ? String(path.dropLast()) : path, days)
        let isThere = mkdir(self.path, 0o755) == 0 || errno == EEXIST
        if isThere, !MediaFolder.isFolder(self.path) {
            throw UsageMistake("--log \(path): it is not a folder; a folder would be right")
        }
        guard isThere, access(self.path, W_OK | X_OK) == 0 else {
            throw UsageMistake("--log \(path): \(String(cString: strerror(errno)))")
        }
        removeOld(today: LocalTime.here.clock(at: SystemTime.now).date)
        // The day may have changed since the power was cut.
        for date in Self.dates(in: self.path).suffix(2) {
            let file = Self.opened(name(date), 0).file
            if file >= 0 { Glibc.close(file) }
        }
    }

    /// Writes lines. A full disk is retried with each further line.
    mutating func write(_ lines: [LogLine]) {
        for line in lines {
            let date = LocalTime.here.clock(at: Int(line.time / 1_000_000_000)).date
            var failure: Int32 = 0
            if date != day || isGone {
                close()
                failure = open(date)
            }
            if failure == 0 { failure = append(line.text) }
            // A disk that was unplugged may be back under the same name.
            if failure != 0, failure != ENOSPC, failure != EDQUOT { _ = letGo() }
            report(failure)
        }
    }

    /// Reports a failure once, until lines are on the disk again. `failure`: number of the error, 0 if there is none.
    private mutating func report(_ failure: Int32) {
        if failure == 0 { return }
        if !isReported {
            printLine("quadrille: --log \(path): \(String(cString: strerror(failure))); what is played is not logged")
        }
        (isReported, isIncomplete) = (true, true)
    }

    /// True if the name does not lead to the open file any more: the file was removed, or another disk is there.
    private var isGone: Bool {
        guard let day, let open = FileIdentity(descriptor: file) else { return true }
        guard let named = FileIdentity(path: name(day)) else { return errno == ENOENT || errno == ENOTDIR }
        return (open.device, open.inode) != (named.device, named.inode)
    }

    private func name(_ day: CivilDate) -> String { "\(path)/\(day.text).jsonl" }

    /// Syncs written lines to the disk.
    mutating func sync() {
        let failure = flush()
        if failure != 0 { _ = letGo() }
        report(failure)
    }

    mutating func close() { report(letGo()) }

    /// Flushes and closes the file. Returns 0, or the number of the error.
    private mutating func letGo() -> Int32 {
        guard file >= 0 else { return 0 }
        defer {
            Glibc.close(file)
            file = -1
        }
        return flush()
    }

    private mutating func flush() -> Int32 {
        guard isDirty, file >= 0 else { return 0 }
        isDirty = false
        // Some file systems have no disk to sync.
        guard fdatasync(file) == 0 || errno == EINVAL else { return errno }
        isReported = false
        return 0
    }

    /// Opens the file of a day. Returns 0, or the number of the error.
    private mutating func open(_ date: CivilDate) -> Int32 {
        if let before = day, before != date { removeOld(today: date) }
        day = date
        let next = Self.opened(name(date), O_CREAT | O_APPEND)
        if next.failure == 0 { file = next.file }
        return next.failure
    }

    /// Opens a file, and cuts off a line that a power cut left torn. Returns the number of the error, or else 0 and the
    /// descriptor.
    private static func opened(_ path: String, _ flags: Int32) -> (file: Int32, failure: Int32) {
        let file = Glibc.open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | flags, 0o644)
        guard file >= 0 else { return (-1, errno) }
        var (status, failure) = (stat(), Int32(0))
        if fstat(file, &status) != 0 || status.st_mode & S_IFMT != S_IFREG { failure = EEXIST }
        let size = Int(status.st_size), whole = failure == 0 ? wholeLength(of: file, size) : size
        if whole < size, ftruncate(file, off_t(whole)) != 0 { failure = errno }
        if failure == 0 { return (file, 0) }
        Glibc.close(file)
        return (-1, failure)
    }

    /// Returns the length up to the end of the last whole line.
    private static func wholeLength(of file: Int32, _ size: Int) -> Int {
        var end = size
        var chunk = [UInt8](repeating: 0, count: 4096)
        while end > 0 {
            let start = max(0, end - chunk.count)
            let count = pread(file, &chunk, end - start, off_t(start))
            guard count == end - start else { return size }
            if let newline = chunk[..<count].lastIndex(of: UInt8(ascii: "\n")) { return start + newline + 1 }
            end = start
        }
        return 0
    }

    /// Appends a line. If the line does not fit on the disk, removes the part that was written.
    private mutating func append(_ line: String) -> Int32 {
        var status = stat()
        guard fstat(file, &status) == 0 else { return errno }
        var line = line
        let failure = line.withUTF8 { writeAll($0, to: file) }
        if failure != 0 { ftruncate(file, status.st_size) } else { isDirty = true }
        return failure
    }

    /// An old file is removed only if there are this many newer files. A clock that is wrong at boot makes every file
    /// look old.
    private static let leastNewer = 30

    private func removeOld(today: CivilDate) {
        // The names sort by date.
        let old = Self.dates(in: path).dropLast(Self.leastNewer)
        for date in old where date.day <= today.day - days { unlink(name(date)) }
    }

    /// Dates of the files of a log, in order.
    static func dates(in folder: String) -> [CivilDate] {
        (entries(ofFolder: folder) ?? []).map(\.name).sorted().compactMap { name in
            name.hasSuffix(".jsonl") ? CivilDate(text: String(name.dropLast(6))) : nil
        }
    }
}
