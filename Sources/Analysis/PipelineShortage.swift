import Base
import Layout

/// Compares the number of feeds with the number of pipelines, and finds the tiles that have to wait.
struct PipelineShortage {
    let feeds: Int
    let pipelines: Int
    private let overflow: Overflow
    private let feedOfTile: [Int]
    private let focused: Int
    /// Feeds that play at first; all if there are enough pipelines.
    private let holders: Set<Int>

    init(_ whole: Layout, pipelines: Int) {
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

    /// Pipelines beyond one for each feed.
    var spare: Int { pipelines - feeds }

    private var much: String {
        "\(feeds) feeds share \(pipelines) pipeline\(pipelines == 1 ? "" : "s")"
    }

    private var remedy: String {
        feeds <= 64 ? "; --pipelines \(feeds), or auto, plays all of them" : "; at most 64 play at once"
    }

    /// Message about the whole wall; nil if all feeds play.
    var words: String? {
        spare < 0 ? "\(much): \(-spare) at a time stand still\(remedy)" : nil
    }

    /// The same in the words of somebody who has given films on the command line.
    var notice: String? {
        guard spare < 0 else { return nil }
        let remedy = feeds <= 64 ? "--pipelines \(feeds) plays all of them" : "at most 64 play at once"
        return "\(pipelines) of \(feeds) play at a time; \(remedy)"
    }

    func reason(for tile: Int) -> SeamReason? {
        guard spare < 0 else { return nil }
        let words: String
        switch overflow {
        case .rotate:
            if feedOfTile[tile] == focused { return nil }
            words =
                pipelines > 1
                ? "\(much): this tile takes turns with the others\(remedy)"
                : "\(much): this tile never plays\(remedy)"
        case .first, .largest:
            if holders.contains(feedOfTile[tile]) { return nil }
            words = "\(much): this tile never plays\(remedy)"
        }
        return SeamReason(code: .turns, words: words, remedy: nil)
    }
}

/// Message about tiles that stay on a frame, said once until a layout needs another one.
public struct ShortageMessage: Sendable {
    private var last: String?

    public init() {}

    /// Returns the message about a layout that is shown now; nil if there is none, or if the layout before had the same.
    public mutating func next(_ layout: Layout, pipelines: Int) -> String? {
        let words = layout.shortage(ofPipelines: pipelines)
        defer { last = words }
        return words == last ? nil : words
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

    /// Message about tiles that stay on a frame with this many pipelines, and the remedy; nil if there are none.
    public func shortage(ofPipelines pipelines: Int) -> String? {
        PipelineShortage(self, pipelines: pipelines).words
    }

    /// The same as a short text for the wall.
    public func noticeOfShortage(ofPipelines pipelines: Int) -> String? {
        PipelineShortage(self, pipelines: pipelines).notice
    }
}
