import Base

extension Layout {
    /// Replaces each item with a folder as its source by one item for each media file in it, with the same settings.
    /// `media`: returns the files of a folder in order; nil if it is none. An empty folder stays an item that can't be
    /// played.
    public mutating func expandFolders(_ media: (String) -> [String]?) {
        for index in tiles.indices { tiles[index].play = tiles[index].play.flatMap { $0.expanded(media) } }
        for index in tiles.indices { tiles[index].compare?.expandFolders(media) }
        for index in breaks.indices { breaks[index].play = breaks[index].play.flatMap { $0.expanded(media) } }
    }
}

extension ComparisonLayout {
    fileprivate mutating func expandFolders(_ media: (String) -> [String]?) {
        for place in members.indices {
            guard case .source(let items, let offset) = members[place] else { continue }
            members[place] = .source(items.flatMap { $0.expanded(media) }, offset: offset)
        }
    }
}

extension Item {
    fileprivate func expanded(_ media: (String) -> [String]?) -> [Item] {
        guard case .media(var segment) = content, SourceName.path(of: segment.source) != nil,
            let files = media(segment.source), !files.isEmpty
        else { return [self] }
        return files.map { file in
            var item = self
            segment.source = file
            item.content = .media(segment)
            return item
        }
    }
}
