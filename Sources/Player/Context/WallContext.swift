import Base
import Feeds
import Layout
import Scene

/// Values that a part of the player reads while it changes the playbacks: the tiles, their places on the screen,
/// and limits that the layout sets.
///
/// A part gets it for one call. Its tables share their storage with those of the player. They are copied only if a tile
/// changes during the call.
struct WallContext: TileParts {
    let now: Time
    let tiles: Tiles
    let magnified: [String: FrameZoom]
    let output: Output
    let limits: Limits
    let watch: Watch
    /// True to keep the decoded samples of every frame, to measure them.
    let keepsSamples: Bool
    /// Tile whose live frames are recorded; nil if none is.
    let recordedTile: TileID?
    /// nil until the clocks may start.
    let beganAt: Time?
    /// Wall time since which the clocks are paused because the wall is hidden; nil while they are not.
    let restsSince: Time?

    /// Limits of decoding that a layout sets.
    struct Limits {
        let quality: Quality
        let frame: FrameLimit
        /// Memory for decoded frames, in MiB.
        let memory: Int

        init(_ layout: Layout) {
            (quality, frame, memory) = (layout.quality, layout.frameLimit, layout.memoryMiB)
        }
    }

    /// After what time live tiles are reported, if they do not state it.
    struct Watch {
        let staleAfter: TimeLimit
        let frozenAfter: TimeLimit

        init(_ layout: Layout) { (staleAfter, frozenAfter) = (layout.staleAfter, layout.frozenAfter) }
    }

    func staleLimit(of tile: TileID) -> Time? { tiles[tile].staleLimit(watch.staleAfter) }
    func frozenLimit(of tile: TileID) -> Time? { tiles[tile].frozenLimit(watch.frozenAfter) }

    /// Returns the place of an item as events report it. A break is not part of the sequence.
    func place(ofItem place: ItemPlace, of feed: Feed) -> Event.TroublePlace {
        guard place.isOnTop, let top = feed.timeline.top else { return .item(place.item) }
        return .ofBreak(top.name)
    }
}
