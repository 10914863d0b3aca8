import Base
import Layout
import Opened

extension Layout {
    /// Sources that the tiles play, once each, in the order of the tiles.
    public var sources: [String] {
        var known: Set<String> = []
        return playingTiles.flatMap { $0.play.flatMap { $0.segments.map(\.source) } }.filter {
            known.insert($0).inserted
        }
    }

    /// Returns the timeline of a tile with all that is known of its sources. A source that can't be opened has length
    /// 0.
    public func timeline(of tile: TileLayout, _ facts: (String) -> OpenedFacts?) -> Timeline {
        var timeline = Timeline(tile)
        for (place, item) in tile.play.enumerated() {
            for (index, segment) in item.segments.enumerated() {
                let run = RunID(iteration: 0, item: place, segment: index)
                timeline.learn(
                    facts(segment.source).map { length(of: run, in: timeline, $0) } ?? .zero, of: run)
            }
        }
        if timeline.fades { limitFades(of: tile, in: &timeline, facts) }
        return timeline
    }

    /// Limits the fades to the memory of a tile in a window of the layout's size.
    private func limitFades(of tile: TileLayout, in timeline: inout Timeline, _ facts: (String) -> OpenedFacts?) {
        guard let place = tiles.firstIndex(where: { $0.id == tile.id }) else { return }
        let rect = TileGeometry.rects(of: self, in: window.size)[place]
        let feeds = Set(playingTiles.map(FeedKey.init)).count
        let seats = if case .count(let count) = decoding.pipelines { min(feeds, count) } else { feeds }
        let memory = decoding.memoryMiB << 20 / max(1, seats)
        for (item, played) in tile.play.enumerated() {
            let limits = played.segments.compactMap { segment -> Time? in
                guard let known = facts(segment.source) else { return nil }
                let size = TileGeometry.decodeSize(
                    natural: known.natural, turn: played.inTile(tile.decoding).turn,
                    views: [(rect: rect, fit: tile.fit, crop: played.crop.part(of: known.stored))])
                return known.longestFade(size, at: played.rate * segment.rate, memory)
            }
            if let limit = limits.min() { timeline.limitFade(at: ItemPlace(item), to: limit) }
        }
    }

    /// nil if only reading the source to its end gives its length.
    private func length(of run: RunID, in timeline: Timeline, _ facts: OpenedFacts) -> Time? {
        if facts.kind == .still { return timeline.stillLength(of: run) ?? Timeline.usualStill }
        let segment = timeline.segment(of: run)
        guard let end = [facts.length, segment.end].compactMap({ $0 }).min() else { return nil }
        return Timeline.length(from: segment.start, to: end, at: timeline.rate(of: run), frame: facts.frameLength)
    }

    /// Returns the length of an iteration of the longest tile; nil if that is not known.
    /// If a group's iterations end with its shortest tile, that tile counts.
    public func longestIteration(_ facts: (String) -> OpenedFacts?) -> Time? {
        var longest = Time.zero
        for group in groups {
            var lengths: [Time] = []
            for tile in playingTiles where tile.group == group.name {
                guard let length = timeline(of: tile, facts).iterationLength else { return nil }
                lengths.append(length - tile.offset)
            }
            let isCut = group.loop == .together && group.until == .shortest
            longest = max(longest, (isCut ? lengths.min() : lengths.max()) ?? .zero)
        }
        return longest
    }
}
