import Base
import Layout

/// Judges which tiles of a layout a machine can't decode in time, by what their films were measured to take. Pure.
public struct DecodeJudge {
    /// The most expensive film of a tile.
    public struct Load: Sendable, Equatable {
        public var source: String
        /// Seconds of one core for each second of the wall.
        public var cores: Double
        /// Number of cores that its decoder can use at once.
        public var threads: Int

        public init(source: String, cores: Double, threads: Int) {
            (self.source, self.cores, self.threads) = (source, cores, threads)
        }
    }

    /// Share of the cores that films may take. Sound, the display and the system take the rest.
    static let share = 0.9

    /// Cores of this machine.
    public let cores: Int
    /// Cores that the tiles take which play at the same time, while each shows its most expensive film.
    public let needed: Double
    /// The most expensive film of each tile, as far as one was measured.
    public let loads: [Int: Load]
    private let feeds: [Int]
    /// Reasons by feed.
    private var faults: [Int: String] = [:]

    /// `loads`: by index among the playing tiles. Tiles that share a feed have one load.
    public init(_ whole: Layout, _ loads: [Int: Load], pipelines: Int, cores: Int) {
        let layout = whole.ofPlayingTiles
        let feeds = whole.feedsOfPlayingTiles
        (self.cores, self.loads, self.feeds) = (cores, loads, feeds)
        var ofFeed: [Int: Load] = [:]
        for (tile, load) in loads where load.cores > ofFeed[feeds[tile]]?.cores ?? -1 { ofFeed[feeds[tile]] = load }
        let order = Self.order(layout, feeds, ofFeed, pipelines)
        needed = order.reduce(0) { $0 + (ofFeed[$1]?.cores ?? 0) }
        var taken = 0.0
        for feed in order {
            guard let load = ofFeed[feed] else { continue }
            let takes = "\(SourceName.withoutSecrets(load.source)) takes \(fixed(load.cores, 2))"
            if load.cores > Double(load.threads) {
                let have = load.threads == 1 ? "one core" : "\(load.threads) cores"
                faults[feed] = "\(takes) s of processor time for each second, more than \(have) can give"
            } else if taken + load.cores > Self.share * Double(cores) {
                faults[feed] = "\(takes) of \(cores) cores, and the tiles before it take \(fixed(taken, 2))"
            } else {
                taken += load.cores
            }
        }
    }

    /// Returns the feeds that play at the same time: the focused one, then the others in the layout's order. If tiles
    /// take turns, the most expensive ones count.
    private static func order(_ layout: Layout, _ feeds: [Int], _ loads: [Int: Load], _ pipelines: Int) -> [Int] {
        let crowd = PipelineShortage(layout, pipelines: pipelines)
        let focused = layout.tiles.isEmpty ? [] : [feeds[layout.audio.focus]]
        var others: [Int] = []
        for (tile, feed) in feeds.enumerated() where !focused.contains(feed) && !others.contains(feed) {
            if crowd.rotates || crowd.reason(for: tile) == nil { others.append(feed) }
        }
        guard crowd.spare < 0 else { return focused + others }
        others.sort { (loads[$1]?.cores ?? 0, $0) < (loads[$0]?.cores ?? 0, $1) }
        return Array((focused + others).prefix(pipelines))
    }

    /// Returns why a tile is not decoded in time; nil if it is, or if its films were not measured.
    public func fault(of tile: Int) -> String? { faults[feeds[tile]] }
}
