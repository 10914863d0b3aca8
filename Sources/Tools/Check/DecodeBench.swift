import Analysis
import Base
import Engine
import Layout
import Media
import Threads

/// Measures what the films of layouts take to decode on this machine. All measurements together are bounded, however
/// many films and layouts there are: the largest film of each tile comes first. Equal films are measured once.
final class DecodeBench {
    /// nil for the size that each layout states.
    private let windowSize: Size?
    /// Time left for measurements, in nanoseconds.
    private var left: Int64 = 15_000_000_000
    private var known: [Film: Double?] = [:]

    private static let longest: Int64 = 1_500_000_000
    private static let shortest: Int64 = 200_000_000
    /// Media time that is measured, in the middle of a film.
    private static let media = Time.seconds(3)

    init(windowSize: Size?) { self.windowSize = windowSize }

    /// A stretch of a film, as it is decoded and scaled.
    private struct Film: Hashable {
        let segment: Item.Segment
        let size: Size
        let settings: DecodeSettings
    }

    /// A film of a feed. `rate`: seconds of media for each second of the wall.
    private struct Place {
        let feed: Int
        let film: Film
        let rate: Double
        let storage: Size
        let length: Time
    }

    /// Results for one layout.
    struct Outcome {
        let judge: DecodeJudge
        let measured: Int
        /// Number of films for which no time was left, or that gave no frames in time.
        let unmeasured: Int
    }

    /// Measures the films of a layout. `whole`: the layout with the places of its comparing tiles.
    func outcome(_ whole: Layout, pipelines: Int, _ facts: (String) -> SourceFacts?) -> Outcome {
        let layout = whole.ofPlayingTiles, feeds = whole.feedsOfPlayingTiles
        let seats = max(1, min(pipelines, Set(feeds).count))
        let places = zip(whole.tiles.map { $0.id }, TileGeometry.rects(of: whole, in: windowSize ?? whole.window.size))
        // A compared source is shown in the place of the tile that compares it.
        let rects = Dictionary(places) { first, _ in first }
        let byFeed = Set(feeds).sorted().map { films(of: $0, layout, feeds, rects, facts) }
        let mostOfFeed = byFeed.map(\.count).max() ?? 0
        let ranked = (0..<mostOfFeed).flatMap { rank in byFeed.filter { $0.count > rank }.map { $0[rank] } }
        var loads: [Int: DecodeJudge.Load] = [:]
        var (measured, unmeasured) = (0, 0)
        for (index, place) in ranked.enumerated() {
            guard let taken = cost(of: place, among: ranked.count - index) else {
                unmeasured += 1
                continue
            }
            measured += 1
            let load = DecodeJudge.Load(
                source: place.film.segment.source, cores: taken * place.rate,
                threads: decoderThreads(for: place.storage, beside: seats))
            for tile in feeds.indices where feeds[tile] == place.feed && load.cores > loads[tile]?.cores ?? -1 {
                loads[tile] = load
            }
        }
        return Outcome(
            judge: DecodeJudge(whole, loads, pipelines: pipelines, cores: coreCount), measured: measured,
            unmeasured: unmeasured)
    }

    /// Returns the films of a feed, the largest first.
    private func films(
        of feed: Int, _ layout: Layout, _ feeds: [Int], _ rects: [String: Rect], _ facts: (String) -> SourceFacts?
    ) -> [Place] {
        let tiles = layout.tiles.indices.filter { feeds[$0] == feed }.map { layout.tiles[$0] }
        guard let first = tiles.first else { return [] }
        let groupRate = layout.groups.first { $0.name == first.group }?.rate ?? .one
        var found: [Film: Place] = [:]
        for (index, item) in first.play.enumerated() {
            for segment in item.segments {
                guard let facts = facts(segment.source), facts.kind == .video, !facts.isDrawn, facts.isAtHand,
                    let length = facts.length, segment.start < length
                else { continue }
                let settings = item.inTile(first.decoding).look.decoding
                let views = tiles.map { tile in
                    (
                        rect: rects[tile.comparedBy ?? tile.id] ?? Rect(0, 0, 0, 0),
                        fit: tile.comparedBy == nil ? tile.fit : Fit.cover,
                        crop: tile.play.indices.contains(index)
                            ? tile.play[index].crop.part(of: facts.stored) : Fractions.all
                    )
                }
                let size = TileGeometry.decodeSize(natural: facts.natural, turn: settings.turn, views: views)
                let film = Film(segment: segment, size: size, settings: settings)
                guard found[film] == nil else { continue }
                found[film] = Place(
                    feed: feed, film: film, rate: segment.rate.value * item.rate.value * groupRate.value,
                    storage: facts.storage, length: length)
            }
        }
        return found.values.sorted { a, b in
            (b.storage.width * b.storage.height, a.film.segment.source)
                < (a.storage.width * a.storage.height, b.film.segment.source)
        }
    }

    /// Returns the seconds of one core that a second of a film takes; nil if there is no time to measure it, or if it
    /// can't be measured. `count`: number of films that are left.
    private func cost(of place: Place, among count: Int) -> Double? {
        if let cost = known[place.film] { return cost }
        guard left > 0 else { return nil }
        let segment = place.film.segment, settings = place.film.settings, size = place.film.size
        let end = min(segment.end ?? place.length, place.length)
        let from = max(segment.start, segment.start + (end - segment.start - Self.media) / 2)
        let limit = min(Self.longest, max(Self.shortest, left / Int64(count)))
        let began = monotonicNanoseconds()
        let task = TimedTask { deadline throws(SourceTrouble) in
            try DecodeTiming.cost(
                segment.source, from: from, until: min(end, from + Self.media), settings: settings, size: size,
                limit: limit, deadline: deadline)
        }
        let cost = try? task.value(within: 2 * limit + 1_000_000_000)
        left -= monotonicNanoseconds() - began
        known[place.film] = .some(cost)
        return cost
    }
}
