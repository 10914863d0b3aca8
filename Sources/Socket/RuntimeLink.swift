import Glibc

/// A link in the `RuntimeFolder` to a socket elsewhere, by which the user's other programs find the socket.
struct RuntimeLink {
    private let link: String
    private let target: String

    /// Returns nil if the link can't be made. The socket works without it.
    init?(to path: String, in folder: RuntimeFolder) {
        guard let target = RuntimeLink.absolute(path), target != folder.ownEntry, folder.prepare() else { return nil }
        (link, self.target) = (folder.ownEntry, target)
        guard symlink(target, link) == 0 else { return nil }
    }

    /// Removes the link, unless it leads elsewhere by now.
    func remove() {
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = bytes.withUnsafeMutableBytes {
            readlink(link, $0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count)
        }
        if count >= 0, String(decoding: bytes[..<count], as: UTF8.self) == target { unlink(link) }
    }

    private static func absolute(_ path: String) -> String? {
        if path.hasPrefix("/") { return path }
        guard let folder = getcwd(nil, 0) else { return nil }
        defer { free(folder) }
        return String(cString: folder) + "/" + path
    }
}
