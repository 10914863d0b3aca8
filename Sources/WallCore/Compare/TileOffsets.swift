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

    /// Who plays something: a tile, or one of the sources that a tile compares.
    private struct Player {
        /// As it plays; of a compared source, with the offset of the tile that compares it.
        let layout: TileLayout
        /// In the layout's list, and among the sources that are compared.
        let place: Int
        let member: Int?
        /// For messages.
        let name: String
    }

    private var players: [Player] {
        layout.tiles.enumerated().flatMap { place, tile -> [Player] in
            if tile.compare == nil { return [Player(layout: tile, place: place, member: nil, name: "tile \(tile.id)")] }
            return tile.memberTilesByPlace.map {
                Player(
                    layout: $0.tile, place: place, member: $0.place,
                    name: "source \($0.place + 1) that tile \(tile.id) compares")
            }
        }
    }

    /// For each tile that plays or compares `clip`: what offset it has, where the clip itself is ahead of the reference
    /// by `shift`.
    public func changes(for clip: Clip, shift: Time) throws(Mistake) -> [Int: LayoutChanges.TileChange] {
        let references = try players(of: reference), others = try players(of: clip)
        var changes: [Int: LayoutChanges.TileChange] = [:]
        for other in others {
            let beside = Set(references.filter { $0.layout.group == other.layout.group }.map { zero(of: $0.layout) })
            guard let zero = beside.first else {
                throw Mistake(
                    text:
                        "\(other.name) and the tile of \(reference.name) are of unlike groups, whose clocks are two; "
                        + "one group would be right")
            }
            guard beside.count == 1 else {
                throw Mistake(
                    text: "tiles of \(reference.name) are not in step with each other; equal offsets would be right")
            }
            changes[other.place, default: LayoutChanges.TileChange()].set(
                zero + shift - start(of: other.layout), of: other.member, in: layout.tiles[other.place])
        }
        return changes
    }

    /// Where in its file a tile is when its group's clock stands at 0.
    private func zero(of tile: TileLayout) -> Time { start(of: tile) + tile.offset }

    /// Where in its file a tile begins.
    private func start(of tile: TileLayout) -> Time { tile.play[0].segments[0].start }

    /// Those that begin with it, at the rate of their clock.
    private func players(of clip: Clip) throws(Mistake) -> [Player] {
        let players = players.filter { $0.layout.play.contains { $0.segments.contains { clip.plays($0.source) } } }
        guard let some = players.first else { throw Mistake(text: "no tile plays \(clip.name)") }
        let beginners = players.filter { clip.plays($0.layout.play[0].segments[0].source) }
        guard !beginners.isEmpty else {
            throw Mistake(
                text: "\(some.name) plays \(clip.name), but not first; an offset is that of the beginning")
        }
        for player in beginners {
            let item = player.layout.play[0]
            guard item.rate * item.segments[0].rate == .one else {
                throw Mistake(text: "\(player.name) plays \(clip.name) at another rate; no offset keeps it in step")
            }
        }
        return beginners
    }
}

extension LayoutChanges.TileChange {
    /// Of a source that the tile compares, the tile's own offset is added to what is written.
    fileprivate mutating func set(_ offset: Time, of member: Int?, in tile: TileLayout) {
        if let member { comparedOffsets[member] = offset - tile.offset } else { self.offset = offset }
    }
}
