import Files
import Glibc
import Media
import Threads
import WallCore

/// A song of UltraStar's, with what there is of its files.
struct PlayedSong: Sendable {
    let path: String
    let files: SongFiles
    let mistakes: Mistakes?
    /// Why nothing of it is played; nil: it is one that can be read.
    let refusal: String?
    /// Named by it, and of no use.
    let lacks: [Lack]
    /// Those of them that are not there.
    var absent: [String] { lacks.filter { access($0.path, F_OK) != 0 }.map(\.path) }
    /// What is to be said of it before it plays.
    var troubles: [String] { lacks.map { "quadrille: \(SourceName.withoutSecrets(path)): \($0.words)" } }
    /// All that it names, and itself.
    let named: Set<String>

    struct Lack: Sendable {
        /// The header's name.
        let header: String
        let path: String
        let reason: String

        var words: String { "#\(header): \(path) \(reason)" }
    }

    /// nil: it is none. May block as long as opening its files does.
    static func read(_ path: String) -> PlayedSong? {
        if let kept = kept.locked({ $0[path] }), kept.identities == kept.song.identities { return kept.song }
        guard let song = PlayedSong(path) else { return nil }
        let identities = song.identities
        kept.locked { songs in
            if songs.count >= mostKept { songs = [:] }
            songs[path] = Kept(identities: identities, song: song)
        }
        return song
    }

    private init?(_ path: String) {
        guard case .success(let read) = bytes(of: path, atMost: Self.longest), UltraStarReader.isSong(read.bytes)
        else { return nil }
        let (song, mistakes) = UltraStarReader.read(read.bytes)
        let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? ""
        let named = song.refusal == nil ? song.files.mapValues { Self.found(folder + $0) } : [:]
        (self.path, self.mistakes, refusal) = (path, mistakes, song.refusal)
        self.named = Set(named.values).union([path])
        // All of them are opened at once.
        let errands = named.filter { access($0.value, R_OK) == 0 }.mapValues { path in
            SourceErrand { deadline throws(SourceTrouble) in try Source.open(path, deadline: deadline).facts.length }
        }
        var (lengths, troubles): ([Song.File: Time], [Song.File: SourceTrouble]) = ([:], [:])
        for (file, errand) in errands {
            do throws(SourceTrouble) { lengths[file] = try errand.value() } catch { troubles[file] = error }
        }
        let usable = named.filter { errands[$0.key] != nil && troubles[$0.key] == nil }
        lacks = Song.File.allCases.compactMap { file in
            guard let path = named[file], usable[file] == nil else { return nil }
            let reason = troubles[file].map { "can't be played: \($0.what)" } ?? "is not there"
            return Lack(header: file.rawValue.uppercased(), path: path, reason: reason)
        }
        files = SongFiles(
            path: path, song: song, files: usable,
            soundLength: (usable[.audio] ?? usable[.instrumental]).flatMap { _ in
                lengths[usable[.audio] == nil ? .instrumental : .audio]
            }, videoLength: lengths[.video])
    }

    private static let longest = 16 << 20

    /// Where there is none of this name, one of the same letters in other cases: songs come from Windows, too.
    private static func found(_ path: String) -> String {
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

    // MARK: songs that were read

    private struct Kept: Sendable {
        /// When it was read.
        let identities: [String: FileIdentity]
        let song: PlayedSong
    }

    /// By the song's file: a folder of them is read again and again.
    private static let kept = Monitor<[String: Kept]>([:])
    private static let mostKept = 4096

    private var identities: [String: FileIdentity] {
        Dictionary(uniqueKeysWithValues: named.compactMap { path in FileIdentity(path: path).map { (path, $0) } })
    }
}
