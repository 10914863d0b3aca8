import Files
import WallCore

/// What a layout plays that is made of several files: folders and songs, each read once.
struct PlayedSources {
    /// The folders, what is missing and may be one, and the songs: when one of them is another, they are to be read
    /// again.
    private(set) var watched: Set<String> = []
    /// By their paths: what they were before they were read; nothing of what was not there.
    private(set) var identities: [String: FileIdentity] = [:]
    /// Folders that the system did not open, which may iteration while they stay as they are.
    private(set) var unopened: Set<String> = []
    /// What is to be played when it is there: files of the folders that are being copied, and files that songs lack.
    private(set) var unfinished: Set<String> = []
    /// By the song's file.
    private(set) var songs: [String: PlayedSong] = [:]
    /// Voices that are to be shown and that their songs do not have.
    private var voiceless: Set<String> = []
    /// What is to be said of the songs before they play.
    var troubles: [String] { songs.values.flatMap(\.troubles).sorted() + voiceless.sorted() }
    private let quiet: Int64

    /// Files of a folder that have changed within so many nanoseconds are left out.
    init(quiet: Int64) { self.quiet = quiet }

    /// May block as long as the file systems do.
    mutating func expand(_ layout: inout Layout) {
        layout.expandFolders { source in
            let path = SourceName.path(of: source) ?? source
            let identity = FileIdentity(path: path)
            guard let folder = MediaFolder(path: path, quiet: quiet) else {
                // A stick may be plugged in, a share be mounted.
                if identity == nil {
                    watch(path, nil)
                } else if MediaFolder.isFolder(path) {
                    watch(path, identity)
                    unopened.insert(path)
                }
                return nil
            }
            watch(path, identity)
            unfinished.formUnion(folder.unfinished)
            return folder.files
        }
        layout.expandSongs { source, item in
            guard let path = SourceName.path(of: source), Self.isSong(path) else { return nil }
            if songs[path] == nil {
                watch(path, FileIdentity(path: path))
                songs[path] = PlayedSong.read(path)
            }
            unfinished.formUnion(songs[path]?.absent ?? [])
            if let voice = item.voice, let trouble = songs[path]?.files.trouble(ofVoice: voice) {
                voiceless.insert("quadrille: \(SourceName.withoutSecrets(path)): \(trouble.what)")
            }
            return songs[path]?.files.item(item)
        }
    }

    private mutating func watch(_ path: String, _ identity: FileIdentity?) {
        watched.insert(path)
        identities[path] = identity
    }

    /// What it leads to is made of several files: a folder, or a song. May block as long as the file system does.
    static func isMadeOfFiles(_ path: String) -> Bool { isSong(path) || MediaFolder.isFolder(path) }

    /// The same by its name alone: a folder's seldom has an ending.
    static func mayBeMadeOfFiles(_ source: String) -> Bool {
        guard let path = SourceName.path(of: source) else { return false }
        return isSong(path) || path.hasSuffix("/") || !(path.split(separator: "/").last ?? "").contains(".")
    }

    private static func isSong(_ path: String) -> Bool { path.lowercased().hasSuffix(".txt") }
}

extension Layout {
    /// With the media of the folders that it names in their place, and the files of its songs. `troubles`: what is to be
    /// said of those before they play.
    func readingSources() -> (layout: Layout, songs: [PlayedSong], troubles: [String]) {
        var (layout, sources) = (self, PlayedSources(quiet: 0))
        sources.expand(&layout)
        return (layout, sources.songs.values.sorted { $0.path < $1.path }, sources.troubles)
    }
}
