import Files
import WallCore

/// The folders that a layout plays, read once.
struct PlayedFolders {
    /// The folders, and files in them that are being copied: when one of them is another, they are to be read again.
    private(set) var watched: Set<String> = []
    private let quiet: Int64

    /// Files that have changed within so many nanoseconds are left out.
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
    }
}

extension Layout {
    /// With the media of the folders that it names in their place.
    var withFoldersRead: Layout {
        var (layout, folders) = (self, PlayedFolders(quiet: 0))
        folders.expand(&layout)
        return layout
    }
}
