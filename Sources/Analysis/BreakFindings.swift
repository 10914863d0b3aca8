import Base
import Decoded
import Layout
import Opened

extension Layout {
    /// Films to which an interrupting break may not return in time: their key frames are further apart than the greatest
    /// depth (`Depth.most`). The resumed frame may be late, and the break's last frame stays meanwhile. Sorted by break,
    /// tile and segment.
    public func farKeys(_ facts: (String) -> OpenedFacts?) -> [CheckFinding] {
        breaks.filter { $0.when == .now || $0.isTogether }.flatMap { entry -> [CheckFinding] in
            let ids = Set(tiles(of: entry))
            var known: Set<String> = []
            return playingTiles.filter { ids.contains($0.id) }.flatMap { $0.play.flatMap(\.segments) }.compactMap {
                guard known.insert($0.source).inserted, let gap = facts($0.source)?.longestGap, gap > Depth.most else {
                    return nil
                }
                let words =
                    "\($0.name): up to \(fixed(gap.seconds, 3)) s from one key frame to the next: where it is "
                    + "interrupted, the break's last frame may stay a while"
                return CheckFinding(
                    .farKeys, title: "the break \(entry.name)", lines: [words], isFault: false,
                    json: ["break": .text(entry.name), "source": .text($0.name), "gap": .number(gap.seconds)])
            }
        }
    }

    /// Shortest and longest fade of each tile into a break and out of it, over all its items. Sorted by break and tile. A
    /// break that begins and ends with a cut is left out.
    public func breakFades(_ facts: (String) -> OpenedFacts?) -> [CheckFinding] {
        breaks.flatMap { entry -> [CheckFinding] in
            let ids = Set(tiles(of: entry))
            if entry.isTogether, ids.count > 1 { return [] }
            return playingTiles.filter { ids.contains($0.id) }.compactMap { fades(of: entry, on: $0, facts) }
        }
    }

    private func fades(
        of entry: BreakLayout, on tile: TileLayout, _ facts: (String) -> OpenedFacts?
    ) -> CheckFinding? {
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
        func ends(_ lengths: [Time]) -> [Double] { [lengths.min()!, lengths.max()!].map(\.seconds) }
        func words(_ lengths: [Time]) -> String {
            let words = ends(lengths).map { fixed($0, 3) }
            return words[0] == words[1] ? words[0] : "\(words[0]) to \(words[1])"
        }
        func json(_ lengths: [Time]) -> PropertyValue { .list(ends(lengths).map(PropertyValue.number)) }
        return CheckFinding(
            .breakFades, title: "the break \(entry.name)",
            lines: ["\(tile.name): fades \(words(into)) s into it, \(words(outOf)) s out of it"], isFault: false,
            json: [
                "break": .text(entry.name), "tile": .text(tile.name), "into": json(into), "out-of": json(outOf),
            ])
    }
}

extension OpenedFacts {
    /// Longest distance between two key frames; nil if the container does not list them.
    fileprivate var longestGap: Time? {
        guard let length = self.length, let keys = self.keyFrames, !keys.isEmpty else { return nil }
        return zip(keys, keys.dropFirst() + [length]).map { $1 - $0 }.max()
    }
}
