import Base

extension Layout {
    /// Replaces each item with a folder as its source by one item for each media file in it, with the same settings.
    /// `media`: returns the files of a folder in order; nil if it is none. An empty folder stays an item that can't be
    /// played.
    public mutating func expandFolders(_ media: (String) -> [String]?) {
        changeItems { items in items = items.flatMap { $0.expanded(media) } }
    }
}

extension Item {
    fileprivate func expanded(_ media: (String) -> [String]?) -> [Item] {
        guard case .media(var segment) = content, SourceName.path(of: segment.source) != nil,
            let files = media(segment.source), !files.isEmpty
        else { return [self] }
        let folder = segment.source
        return files.map { file in
            var item = self
            segment.source = file
            (item.content, item.folder) = (.media(segment), folder)
            return item
        }
    }
}
