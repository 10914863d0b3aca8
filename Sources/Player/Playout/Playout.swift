import Base
import Feeds
import Layout

/// Values that a part of the player reads while it changes tiles and feeds: the screen, and limits that the layout
/// sets.
struct WallConditions {
    let now: Time
    let output: Output
    let limits: Limits
    let watch: Watch
    /// True to keep the decoded samples of every frame, to measure them.
    let keepsSamples: Bool
    /// Tile whose live frames are recorded; nil if none is.
    let recordedTile: TileID?
    /// Tile whose frames are decoded in their own size; nil if there is none.
    let fullSizeTile: TileID?

    /// Limits of decoding that a layout sets.
    struct Limits {
        /// nil if the layout does not state it.
        let quality: Quality?
        let frame: FrameLimit
        /// Memory for decoded frames, in MiB.
        let memory: Int

        init(_ layout: Layout) { (quality, frame, memory) = (layout.quality, layout.frameLimit, layout.memoryMiB) }
    }

    /// Times after which live tiles are reported as stale or frozen, unless a tile states its own.
    struct Watch {
        let staleAfter: TimeLimit
        let frozenAfter: TimeLimit

        init(_ layout: Layout) { (staleAfter, frozenAfter) = (layout.staleAfter, layout.frozenAfter) }
    }

    /// Returns these conditions with a changed output.
    func showing(_ output: Output) -> WallConditions {
        WallConditions(
            now: now, output: output, limits: limits, watch: watch, keepsSamples: keepsSamples,
            recordedTile: recordedTile, fullSizeTile: fullSizeTile)
    }
}

/// The feeds of the wall on its tiles, for one call: brings the frames that the feeds hold to the tiles, and emits what
/// happens there.
///
/// The tiles are those at the beginning of the call. Their table is copied only if a tile changes during the call.
struct Playout {
    private let conditions: WallConditions
    let tiles: Tiles
    let transport: Transport

    init(_ conditions: WallConditions, _ tiles: Tiles, _ transport: Transport) {
        (self.conditions, self.tiles, self.transport) = (conditions, tiles, transport)
    }

    var feeds: Table<FeedID, Feed> { transport.feeds }
    var outbox: Outbox { transport.outbox }
    var beganAt: Time? { transport.beganAt }
    var restsSince: Time? { transport.restsSince }
    var now: Time { conditions.now }
    var output: Output { conditions.output }
    var limits: WallConditions.Limits { conditions.limits }
    var keepsSamples: Bool { conditions.keepsSamples }
    var recordedTile: TileID? { conditions.recordedTile }
    var fullSizeTile: TileID? { conditions.fullSizeTile }

    /// Returns the magnified part of a tile's frame, in fractions of the part that its layout shows.
    func shownPart(of tile: TileID) -> Fractions { output.magnifiedPart(ofGroup: tiles[tile].layout.group) }

    /// Age from which the frame of a live feed on this tile is old; nil for never.
    func staleLimit(of tile: TileID, _ feed: Feed) -> Time? {
        tiles[tile].staleLimit(conditions.watch.staleAfter).map { $0 + feed.fetchInterval }
    }
    func frozenLimit(of tile: TileID) -> Time? { tiles[tile].frozenLimit(conditions.watch.frozenAfter) }

    /// Returns the place of an item as events report it. A break is not part of the sequence.
    func place(ofItem place: ItemPlace, of feed: Feed) -> Event.TroublePlace {
        feed.timeline.layer(place.layer).map { .ofBreak($0.name) } ?? .item(place.item)
    }
}
