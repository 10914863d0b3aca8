import Base
import Glibc
import Lyrics
import Threads

/// A folder as a source: its media by name. Hidden files, subfolders and files without a media ending are left out. A
/// song of several files is one medium. A song with CDG graphics has the name of its sound file, an UltraStar song the
/// name of its text file.
public struct MediaFolder: Sendable {
    /// Sorted by name, byte by byte.
    public private(set) var files: [String] = []
    /// Files that changed lately and are probably still being copied.
    public private(set) var unfinished: [String] = []

    private static let endings: Set<String> = [
        "3g2", "3gp", "aac", "ac3", "aif", "aiff", "apng", "asf", "avi", "avif", "bmp", "divx", "dv", "flac", "flv",
        "gif",
        "heic", "heif", "jfif", "jp2", "jpeg", "jpg", "jxl", "m2ts", "m2v", "m4a", "m4v", "mka", "mkv", "mov", "mp2",
        "mp3",
        "mp4", "mpeg", "mpg", "mts", "mxf", "nut", "oga", "ogg", "ogv", "opus", "png", "qt", "tga", "tif", "tiff", "ts",
        "vob", "wav", "webm", "webp", "wma", "wmv", "y4m",
    ]

    /// Endings of files that can be played, songs included, in lower case and sorted.
    public static let playedEndings = endings.union(CDGSong.soundEndings).union(["cdg", "txt", "zip"]).sorted()

    /// Returns nil if `path` is no folder. `quiet`: files changed within this many nanoseconds are unfinished. May
    /// block as long as the file system does.
    public init?(path: String, quiet: Int64 = 0) {
        guard let entries = opendir(path) else { return nil }
        defer { closedir(entries) }
        let moment = realTimeNanoseconds()
        let folder = path.hasSuffix("/") ? path : path + "/"
        var ages: [String: Int64] = [:]
        while let entry = readdir(entries) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            let isOfSong = CDGSong.kind(of: name) != nil || MediaFolder.isText(name)
            guard MediaFolder.isMedium(name) || isOfSong, !name.hasPrefix(".") else { continue }
            var status = stat()
            guard stat(folder + name, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            // A file's date may exceed the range of nanoseconds in 64 bits.
            let seconds = min(9_000_000_000, max(0, Int64(status.st_mtim.tv_sec)))
            ages[name] = moment - (seconds * 1_000_000_000 + Int64(status.st_mtim.tv_nsec))
        }
        var names = Set(ages.keys)
        let songs = MediaFolder.songs(among: names, in: folder)
        names.subtract(songs.values.joined())
        for name in names where !CDGSong.isCoveredByAudioFile(name, among: names) {
            if MediaFolder.isText(name), songs[name] == nil { continue }
            let parts = [name] + CDGSong.partners(of: name).filter(names.contains) + (songs[name] ?? [])
            // A negative age, from a date in the future, does not count as changing.
            let changing = parts.filter { (0..<quiet).contains(ages[$0]!) }
            unfinished += changing.map { folder + $0 }
            if changing.isEmpty, MediaFolder.isPlayed(folder, name) { files.append(folder + name) }
        }
        files.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Returns true if `path` is a folder, even an unreadable one. May block as long as the file system does.
    public static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private static func isText(_ name: String) -> Bool { name.lowercased().hasSuffix(".txt") }

    private static let longestSong = 4 << 20

    /// Returns the songs in UltraStar's format, each with the folder's files that it names. The case of the names is
    /// ignored.
    private static func songs(among names: Set<String>, in folder: String) -> [String: [String]] {
        let alike = Dictionary(grouping: names) { $0.lowercased() }
        return names.filter(isText).reduce(into: [:]) { songs, name in
            guard case .success(let read) = bytes(of: folder + name, atMost: longestSong),
                UltraStarReader.isSong(read.bytes)
            else { return }
            let named = UltraStarReader.read(read.bytes).song.files.values
            songs[name] = named.flatMap { names.contains($0) ? [$0] : alike[$0.lowercased()] ?? [] }.filter {
                $0 != name
            }
        }
    }

    /// Returns true unless the file is a readable zip without a song.
    private static func isPlayed(_ folder: String, _ name: String) -> Bool {
        guard CDGSong.kind(of: name) == .zip, let zip = try? ZipFile(path: folder + name) else { return true }
        return zip.directory.members.contains { CDGSong.kind(of: $0.name) == .frames }
    }

    private static func isMedium(_ name: String) -> Bool {
        guard !name.hasPrefix("."), let dot = name.lastIndex(of: ".") else { return false }
        return endings.contains(name[name.index(after: dot)...].lowercased())
    }
}
