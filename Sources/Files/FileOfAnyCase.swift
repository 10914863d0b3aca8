import Glibc

/// Where there is none of this name, one of the same letters in other cases: songs come from Windows, too.
public func fileOfAnyCase(_ path: String) -> String {
    if access(path, F_OK) == 0 { return path }
    let cut = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) } ?? path.startIndex
    let (folder, name) = (String(path[..<cut]), path[cut...].lowercased())
    guard let entries = opendir(folder.isEmpty ? "." : folder) else { return path }
    defer { closedir(entries) }
    while let entry = readdir(entries) {
        let other = withUnsafePointer(to: &entry.pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if other.lowercased() == name { return folder + other }
    }
    return path
}
