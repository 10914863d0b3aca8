import Base

extension Layout {
    /// Deinterlaces frames that are marked as interlaced, in all items that do not set `deinterlace`.
    public mutating func deinterlaceMarkedFrames() {
        changeItems { items in
            for place in items.indices where items[place].deinterlacing == nil { items[place].deinterlacing = .marked }
        }
    }

    /// Sets the layout's tone mapping, also of the tiles that have the layout's.
    public mutating func mapTones(by toneMapping: ToneMapping) {
        for index in tiles.indices where [nil, self.toneMapping].contains(tiles[index].decoding.toneMapping) {
            tiles[index].decoding.toneMapping = toneMapping
        }
        self.toneMapping = toneMapping
    }
}
