import Base
import Files
import Layout
import Policy

/// Sources of a layout that are made of several files: folders and songs, each read once.
///
/// A folder is replaced by its media, and a song by its files, before a layout is applied. The watch covers the folder,
/// files in it that are being copied, files that a song lacks, and missing sources that may be folders. After a change
/// the same layout is applied again. The missing files of a song are reported once.
public struct CompoundSources {
    /// Files that may have to be read again, and lines to print before the songs play.
    public private(set) var files = SourceFiles()
    private var songsByPath: [String: SongWithFiles] = [:]
    /// Songs, sorted by path.
    public var songs: [SongWithFiles] { songsByPath.values.sorted { $0.path < $1.path } }

    /// Replaces the folders and songs of a layout by their files. `quiet`: a folder's files that have changed within
    /// this time, in nanoseconds, are left out. May block as long as the file systems do.
    public init(expanding layout: inout Layout, quiet: Int64 = 0) {
        // Lines on voices that are to be shown and that their songs lack.
        var voiceless: Set<String> = []
        layout.expandFolders { source in
            let path = SourceName.path(of: source) ?? source
            let identity = FileIdentity(path: path)
            guard let folder = MediaFolder(path: path, quiet: quiet) else {
                // A stick may be plugged in later, or a share mounted.
                if identity == nil {
                    watch(path, nil)
                } else if MediaFolder.isFolder(path) {
                    watch(path, identity)
                    files.unopened.insert(path)
                }
                return nil
            }
            for folder in folder.folders { watch(folder.path, folder.identity) }
            files.unfinished.formUnion(folder.unfinished)
            return folder.files
        }
        layout.expandSongs { source, item in
            guard let path = SourceName.path(of: source), Self.isSong(path) else { return nil }
            if songsByPath[path] == nil {
                watch(path, FileIdentity(path: path))
                songsByPath[path] = SongWithFiles.read(path)
            }
            files.unfinished.formUnion(songsByPath[path]?.absent ?? [])
            if let voice = item.voice, let trouble = songsByPath[path]?.files.trouble(ofVoice: voice) {
                voiceless.insert("quadrille: \(SourceName.withoutSecrets(path)): \(trouble.what)")
            }
            return songsByPath[path]?.files.item(item)
        }
        files.lacks = songsByPath.values.flatMap(\.troubles).sorted() + voiceless.sorted()
    }

    private mutating func watch(_ path: String, _ identity: FileIdentity?) {
        files.watched.insert(path)
        files.identities[path] = identity
    }

    /// Returns true if the path leads to a folder or a song. May block as long as the file system does.
    public static func isMadeOfFiles(_ path: String) -> Bool { isSong(path) || MediaFolder.isFolder(path) }

    /// Returns true if the path may lead to a folder or a song, by its name. Names of folders seldom have an extension.
    public static func mayBeMadeOfFiles(_ source: String) -> Bool {
        guard let path = SourceName.path(of: source) else { return false }
        return isSong(path) || path.hasSuffix("/") || !(path.split(separator: "/").last ?? "").contains(".")
    }

    private static func isSong(_ path: String) -> Bool { path.lowercased().hasSuffix(".txt") }
}
