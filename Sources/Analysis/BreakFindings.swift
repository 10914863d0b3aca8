import Base
import Decoded
import Layout
import Opened

/// A film to which an interrupting break may not return in time: its key frames are further apart than the greatest
/// depth (`Depth.most`). Its resumed frame may be late, and the break's last frame stays meanwhile.
public struct FarKeys: Hashable, Sendable {
    public let breakName: String
    public let source: String
    /// Longest distance between two key frames.
    public let gap: Time
}

/// Shortest and longest fade of a tile into a break and out of it, over all its items.
public struct BreakFades: Hashable, Sendable {
    public let breakName: String
    public let tile: String
    public let into: ClosedRange<Time>
    public let outOf: ClosedRange<Time>
}

extension Layout {
    /// Sorted by break, tile and segment.
    public func farKeys(_ facts: (String) -> OpenedFacts?) -> [FarKeys] {
        breaks.filter { $0.when == .now || $0.isTogether }.flatMap { entry -> [FarKeys] in
            let ids = Set(tiles(of: entry))
            var known: Set<String> = []
            return playingTiles.filter { ids.contains($0.id) }.flatMap { $0.play.flatMap(\.segments) }.compactMap {
                guard known.insert($0.source).inserted, let gap = facts($0.source)?.longestGap, gap > Depth.most else {
                    return nil
                }
                return FarKeys(breakName: entry.name, source: $0.source, gap: gap)
            }
        }
    }

    /// Sorted by break and tile. A break that begins and ends with a cut is left out.
    public func breakFades(_ facts: (String) -> OpenedFacts?) -> [BreakFades] {
        breaks.flatMap { entry -> [BreakFades] in
            let ids = Set(tiles(of: entry))
            if entry.isTogether, ids.count > 1 { return [] }
            return playingTiles.filter { ids.contains($0.id) }.compactMap { fades(of: entry, on: $0, facts) }
        }
    }

    private func fades(
        of entry: BreakLayout, on tile: TileLayout, _ facts: (String) -> OpenedFacts?
    ) -> BreakFades? {
        let lengths = tile.play.indices.map { place -> (into: Time, outOf: Time) in
            // An interrupted item continues after the break.
            let next = entry.when == .now ? place : (place + 1) % tile.play.count
            var shown = tile
            shown.play = [tile.play[place]] + entry.play + [tile.play[next]]
            let timeline = timeline(of: shown, facts)
            return (
                timeline.fade(before: RunID(iteration: 0, item: 1)),
                timeline.fade(before: RunID(iteration: 0, item: entry.play.count + 1))
            )
        }
        let into = lengths.map(\.into), outOf = lengths.map(\.outOf)
        guard let longest = (into + outOf).max(), longest > .zero else { return nil }
        return BreakFades(
            breakName: entry.name, tile: tile.name, into: into.min()!...into.max()!, outOf: outOf.min()!...outOf.max()!)
    }
}

extension OpenedFacts {
    /// Longest distance between two key frames; nil if the container does not list them.
    fileprivate var longestGap: Time? {
        guard let length = self.length, let keys = self.keyFrames, !keys.isEmpty else { return nil }
        return zip(keys, keys.dropFirst() + [length]).map { $1 - $0 }.max()
    }
}
