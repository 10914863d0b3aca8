import Base
import Decoded
import Feeds
import Layout

/// The feeds of the wall on its tiles, for one call: brings the frames that the feeds hold to the tiles, and emits what
/// happens there.
///
/// The tiles are those at the beginning of the call. Their table is copied only if a tile changes during the call.
struct Playout: TilesOnWall {
    let now: Time
    let limits: Limits
    let needs: FeatureNeeds
    let output: Output
    let tiles: Tiles
    let transport: Transport

    /// Limits that a layout sets.
    struct Limits {
        /// nil if the layout does not state it.
        let quality: Quality?
        let frame: FrameLimit
        /// Memory for decoded frames, in MiB.
        let memory: Int
        /// Times after which live tiles are reported as stale or frozen, unless a tile states its own.
        let staleAfter: TimeLimit
        let frozenAfter: TimeLimit

        init(_ layout: Layout) {
            (quality, frame, memory) = (layout.quality, layout.frameLimit, layout.memoryMiB)
            (staleAfter, frozenAfter) = (layout.staleAfter, layout.frozenAfter)
        }
    }

    /// The surroundings of a feed at this instant.
    func context(of feed: Feed) -> PlaybackContext { transport.context(of: feed, at: now) }

    /// A feed's part of the memory for decoded frames, in bytes.
    var shareOfMemory: Int { limits.memory << 20 / max(1, feeds.count { $0.hasSeat }) }

    /// Age from which the frame of a live feed on this tile is old; nil for never.
    func staleLimit(of tile: TileID, _ feed: Feed) -> Time? {
        (tiles[tile].layout.staleAfter ?? limits.staleAfter).time.map { $0 + feed.fetchInterval }
    }

    /// Time with the same frame after which a live tile is reported as frozen; nil if it never is.
    func frozenLimit(of tile: TileID) -> Time? { (tiles[tile].layout.frozenAfter ?? limits.frozenAfter).time }

    /// Returns the place of an item as events report it. A break is not part of the sequence.
    func place(ofItem place: ItemPlace, of feed: Feed) -> Event.TroublePlace {
        feed.timeline.layer(place.layer).map { .ofBreak($0.name) } ?? .item(place.item)
    }
}

/// The tiles of a wall with their places, and the feeds and clocks that they follow, for each type that has them.
protocol TilesOnWall {
    var tiles: Tiles { get }
    var output: Output { get }
    var transport: Transport { get }
}

extension TilesOnWall {
    var clocks: Clocks { transport.clocks }
    var feeds: Table<FeedID, Feed> { transport.feeds }
    var outbox: Outbox { transport.outbox }
    var beganAt: Time? { transport.beganAt }
    var restsSince: Time? { transport.restsSince }
    var focus: TileID? { tiles.focus }
    var focusedFeed: FeedID? { tiles.focusedFeed }

    /// Returns the topmost tile at a point of the window.
    func tile(at point: Point) -> TileID? { output.tile(at: point, of: tiles.order) }

    /// Returns the feed that a tile shows.
    func feed(of tile: TileID) -> Feed { feeds[tiles[tile].feed] }

    /// Returns the feed's group, with the clock that the feed follows.
    func group(of feed: Feed) -> Group { transport.group(of: feed) }

    /// Returns the magnified part of a tile's frame, in fractions of the part that its layout shows.
    func shownPart(of tile: TileID) -> Fractions { output.magnifiedPart(ofGroup: tiles[tile].layout.group) }
}

/// Requests of features to the player, beside the frames that are shown.
struct FeatureNeeds {
    /// True to keep the decoded samples of every frame, to measure them.
    var keepsSamples = false
    /// True to show nothing while a tile that watches others lacks one of their frames.
    var showsOnlyWholeTiles = false
    /// Tile whose live frames are recorded; nil if none is.
    var recordedTile: TileID?
    /// Frames of that tile, in order of arrival, until the recorder takes them.
    private(set) var recorded: [TakeFrame] = []
    /// Tile whose frames are decoded in their own size, to save one; nil if there is none.
    var fullSizeTile: TileID?
    /// Most frames that wait for the recorder. Further ones are dropped.
    private static let mostRecorded = 32

    mutating func record(_ frame: TakeFrame) { if recorded.count < Self.mostRecorded { recorded.append(frame) } }

    mutating func takeRecorded() -> [TakeFrame] {
        defer { recorded = [] }
        return recorded
    }
}

/// A frame of a live source, and its place among the samples that are recorded with it.
public struct TakeFrame: Sendable {
    public let frame: Frame
    /// Time on the timeline of `SongPlan.Place.media`.
    public let place: Time
}
