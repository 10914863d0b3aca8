import Files
import Glibc
import Threads

/// The file of a trace: bounded, and made anew if it was moved away or deleted. Used by one thread.
///
/// Begins a new file of its name at each start, and each time the file reaches the limit. The two files before are kept
/// as FILE.1 and FILE.2, the newer one first. A line is never split between files. A path that is no file, such as a
/// pipe or a terminal, is only written to.
public struct TraceOutput: Sendable {
    /// Path with symbolic links resolved.
    private let path: String
    private let limit: Int
    private let isFile: Bool
    private var file: Int32
    private var size = 0
    private var nextCheck: Int64 = 0

    /// In MiB.
    public static let usualMost = 64
    /// Longest time, in nanoseconds, that lines still go to a file that was moved away.
    private static let checkInterval: Int64 = 1_000_000_000
    private static let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC

    /// Names of the two files before, the newer one first.
    public static func earlier(than path: String) -> [String] { (1...2).map { "\(path).\($0)" } }

    /// Keeps former traces. Throws if the path is a file that is no trace, which stays as it is.
    public init(path: String, mebibytes: Int) throws(UsageMistake) {
        func mistake(_ text: String) -> UsageMistake { UsageMistake("--trace \(path): \(text)") }
        guard Self.isTraceOrEmpty(path) else {
            throw mistake("the file is not a trace and would be overwritten; another name would be right")
        }
        let keepsFormer = Self.isFileOrNothing(path) && !Self.isOpenElsewhere(path)
        let name = linkTarget(of: path) == nil ? path : Self.resolved(path)
        for name in Self.earlier(than: name)
        where keepsFormer && !(Self.isFileOrNothing(name) && Self.isTraceOrEmpty(name)) {
            throw mistake(
                "former traces are kept as FILE.1 and FILE.2, and \(name) is not a trace; another name would be right")
        }
        if let folder = missingFolder(of: path) {
            throw mistake("there is no folder \(folder); an existing one would be right")
        }
        let mode = keepsFormer ? Self.keepFormer(path) : Self.usualMode
        file = open(path, Self.flags | (Self.isOpenElsewhere(path) ? 0 : O_TRUNC), mode)
        guard file >= 0 else { throw mistake(String(cString: strerror(errno))) }
        isFile = Self.isFile(file)
        limit = mebibytes << 20
        self.path = isFile ? Self.resolved(path) : path
    }

    private static let usualMode: mode_t = 0o644

    /// The path with its symbolic links resolved; the path itself if no file exists there yet.
    private static func resolved(_ path: String) -> String { realName(ofFile: path) ?? path }

    /// True if the path names an open descriptor, such as /dev/stdout. The contents of its file are kept.
    private static func isOpenElsewhere(_ path: String) -> Bool {
        path.hasPrefix("/dev/") || path.hasPrefix("/proc/")
    }

    /// Also true for a path that is no file.
    private static func isTraceOrEmpty(_ path: String) -> Bool {
        let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return true }
        defer { Glibc.close(file) }
        guard isFile(file) else { return true }
        var first: UInt8 = 0
        return read(file, &first, 1) <= 0 || first == UInt8(ascii: "{")
    }

    private static func isFileOrNothing(_ path: String) -> Bool { Files.isFile(path) || access(path, F_OK) != 0 }

    private static func isFile(_ file: Int32) -> Bool {
        status(of: file).map { $0.st_mode & S_IFMT == S_IFREG } ?? false
    }

    /// Renames the trace of a former run. Returns the permissions for the new file: those of the former one.
    private static func keepFormer(_ path: String) -> mode_t {
        var former = stat()
        guard stat(path, &former) == 0, former.st_mode & S_IFMT == S_IFREG, former.st_size > 0 else { return usualMode }
        let failure = shift(resolved(path))
        guard failure == 0 else {
            printLine(
                "quadrille: --trace \(path): the trace of the run before can't be kept as \(path).1 "
                    + "(\(String(cString: strerror(failure)))), and is overwritten")
            return usualMode
        }
        return former.st_mode & 0o777
    }

    /// Renames FILE.1 to FILE.2 and FILE to FILE.1. Returns 0, or the error's number.
    private static func shift(_ path: String) -> Int32 {
        let names = earlier(than: path)
        if rename(names[0], names[1]) != 0, errno != ENOENT { return errno }
        return rename(path, names[0]) == 0 ? 0 : errno
    }

    func close() { Glibc.close(file) }

    /// Writes whole lines. Returns 0, or the error's number; nothing more can be written then.
    mutating func write(_ lines: UnsafeBufferPointer<UInt8>) -> Int32 {
        guard isFile else { return writeAll(lines, to: file) }
        var failure: Int32 = 0
        if monotonicNanoseconds() >= nextCheck { failure = checkPath() }
        var rest = lines[...]
        while failure == 0, !rest.isEmpty {
            let count = fitting(rest)
            if count > 0 {
                failure = put(rest.prefix(count))
                rest = rest.dropFirst(count)
            } else {
                failure = checkPath()
                if failure == 0, fitting(rest) == 0 { failure = beginNext() }
            }
        }
        return failure
    }

    /// Number of bytes of whole lines that fit into the file. One line always fits into an empty file.
    private func fitting(_ lines: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
        if lines.count <= limit - size { return lines.count }
        let newline = UInt8(ascii: "\n")
        if let last = lines.prefix(max(0, limit - size)).lastIndex(of: newline) { return last + 1 - lines.startIndex }
        return size > 0 ? 0 : (lines.firstIndex(of: newline) ?? lines.endIndex - 1) + 1 - lines.startIndex
    }

    /// Writes lines. A line that only partly fits on the disk is removed again.
    private mutating func put(_ lines: Slice<UnsafeBufferPointer<UInt8>>) -> Int32 {
        let failure = writeAll(UnsafeBufferPointer(rebasing: lines), to: file)
        guard failure != 0 else {
            size += lines.count
            return 0
        }
        if let written = status(of: file).map({ Int($0.st_size) - size }), written > 0, written < lines.count {
            let whole = lines.prefix(written).lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 - lines.startIndex } ?? 0
            ftruncate(file, size + whole)
        }
        return failure
    }

    private mutating func beginNext() -> Int32 {
        let failure = Self.shift(path)
        guard failure == 0 else { return failure }
        return continueWriting(in: open(path, Self.flags | O_EXCL, Self.usualMode))
    }

    /// Checks that the path still leads to the file, and else opens a new one. A file that was put in its place is
    /// written to only if it is empty, as after a log rotation: any other file may be a film that plays.
    private mutating func checkPath() -> Int32 {
        nextCheck = monotonicNanoseconds() + Self.checkInterval
        var there = stat()
        guard let own = status(of: file) else { return errno }
        if stat(path, &there) == 0, there.st_dev == own.st_dev, there.st_ino == own.st_ino {
            size = Int(own.st_size)
            return 0
        }
        let next = open(path, Self.flags | O_NONBLOCK | O_NOFOLLOW, own.st_mode & 0o777)
        let trouble = next < 0 ? errno : EEXIST
        if let new = status(of: next), new.st_mode & S_IFMT == S_IFREG, new.st_size == 0 {
            return continueWriting(in: next)
        }
        Glibc.close(next)
        // A file that was moved, not deleted, is written on.
        return own.st_nlink > 0 ? 0 : trouble
    }

    private mutating func continueWriting(in next: Int32) -> Int32 {
        guard next >= 0 else { return errno }
        Glibc.close(file)
        file = next
        size = status(of: file).map { Int($0.st_size) } ?? 0
        return 0
    }
}

private func status(of file: Int32) -> stat? {
    var status = stat()
    return fstat(file, &status) == 0 ? status : nil
}
