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
            tiles[index].decoding.toneMapping = tiles[index].decoding.toneMapping.over(toneMapping)
        }
    }

    /// Sets the curve of all tiles and items.
    public mutating func mapTones(by curve: ToneMapping.Curve) {
        toneMapping.curve = curve
        for index in tiles.indices { tiles[index].decoding.toneMapping.curve = curve }
        changeItems { items in
            for place in items.indices { items[place].toneMapping.curve = nil }
        }
    }
}
