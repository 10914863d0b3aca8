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

    /// Returns the offset of each tile that plays or compares one of `clips`. `shifts`: their leads over the reference.
    public func changes(
        for clips: some Sequence<Clip>, _ shifts: [Time]
    ) throws(Mistake) -> LayoutTextChanges {
        var changed = layout.withMembers
        let references = try players(of: reference)
        for (clip, shift) in zip(clips, shifts) {
            for other in try players(of: clip) {
                let place = changed.tiles.firstIndex { $0.id == other.id }!
                changed.tiles[place].offset =
                    try zero(ofReferenceBeside: other, references) + shift - start(of: other)
            }
        }
        return LayoutTextChanges(from: layout, to: changed)
    }

    private func zero(
        ofReferenceBeside other: TileLayout, _ references: [TileLayout]
    ) throws(Mistake) -> Time {
        let zeros = Set(references.filter { $0.group == other.group }.map(zero))
        guard let zero = zeros.first else {
            throw Mistake(
                text:
                    "\(name(of: other)) and the tile of \(reference.name) are in different groups, which have different "
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

    /// Name of a tile, or of the compared source that it plays, for messages.
    private func name(of tile: TileLayout) -> String {
        guard let comparing = tile.comparedBy else { return "tile \(tile.id)" }
        return "source \(tile.id.dropFirst(comparing.count + 1)) that tile \(comparing) compares"
    }

    /// Returns the tiles that begin with the clip, at the rate of their clock. Compared sources are tiles, too.
    private func players(of clip: Clip) throws(Mistake) -> [TileLayout] {
        let players = layout.playingTiles.filter {
            $0.play.contains { $0.segments.contains { clip.plays($0.source) } }
        }
        guard let some = players.first else { throw Mistake(text: "no tile plays \(clip.name)") }
        let beginners = players.filter { clip.plays($0.play[0].segments[0].source) }
        guard !beginners.isEmpty else {
            throw Mistake(
                text: "\(name(of: some)) plays \(clip.name), but not first; an offset applies to the first segment")
        }
        for player in beginners {
            let item = player.play[0]
            guard item.rate * item.segments[0].rate == .one else {
                throw Mistake(
                    text: "\(name(of: player)) plays \(clip.name) at another rate; no offset keeps it in step")
            }
        }
        return beginners
    }
}
