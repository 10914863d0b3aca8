import Base

extension Layout {
    /// Deinterlaces frames that are marked as interlaced, in all items that do not set `deinterlace`.
    public mutating func deinterlaceMarkedFrames() {
        changeItems { items in
            for place in items.indices where items[place].deinterlacing == nil { items[place].deinterlacing = .marked }
        }
    }

    /// Gives each tile the layout's tone mapping where the tile states none.
    mutating func passToneMappingOn() {
        for index in tiles.indices {
            tiles[index].decoding.toneMapping = tiles[index].decoding.toneMapping.over(decoding.toneMapping)
        }
    }

    /// Sets the curve of all tiles and items.
    public mutating func mapTones(by curve: ToneMapping.Curve) {
        decoding.toneMapping.curve = curve
        for index in tiles.indices { tiles[index].decoding.toneMapping.curve = curve }
        changeItems { items in
            for place in items.indices { items[place].toneMapping.curve = nil }
        }
    }

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
