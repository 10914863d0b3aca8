/// Says which films a break that comes at once may not go back to in time, and how breaks fade.
public struct BreakJudge {
    private let layout: Layout
    private let facts: (String) -> OpenedFacts?

    public init(_ layout: Layout, _ facts: @escaping (String) -> OpenedFacts?) {
        (self.layout, self.facts) = (layout, facts)
    }

    /// A film whose key frames lie further apart than is decoded ahead: what it was interrupted at may come late, and
    /// the break's last frame stays meanwhile.
    public struct FarKeys: Hashable, Sendable {
        public let breakName: String
        public let source: String
        /// The longest way from one to the next.
        public let gap: Time
    }

    /// In the order of the breaks, of the tiles, and of what they play.
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

    /// How long a tile fades into a break, and out of it: the shortest and the longest, after each of its items.
    public struct Fades: Hashable, Sendable {
        public let breakName: String
        public let tile: String
        public let into: ClosedRange<Time>
        public let outOf: ClosedRange<Time>
    }

    /// In the order of the breaks and of the tiles; without those that come and go by a cut.
    public var fades: [Fades] {
        layout.breaks.flatMap { entry -> [Fades] in
            let ids = Set(layout.tiles(of: entry))
            if entry.isTogether, ids.count > 1 { return [] }
            return layout.playingTiles.filter { ids.contains($0.id) }.compactMap { fades(of: entry, on: $0) }
        }
    }

    private func fades(of entry: BreakLayout, on tile: TileLayout) -> Fades? {
        let lengths = tile.play.indices.map { place -> (into: Time, outOf: Time) in
            // What it interrupts goes on after it.
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

    /// nil: its container does not say.
    private func longestGap(in source: String) -> Time? {
        guard let known = facts(source), let length = known.length, let keys = known.keyFrames, !keys.isEmpty else {
            return nil
        }
        return zip(keys, keys.dropFirst() + [length]).map { $1 - $0 }.max()
    }
}
