import Base
import Files
import Glibc
import Layout
import Lyrics
import Media
import Threads

/// An UltraStar song with its files, as far as they exist, and all that is odd in them.
public struct SongWithFiles: Sendable {
    public let path: String
    let files: SongFiles
    public let mistakes: Mistakes?
    /// Why the song is not played; nil if it can be read.
    public let refusal: String?
    /// Files that the song names and that can't be used.
    public let unusableFiles: [UnusableFile]
    /// Paths of the lacking files that are not there.
    var absent: [String] { unusableFiles.filter { access($0.path, F_OK) != 0 }.map(\.path) }
    /// Lines to print before the song plays. Without its tempo, no note is sung at its time.
    var troubles: [String] {
        let tempo = (mistakes?.listed ?? []).filter { $0.place == "#BPM" }
        return (unusableFiles.map(words) + tempo.map(words)).map { "quadrille: \($0)" }
    }
    /// Paths that the song names, and its own.
    let named: Set<String>

    /// Oddities of the song that only its files reveal.
    public let remarks: [Mistake]

    /// Identities of the named files before they were opened. Missing files have none.
    private let identities: [String: FileIdentity]

    /// The song file beside it that is its instrumental; nil if there is none.
    private let instrumental: String?

    /// True if a file failed for a reason that may have passed at the next attempt.
    private let mayRecover: Bool

    public struct UnusableFile: Sendable {
        /// Name of the header, and place of its value.
        public let header: String
        public let place: TextPosition
        public let path: String
        public let reason: String
    }

    public func words(_ lack: UnusableFile) -> String {
        words(Mistake(at: lack.place, place: "#\(lack.header)", text: "\(lack.path) \(lack.reason)"))
    }

    public func words(_ remark: Mistake) -> String { remark.rendered(path: SourceName.withoutSecrets(path)) }

    /// Returns the song at `path`. nil if the file is no song. May block as long as its files take to open.
    static func read(_ path: String) -> SongWithFiles? {
        let instrumental = MediaFolder.instrumental(of: path)
        if let song = kept.locked({ $0[path] }), song.instrumental == instrumental,
            song.identities == identities(of: song.named)
        {
            return song
        }
        guard let song = SongWithFiles(path, instrumental: instrumental) else { return nil }
        if song.mayRecover { return song }
        kept.locked { songs in
            if songs.count >= mostKept { songs = [:] }
            songs[path] = song
        }
        return song
    }

    private init?(_ path: String, instrumental: String?) {
        guard case .success(let read) = bytes(of: path, atMost: Self.longest), UltraStarReader.isSong(read.bytes)
        else { return nil }
        let (song, mistakes) = UltraStarReader.read(read.bytes)
        let folder = folder(of: path)
        let named = song.refusal == nil ? song.files.mapValues { fileOfAnyCase(folder + $0) } : [:]
        (self.path, self.mistakes, refusal) = (path, mistakes, song.refusal)
        let version = instrumental.flatMap { Self.version($0, of: song) }
        self.instrumental = instrumental
        self.named = Set(named.values).union([path]).union([instrumental, version?.path].compactMap { $0 })
        // A file that changes while it is opened gets another identity.
        var identities = Self.identities(of: self.named.subtracting([path]))
        identities[path] = read.file
        self.identities = identities
        // All files are opened at once.
        let readable = named.filter { access($0.value, R_OK) == 0 }
        let opened = results(for: readable) { file, deadline throws(SourceTrouble) in
            try Source.open(file.value, deadline: deadline).facts
        }
        var (lengths, troubles): ([Song.File: Time], [Song.File: SourceTrouble]) = ([:], [:])
        for (file, facts) in zip(readable.keys, opened) {
            switch facts {
            // A film may be the sound of a song.
            case .success(let facts):
                lengths[file] = file.isSound && facts.kind == .video ? facts.soundLength : facts.length
            case .failure(let trouble): troubles[file] = trouble
            }
        }
        mayRecover = troubles.values.contains { [.timeout, .unreadable, .unreachable].contains($0.kind) }
        let usable = readable.filter { troubles[$0.key] == nil }
        unusableFiles = Song.File.allCases.compactMap { file in
            guard let path = named[file], usable[file] == nil else { return nil }
            let reason =
                troubles[file].map { "can't be played: \($0.what)" }
                ?? "is not there; a file of the song's folder would be right"
            let header = song.fileHeaders[file] ?? ""
            return UnusableFile(header: header, place: song.place(of: header), path: path, reason: reason)
        }
        let files = SongFiles(
            path: path, song: song, files: usable,
            soundLength: [Song.File.audio, .instrumental, .vocals].first { usable[$0] != nil }.flatMap { lengths[$0] },
            videoLength: lengths[.video], instrumental: version)
        (self.files, remarks) = (files, files.remarks)
    }

    private static let longest = 16 << 20

    /// Returns the sound of a song's instrumental that is a song file of its own; nil if it is not there.
    private static func version(_ path: String, of song: Song) -> SongFiles.Instrumental? {
        guard case .success(let read) = bytes(of: path, atMost: longest) else { return nil }
        let version = UltraStarReader.read(read.bytes).song
        let folder = folder(of: path)
        let name = version.files[.instrumental] ?? version.files[.audio]
        guard let sound = name.map({ fileOfAnyCase(folder + $0) }), access(sound, R_OK) == 0 else { return nil }
        // The words of both begin at the same place of the music.
        let words = [song, version].map { $0.lyrics.lines.first?.begin ?? .zero }
        return SongFiles.Instrumental(path: sound, offset: words[0] - words[1])
    }

    // MARK: songs that were read

    /// Songs that were read, by path: a folder of them is read again and again.
    private static let kept = Locked<[String: SongWithFiles]>([:])
    private static let mostKept = 4096

    /// Returns the identities of files. A missing file may come under a name in other letter case.
    private static func identities(of paths: Set<String>) -> [String: FileIdentity] {
        Dictionary(
            uniqueKeysWithValues: paths.compactMap { path in
                FileIdentity(path: fileOfAnyCase(path)).map { (path, $0) }
            })
    }
}
