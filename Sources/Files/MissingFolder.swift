import Glibc

/// The folder that a file would be written to, where it is not there; nil: it is, or that can't be said.
public func missingFolder(of path: String) -> String? {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex else { return nil }
    let folder = String(path[..<slash])
    return access(folder, F_OK) != 0 && errno == ENOENT ? folder : nil
}
