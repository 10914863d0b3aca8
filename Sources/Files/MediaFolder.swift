import Base
import Glibc
import Lyrics
import Threads

/// A folder as a source: its media by name. If it has songs alone, or nothing, the songs of its subfolders count, too.
/// Hidden files and files without a media ending are left out. A song of several files is one medium. A song with CDG graphics has the name of its sound file,
/// an UltraStar song the name of its text file, also if its instrumental is a song of its own beside it.
public struct MediaFolder: Sendable {
    /// Sorted by path, byte by byte.
    public private(set) var files: [String] = []
    /// Files that changed lately and are probably still being copied.
    public private(set) var unfinished: [String] = []
    /// The folders that were read, the one itself first, with their identities before that.
    public private(set) var folders: [(path: String, identity: FileIdentity?)] = []
    /// True if all its media are songs, and some of them lie in subfolders.
    public private(set) var isLibrary = false

    /// Number of levels of subfolders in which songs are found.
    public static let depthOfSongs = 3
    /// Number of folders that are read at most, and of those whose instrumentals are kept.
    private static let mostFolders = 4096

    /// Endings of files that can be played, songs included, in lower case.
    private static let endings: Set = [
        "3g2", "3gp", "aac", "ac3", "aif", "aiff", "apng", "asf", "avi", "avif", "bmp", "cdg", "divx", "dv", "flac",
        "flv", "gif", "heic", "heif", "jfif", "jp2", "jpeg", "jpg", "jxl", "m2ts", "m2v", "m4a", "m4v", "mka", "mkv",
        "mov", "mp2", "mp3", "mp4", "mpeg", "mpg", "mts", "mxf", "nut", "oga", "ogg", "ogv", "opus", "png", "qt", "tga",
        "tif", "tiff", "ts", "txt", "vob", "wav", "webm", "webp", "wma", "wmv", "y4m", "zip",
    ]
    public static let playedEndings = endings.sorted()

    /// Returns nil if `path` is no folder. `quiet`: files changed within this many nanoseconds are unfinished. `depth`:
    /// number of levels of subfolders in which songs are found. May block as long as the file system does.
    public init?(path: String, quiet: Int64 = 0, depth: Int = depthOfSongs) {
        guard take(path, quiet, .allMedia, depth) else { return nil }
        files.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private enum Kind { case allMedia, songs }

    /// Adds the media of a folder, and the songs of its subfolders. Returns false if it is no folder.
    private mutating func take(_ path: String, _ quiet: Int64, _ kind: Kind, _ depth: Int) -> Bool {
        let identity = FileIdentity(path: path)
        guard folders.count < Self.mostFolders, let entries = entries(ofFolder: path) else { return false }
        folders.append((path, identity))
        let moment = realTimeNanoseconds()
        let folder = path.hasSuffix("/") ? path : path + "/"
        var ages: [String: Int64] = [:]
        var subfolders: [String] = []
        for (name, type) in entries where !name.hasPrefix(".") {
            let isPlayed = Self.endings.contains(SourceName.ending(of: name))
            let mayBeFolder = depth > 0 && [DT_DIR, DT_LNK, DT_UNKNOWN].contains(Int(type))
            var status = stat()
            guard isPlayed || mayBeFolder, stat(folder + name, &status) == 0 else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFDIR where mayBeFolder: subfolders.append(folder + name)
            case S_IFREG where isPlayed:
                let changed = nanoseconds(ofSeconds: Int64(status.st_mtim.tv_sec), and: Int64(status.st_mtim.tv_nsec))
                ages[name] = moment.minus(changed)
            default: break
            }
        }
        takeMedia(of: folder, ages, quiet, kind)
        let isOfSongs = files.allSatisfy { MediaFolder.isText($0) || CDGSong.kind(of: $0) != nil }
        let ownCount = files.count
        if kind == .songs || isOfSongs {
            for subfolder in subfolders.sorted() { _ = take(subfolder, quiet, .songs, depth - 1) }
        }
        if kind == .allMedia { isLibrary = files.count > ownCount }
        return true
    }

    /// Adds the media of one folder. `ages`: its files, with the time since they changed.
    private mutating func takeMedia(of folder: String, _ ages: [String: Int64], _ quiet: Int64, _ kind: Kind) {
        var names = Set(ages.keys)
        let songs = MediaFolder.songs(among: names, in: folder)
        names.subtract(songs.values.flatMap(\.parts))
        for name in names where !CDGSong.isCoveredByAudioFile(name, among: names) {
            if MediaFolder.isText(name), songs[name] == nil { continue }
            let partners = CDGSong.partners(of: name).filter(names.contains)
            let isSong = songs[name] != nil || !partners.isEmpty || [.frames, .zip].contains(CDGSong.kind(of: name))
            if kind == .songs, !isSong { continue }
            let parts = [name] + partners + (songs[name]?.parts ?? [])
            // A negative age, from a date in the future, does not count as changing.
            let changing = parts.filter { (0..<quiet).contains(ages[$0]!) }
            unfinished += changing.map { folder + $0 }
            if changing.isEmpty, MediaFolder.isPlayed(folder, name) { files.append(folder + name) }
        }
    }

    /// Returns true if `path` is a folder, even an unreadable one. May block as long as the file system does.
    public static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private static func isText(_ name: String) -> Bool { name.lowercased().hasSuffix(".txt") }

    private static let longestSong = 4 << 20

    /// A song of a folder. `parts`: the files of the folder that it names, and its instrumental with those that it names.
    private typealias SongOfFolder = (song: Song, parts: [String])

    /// Returns the songs in UltraStar's format. The case of the names of their files is ignored.
    private static func songs(among names: Set<String>, in folder: String) -> [String: SongOfFolder] {
        let texts = names.filter(isText)
        if texts.isEmpty { return [:] }
        let alike = Dictionary(grouping: names) { $0.lowercased() }
        var songs = texts.reduce(into: [String: SongOfFolder]()) { songs, name in
            guard case .success(let read) = bytes(of: folder + name, atMost: longestSong),
                UltraStarReader.isSong(read.bytes)
            else { return }
            let song = UltraStarReader.read(read.bytes).song
            let parts = song.files.values.flatMap { names.contains($0) ? [$0] : alike[$0.lowercased()] ?? [] }
            songs[name] = (song, parts.filter { $0 != name })
        }
        for (name, instrumental) in SongVersions.instrumentals(among: songs.mapValues(\.song)) {
            songs[name]!.parts += [instrumental] + songs[instrumental]!.parts
        }
        return songs
    }

    /// Returns the path of the song file beside this one that is its instrumental; nil if there is none. Reads the songs
    /// of a folder once, until files come or go. May block as long as the file system does.
    public static func instrumental(of path: String) -> String? {
        let named = Files.folder(of: path)
        let pairs = instrumentals.value(of: named.isEmpty ? "./" : named) { folder in
            let names = Set((entries(ofFolder: folder) ?? []).map(\.name).filter { isText($0) && !$0.hasPrefix(".") })
            guard names.contains(where: SongVersions.isInstrumental) else { return [:] }
            return SongVersions.instrumentals(among: songs(among: names, in: folder).mapValues(\.song))
        }
        return pairs[SourceName.fileName(of: path)].map { named + $0 }
    }

    /// Names of the instrumentals in each folder that was read, by their songs.
    private static let instrumentals = FolderCache<[String: String]>(most: mostFolders)

    /// Returns true unless the file is a readable zip without a song.
    private static func isPlayed(_ folder: String, _ name: String) -> Bool {
        guard CDGSong.kind(of: name) == .zip, let zip = try? ZipFile(path: folder + name) else { return true }
        return zip.directory.members.contains { CDGSong.kind(of: $0.name) == .frames }
    }
}
