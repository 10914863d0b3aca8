import Base

extension Layout {
    /// Deinterlaces frames that are marked as interlaced, in all items that do not set `deinterlace`.
    public mutating func deinterlaceMarkedFrames() {
        changeItems { items in
            for place in items.indices where items[place].deinterlacing == nil { items[place].deinterlacing = .marked }
        }
    }
}
