import Base
import Decoded
import Layout
import Opened

/// Finds the films to which an interrupting break may not return in time, and the lengths of the breaks' fades.
public struct BreakJudge {
    private let layout: Layout
    private let facts: (String) -> OpenedFacts?

    public init(_ layout: Layout, _ facts: @escaping (String) -> OpenedFacts?) {
        (self.layout, self.facts) = (layout, facts)
    }

    /// A film whose key frames are further apart than the greatest depth (`Depth.most`). Its resumed frame may be late,
    /// and the break's last frame stays meanwhile.
    public struct FarKeys: Hashable, Sendable {
        public let breakName: String
        public let source: String
        /// Longest distance between two key frames.
        public let gap: Time
    }

    /// Sorted by break, tile and segment.
    public var farKeys: [FarKeys] {
        layout.breaks.filter { $0.when == .now || $0.isTogether }.flatMap { entry -> [FarKeys] in
            let ids = Set(layout.tiles(of: entry))
            var known: Set<String> = []
            return layout.playingTiles.filter { ids.contains($0.id) }.flatMap { $0.play.flatMap(\.segments) }.compactMap
            {
                guard known.insert($0.source).inserted, let gap = longestGap(in: $0.source), gap > Depth.most else {
                    return nil
                }
                return FarKeys(breakName: entry.name, source: $0.source, gap: gap)
            }
        }
    }

    /// Shortest and longest fade of a tile into a break and out of it, over all its items.
    public struct Fades: Hashable, Sendable {
        public let breakName: String
        public let tile: String
        public let into: ClosedRange<Time>
        public let outOf: ClosedRange<Time>
    }

    /// Sorted by break and tile. A break that begins and ends with a cut is left out.
    public var fades: [Fades] {
        layout.breaks.flatMap { entry -> [Fades] in
            let ids = Set(layout.tiles(of: entry))
            if entry.isTogether, ids.count > 1 { return [] }
            return layout.playingTiles.filter { ids.contains($0.id) }.compactMap { fades(of: entry, on: $0) }
        }
    }

    private func fades(of entry: BreakLayout, on tile: TileLayout) -> Fades? {
        let lengths = tile.play.indices.map { place -> (into: Time, outOf: Time) in
            // An interrupted item continues after the break.
            let next = entry.when == .now ? place : (place + 1) % tile.play.count
            var shown = tile
            shown.play = [tile.play[place]] + entry.play + [tile.play[next]]
            let timeline = layout.timeline(of: shown, facts)
            return (
                timeline.fade(before: RunID(iteration: 0, item: 1)),
                timeline.fade(before: RunID(iteration: 0, item: entry.play.count + 1))
            )
        }
        let into = lengths.map(\.into), outOf = lengths.map(\.outOf)
        guard let longest = (into + outOf).max(), longest > .zero else { return nil }
        return Fades(
            breakName: entry.name, tile: tile.name, into: into.min()!...into.max()!, outOf: outOf.min()!...outOf.max()!)
    }

    /// nil if the container does not list the key frames.
    private func longestGap(in source: String) -> Time? {
        guard let known = facts(source), let length = known.length, let keys = known.keyFrames, !keys.isEmpty else {
            return nil
        }
        return zip(keys, keys.dropFirst() + [length]).map { $1 - $0 }.max()
    }
}
