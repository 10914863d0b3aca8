import Base
import Layout

/// Compares the number of feeds with the number of pipelines, and finds the tiles that have to wait.
public struct PipelineShortage {
    let feeds: Int
    let pipelines: Int
    private let overflow: Overflow
    private let feedOfTile: [Int]
    private let focused: Int
    /// Feeds that play at first; all if there are enough pipelines.
    private let holders: Set<Int>

    public init(_ whole: Layout, pipelines: Int) {
        let layout = whole.ofPlayingTiles
        (overflow, self.pipelines) = (layout.overflow, pipelines)
        let places = whole.feedsOfPlayingTiles
        (feedOfTile, feeds) = (places, Set(places).count)
        focused = layout.tiles.isEmpty ? 0 : places[layout.audio.focus]
        var areas = Array(repeating: 0, count: feeds)
        for (place, rect) in zip(places, TileGeometry.rects(of: layout, in: layout.window.size)) {
            areas[place] = max(areas[place], rect.area)
        }
        holders = Seats.holders(
            sizes: Array(repeating: 1, count: feeds), seats: pipelines, overflow: overflow, focus: focused,
            areas: areas, at: .zero)
    }

    /// True if tiles take turns.
    var rotates: Bool { if case .rotate = overflow { true } else { false } }

    /// Pipelines beyond one for each feed.
    var spare: Int { pipelines - feeds }

    private var much: String { "\(feeds) feeds share \(pipelines) pipeline\(pipelines == 1 ? "" : "s")" }

    private func remedy(_ orAuto: String) -> String {
        feeds <= 64 ? "--pipelines \(feeds)\(orAuto) plays all of them" : "at most 64 play at once"
    }

    /// Message about the whole wall; nil if all feeds play.
    public var words: String? {
        spare < 0 ? "\(much): \(-spare) at a time stand still; \(remedy(", or auto,"))" : nil
    }

    /// The same as a short text for the wall, in the words of somebody who has given films on the command line.
    public var notice: String? { spare < 0 ? "\(pipelines) of \(feeds) play at a time; \(remedy(""))" : nil }

    func reason(for tile: Int) -> SeamReason? {
        let plays = rotates ? feedOfTile[tile] == focused : holders.contains(feedOfTile[tile])
        guard spare < 0, !plays else { return nil }
        let fate = rotates && pipelines > 1 ? "takes turns with the others" : "never plays"
        return SeamReason(code: .turns, words: "\(much): this tile \(fate); \(remedy(", or auto,"))")
    }
}

/// Message about tiles that stay on a frame, said once until a layout needs another one.
public struct ShortageMessage: Sendable {
    private var last: String?

    public init() {}

    /// Returns the message about a layout that is shown now; nil if there is none, or if the layout before had the same.
    public mutating func next(_ layout: Layout, pipelines: Int) -> String? {
        let words = PipelineShortage(layout, pipelines: pipelines).words
        return exchange(&last, with: words) == words ? nil : words
    }
}

extension Layout {
    /// Number of the feed of each playing tile. Tiles that play the same share one.
    public var feedsOfPlayingTiles: [Int] {
        var known: [FeedKey: Int] = [:]
        return playingTiles.map { tile in
            let feed = known[FeedKey(tile)] ?? known.count
            known[FeedKey(tile)] = feed
            return feed
        }
    }
}
