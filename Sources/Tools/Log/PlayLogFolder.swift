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

    /// Makes the folder if only its last part is missing.
    public init(path: String, days: Int) throws(UsageMistake) {
        (self.path, self.days) = (path.hasSuffix("/") ? String(path.dropLast()) : path, days)
        if mkdir(self.path, 0o755) != 0, errno != EEXIST {
            throw UsageMistake("--log \(path): \(String(cString: strerror(errno)))")
        }
        var status = stat()
        guard stat(self.path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw UsageMistake("--log \(path): it is not a folder; a folder would be right")
        }
        guard access(self.path, W_OK | X_OK) == 0 else {
            throw UsageMistake("--log \(path): \(String(cString: strerror(errno)))")
        }
        removeOld(today: LocalTime.here.clock(at: SystemTime.now).date)
        // The day may have changed since the power was cut.
        for name in Self.names(in: self.path).filter({ Self.date(ofName: $0) != nil }).suffix(2) { repair(name) }
    }

    private func repair(_ name: String) {
        let file = Glibc.open("\(path)/\(name)", O_RDWR | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return }
        defer { Glibc.close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
        let whole = Self.wholeLength(of: file, Int(status.st_size))
        if whole < Int(status.st_size) { ftruncate(file, off_t(whole)) }
    }

    enum Outcome { case whole, incomplete }

    /// Writes items. A full disk is retried with each further line.
    mutating func write(_ items: [LoggedItem], printLine: (String) -> Void) -> Outcome {
        var outcome = Outcome.whole
        for item in items {
            let date = LocalTime.here.clock(at: Int(item.time / 1_000_000_000)).date
            var failure: Int32 = 0
            if date != day || isGone {
                if close(printLine: printLine) == .incomplete { outcome = .incomplete }
                failure = open(date)
            }
            if failure == 0 { failure = append(item.line + "\n") }
            // A disk that was unplugged may be back under the same name.
            if failure != 0, failure != ENOSPC, failure != EDQUOT { _ = letGo() }
            if reported(failure, printLine) == .incomplete { outcome = .incomplete }
        }
        return outcome
    }

    /// Reports a failure once, until lines are on the disk again. `failure`: number of the error, 0 if there is none.
    private mutating func reported(_ failure: Int32, _ printLine: (String) -> Void) -> Outcome {
        if failure == 0 { return .whole }
        if !isReported {
            printLine("quadrille: --log \(path): \(String(cString: strerror(failure))); what is played is not logged")
        }
        isReported = true
        return .incomplete
    }

    /// True if the name does not lead to the open file any more: the file was removed, or another disk is there.
    private var isGone: Bool {
        guard let day, let open = FileIdentity(descriptor: file) else { return true }
        guard let named = FileIdentity(path: name(day)) else { return errno == ENOENT || errno == ENOTDIR }
        return (open.device, open.inode) != (named.device, named.inode)
    }

    private func name(_ day: CivilDate) -> String { "\(path)/\(day.text).jsonl" }

    /// Syncs written lines to the disk.
    mutating func sync(printLine: (String) -> Void) -> Outcome {
        let failure = flush()
        if failure != 0 { _ = letGo() }
        return reported(failure, printLine)
    }

    mutating func close(printLine: (String) -> Void) -> Outcome { reported(letGo(), printLine) }

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

    /// Opens the file of a day, and cuts off a line that a power cut left torn. Returns 0, or the number of the error.
    private mutating func open(_ date: CivilDate) -> Int32 {
        if let before = day, before != date { removeOld(today: date) }
        day = date
        let next = Glibc.open(name(date), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0o644)
        guard next >= 0 else { return errno }
        var status = stat()
        guard fstat(next, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            Glibc.close(next)
            return EEXIST
        }
        let whole = Self.wholeLength(of: next, Int(status.st_size))
        if whole < Int(status.st_size), ftruncate(next, off_t(whole)) != 0 {
            let failure = errno
            Glibc.close(next)
            return failure
        }
        file = next
        return 0
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
        let dates = Self.names(in: path).compactMap(Self.date(ofName:))
        for date in dates.dropLast(Self.leastNewer) where date.day <= today.day - days { unlink(name(date)) }
    }

    /// Returns the date in a file's name. nil if it is no file of a log.
    static func date(ofName name: String) -> CivilDate? {
        name.hasSuffix(".jsonl") ? CivilDate(text: String(name.dropLast(6))) : nil
    }

    static func names(in folder: String) -> [String] {
        guard let entries = opendir(folder) else { return [] }
        defer { closedir(entries) }
        var names: [String] = []
        while let entry = readdir(entries) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return names.sorted()
    }
}
