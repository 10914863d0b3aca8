import Base
import Feeds
import Layout

/// The player at one instant, for those who ask it: features, reports, properties.
///
/// A snapshot is read within the call that makes it, under the wall's lock. It sees the feeds and clocks themselves, not
/// copies of them. What is kept longer are the values that a report returns.
public struct Snapshot {
    let player: PlayerCore
    let now: Time

    var layouts: Layouts { player.layouts }
    /// Layout as it was applied. The present tiles are in `tiles`, volume and delay in `audioState`.
    var layout: Layout { player.layout }
    var tileFeeds: TileFeeds { player.tileFeeds }
    var transport: Transport { player.transport }
    var clocks: Clocks { player.clocks }
    var feeds: Table<FeedID, Feed> { player.feeds }
    var tiles: Tiles { player.tiles }
    var pool: Pool { player.pool }
    var audioState: AudioState { player.audioState }
    var needs: FeatureNeeds { player.needs }
    var output: Output { player.output }
    var openRequests: OpenRequests { player.openRequests }
    var beganAt: Time? { player.beganAt }
    var restsSince: Time? { player.restsSince }
    var focus: TileID? { tiles.focus }
    var focusedFeed: FeedID? { tiles.focusedFeed }

    /// Returns the topmost tile at a point of the window.
    func tile(at point: Point) -> TileID? { player.tile(at: point) }

    /// Returns the tiles whose layout names this group, in the layout's order.
    public func tiles(inGroup name: String) -> [TileID] { tiles.order.filter { tiles[$0].layout.group == name } }

    /// Returns the shape of a tile's frame, or of its rect until it has a frame.
    public func shape(of tile: TileID) -> Size {
        feed(of: tile).screen.last?.frame.natural ?? output.rect(of: tile).size
    }

    /// Returns the feed that a tile shows.
    func feed(of tile: TileID) -> Feed { tileFeeds.feed(of: tile) }

    /// The surroundings of a feed at this instant.
    func context(of feed: Feed) -> PlaybackContext { transport.context(of: feed, at: now) }

    /// Returns the feed's group, with the clock that the feed follows.
    func group(of feed: Feed) -> Group { transport.group(of: feed) }

    /// Returns the magnified part of a tile's frame, in fractions of the part that its layout shows.
    func shownPart(of tile: TileID) -> Fractions { output.magnifiedPart(ofGroup: tiles[tile].layout.group) }

    /// True if no tile has an item or watches others.
    var playsNothing: Bool { tiles.order.allSatisfy { tiles[$0].items.isEmpty && tiles[$0].watch == nil } }
}

extension PlayerCore {
    /// The player as it is now.
    func snapshot(at now: Time) -> Snapshot { Snapshot(player: self, now: now) }

    /// Layout as it was applied. The present tiles are in `tiles`, volume and delay in `audioState`.
    var layout: Layout { layouts.applied }
    var focus: TileID? { tiles.focus }
    var focusedFeed: FeedID? { tiles.focusedFeed }

    /// Returns the topmost tile at a point of the window.
    func tile(at point: Point) -> TileID? { output.tile(at: point, of: tiles.order) }
}
