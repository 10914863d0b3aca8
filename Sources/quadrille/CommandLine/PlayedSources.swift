import Files
import WallCore

/// What a layout plays that is made of several files: folders and songs, each read once.
struct PlayedSources {
    /// The folders, files in them that are being copied, and the songs: when one of them is another, they are to be read
    /// again.
    private(set) var watched: Set<String> = []
    /// By the song's file.
    private(set) var songs: [String: PlayedSong] = [:]
    private let quiet: Int64

    /// Files of a folder that have changed within so many nanoseconds are left out.
    init(quiet: Int64) { self.quiet = quiet }

    /// May block as long as the file systems do.
    mutating func expand(_ layout: inout Layout) {
        layout.expandFolders { source in
            let path = SourceName.path(of: source) ?? source
            guard let folder = MediaFolder(path: path, quiet: quiet) else { return nil }
            watched.insert(path)
            watched.formUnion(folder.unfinished)
            return folder.files
        }
        layout.expandSongs { source, item in
            guard let path = SourceName.path(of: source), path.lowercased().hasSuffix(".txt") else { return nil }
            watched.insert(path)
            if songs[path] == nil { songs[path] = PlayedSong(path) }
            return songs[path]?.files.item(item)
        }
    }
}

extension Layout {
    /// With the media of the folders that it names in their place, and the files of its songs.
    var withSourcesRead: Layout { readingSources().layout }

    func readingSources() -> (layout: Layout, songs: [PlayedSong]) {
        var (layout, sources) = (self, PlayedSources(quiet: 0))
        sources.expand(&layout)
        return (layout, sources.songs.values.sorted { $0.path < $1.path })
    }
}
