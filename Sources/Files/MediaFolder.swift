import Glibc

/// A folder as a source: its media by their names. What is hidden, other folders and what is no medium by its name are
/// left out.
public struct MediaFolder: Sendable {
    /// In the order of their names, byte by byte.
    public private(set) var files: [String] = []
    /// Being copied, as far as is known: they have changed lately.
    public private(set) var unfinished: [String] = []

    private static let endings: Set<String> = [
        "3g2", "3gp", "aac", "ac3", "aif", "aiff", "apng", "asf", "avi", "avif", "bmp", "divx", "dv", "flac", "flv",
        "gif",
        "heic", "heif", "jfif", "jp2", "jpeg", "jpg", "jxl", "m2ts", "m2v", "m4a", "m4v", "mka", "mkv", "mov", "mp2",
        "mp3",
        "mp4", "mpeg", "mpg", "mts", "mxf", "nut", "oga", "ogg", "ogv", "opus", "png", "qt", "tga", "tif", "tiff", "ts",
        "vob", "wav", "webm", "webp", "wma", "wmv", "y4m",
    ]

    /// nil: it is no folder. `quiet`: what has changed within so many nanoseconds is unfinished. May block as long as the
    /// file system does.
    public init?(path: String, quiet: Int64 = 0) {
        guard let entries = opendir(path) else { return nil }
        defer { closedir(entries) }
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let moment = Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
        let folder = path.hasSuffix("/") ? path : path + "/"
        while let entry = readdir(entries) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard MediaFolder.isMedium(name) else { continue }
            var status = stat()
            guard stat(folder + name, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            let age = moment - (Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec))
            // What comes from the future has not been changed just now.
            if (0..<quiet).contains(age) { unfinished.append(folder + name) } else { files.append(folder + name) }
        }
        files.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private static func isMedium(_ name: String) -> Bool {
        guard !name.hasPrefix("."), let dot = name.lastIndex(of: ".") else { return false }
        return endings.contains(name[name.index(after: dot)...].lowercased())
    }
}
