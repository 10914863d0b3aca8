/// Says which films a break that comes at once may not go back to in time.
public struct BreakJudge {
    private let layout: Layout
    private let facts: (String) -> OpenedFacts?

    public init(_ layout: Layout, _ facts: @escaping (String) -> OpenedFacts?) {
        (self.layout, self.facts) = (layout, facts)
    }

    /// A film whose key pictures lie further apart than is decoded ahead: what it was interrupted at may come late, and
    /// the break's last picture stays meanwhile.
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
            return layout.playingTiles.filter { ids.contains($0.id) }.flatMap { $0.play.flatMap(\.pieces) }.compactMap {
                guard known.insert($0.source).inserted, let gap = longestGap(in: $0.source), gap > Depth.most else {
                    return nil
                }
                return FarKeys(breakName: entry.name, source: $0.source, gap: gap)
            }
        }
    }

    /// nil: its container does not say.
    private func longestGap(in source: String) -> Time? {
        guard let known = facts(source), let length = known.length, let keys = known.keyPictures, !keys.isEmpty else {
            return nil
        }
        return zip(keys, keys.dropFirst() + [length]).map { $1 - $0 }.max()
    }
}
