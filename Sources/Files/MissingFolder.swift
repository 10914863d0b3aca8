import Glibc

/// Returns the folder in which a file would be written, if that folder is missing; nil if it exists or can't be
/// checked.
public func missingFolder(of path: String) -> String? {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex else { return nil }
    let folder = String(path[..<slash])
    return access(folder, F_OK) != 0 && errno == ENOENT ? folder : nil
}
