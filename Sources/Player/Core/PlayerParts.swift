import Base
import Feeds
import Layout
import Scene

/// The parts of a player, to read: those of the player itself, or of a snapshot.
protocol PlayerParts: PlayedParts, ShownParts {
    var layouts: Layouts { get }
    var pool: Pool { get }
    var audioState: AudioState { get }
    var needs: FeatureNeeds { get }
    var beganAt: Time? { get }
    var restsSince: Time? { get }
    var openRequests: OpenRequests { get }
}

extension PlayerParts {
    /// Layout as it was applied. The present tiles are in `tiles`, volume and delay in `audioState`.
    var layout: Layout { layouts.applied }
    /// The tile that fills the wall.
    var zoomedTile: TileID? { output.zoomed }

    /// Returns the topmost tile at a point of the window.
    func tile(at point: Point) -> TileID? { output.tile(at: point, of: tiles.order) }
}
