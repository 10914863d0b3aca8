import Base
import Layout
import Scene

/// The parts of a player, to read: those of the player itself, or of a snapshot.
protocol PlayerParts {
    var layouts: Layouts { get }
    var clocks: Clocks { get }
    var feeds: Table<FeedID, Feed> { get }
    var tiles: Tiles { get }
    var pool: Pool { get }
    var audioState: AudioState { get }
    var magnified: [String: FrameZoom] { get }
    var needs: FeatureNeeds { get }
    var beganAt: Time? { get }
    var restsSince: Time? { get }
    var output: Output { get }
    var openRequests: OpenRequests { get }
    var breaks: Breaks { get }
}

extension PlayerParts {
    /// Layout as it was applied. The present tiles are in `tiles`, volume and delay in `audioState`.
    var layout: Layout { layouts.applied }
    var focus: TileID? { tiles.focus }
    var focusedFeed: FeedID? { tiles.focus.map { tiles[$0].feed } }
    /// The tile that fills the wall.
    var zoomedTile: TileID? { output.zoomed }

    /// Returns the topmost tile at a point of the window.
    func tile(at point: Point) -> TileID? { output.tile(at: point, of: tiles.order) }
}

/// The player at one instant.
public struct Snapshot: PlayerParts {
    let player: PlayerCore
    let now: Time

    var layouts: Layouts { player.layouts }
    var clocks: Clocks { player.clocks }
    var feeds: Table<FeedID, Feed> { player.feeds }
    var tiles: Tiles { player.tiles }
    var pool: Pool { player.pool }
    var audioState: AudioState { player.audioState }
    var magnified: [String: FrameZoom] { player.magnified }
    var needs: FeatureNeeds { player.needs }
    var beganAt: Time? { player.beganAt }
    var restsSince: Time? { player.restsSince }
    var output: Output { player.output }
    var openRequests: OpenRequests { player.openRequests }
    var breaks: Breaks { player.breaks }
}

/// A function of the player at one instant.
protocol Report: PlayerParts {
    var snapshot: Snapshot { get }
}

extension Report {
    var now: Time { snapshot.now }
    var layouts: Layouts { snapshot.player.layouts }
    var clocks: Clocks { snapshot.player.clocks }
    var feeds: Table<FeedID, Feed> { snapshot.player.feeds }
    var tiles: Tiles { snapshot.player.tiles }
    var pool: Pool { snapshot.player.pool }
    var audioState: AudioState { snapshot.player.audioState }
    var magnified: [String: FrameZoom] { snapshot.player.magnified }
    var needs: FeatureNeeds { snapshot.player.needs }
    var beganAt: Time? { snapshot.player.beganAt }
    var restsSince: Time? { snapshot.player.restsSince }
    var output: Output { snapshot.player.output }
    var openRequests: OpenRequests { snapshot.player.openRequests }
    var breaks: Breaks { snapshot.player.breaks }
}
