import Base

extension Layout {
    /// Deinterlaces frames that are marked as interlaced, in all items that do not set `deinterlace`.
    public mutating func deinterlaceMarkedFrames() {
        for tile in tiles.indices {
            tiles[tile].play.deinterlaceMarkedFrames()
            guard var compare = tiles[tile].compare else { continue }
            for place in compare.members.indices {
                guard case .source(var items, let offset) = compare.members[place] else { continue }
                items.deinterlaceMarkedFrames()
                compare.members[place] = .source(items, offset: offset)
            }
            tiles[tile].compare = compare
        }
        for entry in breaks.indices { breaks[entry].play.deinterlaceMarkedFrames() }
    }
}

extension [Item] {
    fileprivate mutating func deinterlaceMarkedFrames() {
        for place in indices where self[place].deinterlacing == nil { self[place].deinterlacing = .marked }
    }
}
