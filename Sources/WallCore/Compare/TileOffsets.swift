/// What a layout's tiles are to say so that files that were aligned play in step.
public struct TileOffsets {
    private let layout: Layout

    /// A clip, and how it is found among a layout's sources.
    public struct Clip {
        /// As people may read it.
        public let name: String
        public let plays: (String) -> Bool
        public init(name: String, plays: @escaping (String) -> Bool) { (self.name, self.plays) = (name, plays) }
    }

    private let reference: Clip

    public init(_ layout: Layout, reference: Clip) {
        (self.layout, self.reference) = (layout, reference)
    }

    /// Why an offset can't be written; what would be right.
    public struct Mistake: Error, Equatable {
        public let text: String
    }

    /// For each tile that plays `clip`: its offset, where the clip itself is ahead of the reference by `shift`.
    public func changes(for clip: Clip, shift: Time) throws(Mistake) -> [Int: LayoutChanges.TileChange] {
        let references = try tiles(of: reference), others = try tiles(of: clip)
        var changes: [Int: LayoutChanges.TileChange] = [:]
        for place in others {
            let tile = layout.tiles[place]
            let beside = Set(
                references.filter { layout.tiles[$0].group == tile.group }.map { zero(of: layout.tiles[$0]) })
            guard let zero = beside.first else {
                throw Mistake(
                    text:
                        "tile \(tile.id) and the tile of \(reference.name) are of unlike groups, whose clocks are two; "
                        + "one group would be right")
            }
            guard beside.count == 1 else {
                throw Mistake(
                    text: "tiles of \(reference.name) are not in step with each other; equal offsets would be right")
            }
            changes[place] = LayoutChanges.TileChange(offset: zero + shift - start(of: tile))
        }
        return changes
    }

    /// Where in its file a tile is when its group's clock stands at 0.
    private func zero(of tile: TileLayout) -> Time { start(of: tile) + tile.offset }

    /// Where in its file a tile begins.
    private func start(of tile: TileLayout) -> Time { tile.play[0].pieces[0].start }

    /// Those that begin with it, at the rate of their clock.
    private func tiles(of clip: Clip) throws(Mistake) -> [Int] {
        let players = layout.tiles.indices.filter { place in
            layout.tiles[place].play.contains { $0.pieces.contains { clip.plays($0.source) } }
        }
        guard let some = players.first else { throw Mistake(text: "no tile plays \(clip.name)") }
        let beginners = players.filter { clip.plays(layout.tiles[$0].play[0].pieces[0].source) }
        guard !beginners.isEmpty else {
            throw Mistake(
                text: "tile \(layout.tiles[some].id) plays \(clip.name), but not first; an offset is that of the "
                    + "beginning")
        }
        for place in beginners {
            let item = layout.tiles[place].play[0]
            guard item.rate * item.pieces[0].rate == .one else {
                throw Mistake(
                    text:
                        "tile \(layout.tiles[place].id) plays \(clip.name) at another rate; no offset keeps it in step")
            }
        }
        return beginners
    }
}
