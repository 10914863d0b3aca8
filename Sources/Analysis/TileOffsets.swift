import Base
import Layout

/// The offsets that a layout's tiles need so that aligned files play in step.
public struct TileOffsets {
    private let layout: Layout

    /// A clip, and the test that finds it among a layout's sources.
    public struct Clip {
        /// Name for messages.
        public let name: String
        public let plays: (String) -> Bool
        public init(name: String, plays: @escaping (String) -> Bool) { (self.name, self.plays) = (name, plays) }
    }

    private let reference: Clip

    public init(_ layout: Layout, reference: Clip) {
        (self.layout, self.reference) = (layout, reference)
    }

    /// Reason for an offset that can't be written, and the remedy.
    public struct Mistake: Error, Equatable {
        public let text: String
    }

    /// A tile that plays something, or one of the sources that a tile compares.
    private struct Player {
        /// Layout of the tile. For a compared source, the offset is that of the comparing tile.
        let layout: TileLayout
        /// Index in the layout's tiles, and index among the compared sources.
        let place: Int
        let member: Int?
        /// Name for messages.
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

    /// Returns the offset of each tile that plays or compares one of `clips`. `shifts`: their leads over the reference.
    public func changes(
        for clips: some Sequence<Clip>, _ shifts: [Time]
    ) throws(Mistake) -> LayoutTextChanges {
        var changes = LayoutTextChanges()
        let references = try players(of: reference)
        for (clip, shift) in zip(clips, shifts) {
            for other in try players(of: clip) {
                let offset = try zero(ofReferenceBeside: other, references) + shift - start(of: other.layout)
                var change = changes.tiles[other.place] ?? LayoutTextChanges.TileChange()
                // The tile's own offset is added to that of a compared source when it plays.
                if let member = other.member {
                    change.setOffset(offset - layout.tiles[other.place].offset, ofCompared: member)
                } else {
                    change.setOffset(offset)
                }
                changes.tiles[other.place] = change
            }
        }
        return changes
    }

    private func zero(ofReferenceBeside other: Player, _ references: [Player]) throws(Mistake) -> Time {
        let zeros = Set(references.filter { $0.layout.group == other.layout.group }.map { zero(of: $0.layout) })
        guard let zero = zeros.first else {
            throw Mistake(
                text:
                    "\(other.name) and the tile of \(reference.name) are in different groups, which have different "
                    + "clocks; one group would be right")
        }
        guard zeros.count == 1 else {
            throw Mistake(
                text: "tiles of \(reference.name) are not in step with each other; equal offsets would be right")
        }
        return zero
    }

    /// Returns the tile's place in its file when its group's clock is at 0.
    private func zero(of tile: TileLayout) -> Time { start(of: tile) + tile.offset }

    /// Returns the place in its file at which a tile begins.
    private func start(of tile: TileLayout) -> Time { tile.play[0].segments[0].start }

    /// Returns the players that begin with the clip, at the rate of their clock.
    private func players(of clip: Clip) throws(Mistake) -> [Player] {
        let players = players.filter { $0.layout.play.contains { $0.segments.contains { clip.plays($0.source) } } }
        guard let some = players.first else { throw Mistake(text: "no tile plays \(clip.name)") }
        let beginners = players.filter { clip.plays($0.layout.play[0].segments[0].source) }
        guard !beginners.isEmpty else {
            throw Mistake(
                text: "\(some.name) plays \(clip.name), but not first; an offset applies to the first segment")
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
