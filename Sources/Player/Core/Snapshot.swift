import Base
import Feeds

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
    var needs: FeatureNeeds { player.needs }
    var startDelay: Time { player.startDelay }
    var soundLag: Time { player.soundLag }
    var beganAt: Time? { player.beganAt }
    var restsSince: Time? { player.restsSince }
    var output: Output { player.output }
    var openRequests: OpenRequests { player.openRequests }
}

extension Snapshot {
    /// True if no tile has an item or compares others.
    var playsNothing: Bool { tiles.order.allSatisfy { tiles[$0].items.isEmpty && tiles[$0].comparison == nil } }
}

extension PlayerCore {
    /// The player as it is now.
    func snapshot(at now: Time) -> Snapshot { Snapshot(player: self, now: now) }
}

/// A function of the player at one instant.
protocol SnapshotReader: PlayerParts {
    var snapshot: Snapshot { get }
}

extension SnapshotReader {
    var now: Time { snapshot.now }
    var layouts: Layouts { snapshot.player.layouts }
    var clocks: Clocks { snapshot.player.clocks }
    var feeds: Table<FeedID, Feed> { snapshot.player.feeds }
    var tiles: Tiles { snapshot.player.tiles }
    var pool: Pool { snapshot.player.pool }
    var audioState: AudioState { snapshot.player.audioState }
    var needs: FeatureNeeds { snapshot.player.needs }
    var startDelay: Time { snapshot.player.startDelay }
    var soundLag: Time { snapshot.player.soundLag }
    var beganAt: Time? { snapshot.player.beganAt }
    var restsSince: Time? { snapshot.player.restsSince }
    var output: Output { snapshot.player.output }
    var openRequests: OpenRequests { snapshot.player.openRequests }
}
