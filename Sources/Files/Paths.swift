import Base
import Glibc
import Threads

/// Returns the path up to its last slash, which is included; empty if there is none.
public func folder(of path: String) -> String {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? ""
}

/// Returns the path with all links resolved; nil if there is no file. `errno` has the reason then. May block as long as
/// the file system does.
public func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
}

/// Returns the folder of a file, absolute and without links, as `LayoutPatch.moved` needs it. The file need not exist,
/// its folder must. May block as long as the file system does.
public func realFolder(ofFile path: String) throws(FileTrouble) -> String {
    let folder = folder(of: path), named = folder.isEmpty ? "." : folder
    guard let real = realPath(named) else { throw FileTrouble(path: named, number: errno) }
    return real
}

/// Returns the absolute path of a file without links. The file may be missing; nil if its folder is, too. May block as
/// long as the file system does.
public func realName(ofFile path: String) -> String? {
    if let real = realPath(path) { return real }
    guard let name = path.split(separator: "/").last, path.hasSuffix(name), let folder = try? realFolder(ofFile: path)
    else { return nil }
    return folder == "/" ? "/\(name)" : "\(folder)/\(name)"
}

/// Returns true if `path` is a regular file, links followed. May block as long as the file system does.
public func isFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
}

/// Returns the folder in which a file would be written, if that folder is missing; nil if it exists or can't be
/// checked.
public func missingFolder(of path: String) -> String? {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex else { return nil }
    let folder = String(path[..<slash])
    return access(folder, F_OK) != 0 && errno == ENOENT ? folder : nil
}

/// Path of the folder in which the program runs; nil if the system does not tell it.
public func workingFolder() -> String? {
    guard let folder = getcwd(nil, 0) else { return nil }
    defer { free(folder) }
    return String(cString: folder)
}

/// Returns the absolute path of a file, with its links; nil if the system does not tell the working folder.
public func absolute(_ path: String) -> String? {
    path.hasPrefix("/") ? path : workingFolder().map { "\($0)/\(path)" }
}

/// Value of an environment variable; nil if it is not set, or empty.
public func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
}

/// Returns the target as written in a link; nil if the path is no link.
public func linkTarget(of path: String) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
        let count = readlink(path, buffer.baseAddress!, buffer.count)
        guard count > 0 else { return nil }
        return String(
            decoding: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count]), as: UTF8.self)
    }
}

/// Returns the names in a folder, each with its type as the folder states it (`DT_DIR`, ...); nil if the folder can't be
/// read.
public func entries(ofFolder path: String) -> [(name: String, type: UInt8)]? {
    guard let folder = opendir(path) else { return nil }
    defer { closedir(folder) }
    var entries: [(name: String, type: UInt8)] = []
    while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        entries.append((name, entry.pointee.d_type))
    }
    return entries
}

extension SourceTrouble {
    /// Trouble of a file with this number of an error.
    public init(errno number: Int32) {
        switch number {
        case ENOENT, ENOTDIR: self.init(.missing, "no such file")
        default: self.init(.unreadable, String(cString: strerror(number)))
        }
    }
}

/// Returns `path` if that file exists, else the path of a file whose name differs in case only. Songs made on Windows
/// ignore the case of names. May block as long as the file system does.
public func fileOfAnyCase(_ path: String) -> String {
    if access(path, F_OK) == 0 { return path }
    let folder = folder(of: path), name = Substring(path.utf8.dropFirst(folder.utf8.count))
    let names = namesOfAnyCase.value(of: folder.isEmpty ? "." : folder) { listed in
        // Keeps the first match in the folder's own order.
        Dictionary(
            (entries(ofFolder: listed) ?? []).map { ($0.name.lowercased(), $0.name) },
            uniquingKeysWith: { first, _ in first })
    }
    return names[name.lowercased()].map { folder + $0 } ?? path
}

/// The names in the last folder by their lower-case form: each file of a folder of songs is looked up.
private let namesOfAnyCase = FolderCache<[String: String]>(most: 1)

/// Values that were read from folders, each kept until files come or go in its folder. A value read just after that is
/// kept for a second. Any thread may call.
struct FolderCache<Value: Sendable>: Sendable {
    private let kept = Locked<[String: (folder: FileIdentity, value: Value, until: Int64)]>([:])
    let most: Int

    /// Returns the kept value, or else the one that `read` returns. May block as long as the file system does.
    func value(of folder: String, read: (_ folder: String) -> Value) -> Value {
        let identity = FileIdentity(path: folder), now = monotonicNanoseconds()
        if let known = kept.locked({ $0[folder] }), known.folder == identity, now < known.until { return known.value }
        let value = read(folder)
        guard let identity else { return value }
        // A folder that changes twice within two seconds, the granularity of file systems' clocks, may keep its identity.
        let isSettled = realTimeNanoseconds() &- identity.modified > 2_000_000_000
        kept.locked { kept in
            if kept.count >= most { kept = [:] }
            kept[folder] = (identity, value, isSettled ? .max : now + 1_000_000_000)
        }
        return value
    }
}
