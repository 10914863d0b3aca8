@testable import Base
@testable import Commands
@testable import Feeds
@testable import Layout
@testable import Player
@testable import Scene

// Short forms of questions that tests ask a wall.
extension Wall {
    // MARK: parts of the player

    var tiles: Tiles { player.tiles }
    var feeds: Table<FeedID, Feed> { player.feeds }
    var clocks: Clocks { player.clocks }
    var breaks: Breaks { features[Breaks.self] }
    var pool: Pool { player.pool }
    var openRequests: OpenRequests { player.openRequests }
    var output: Output { player.output }
    var audioState: AudioState { player.audioState }
    var health: [(tile: String, health: Health)] { player.health }
    var missCount: Int { player.missCount }
    var nextUpdate: Time? { player.nextUpdate }
    var zoomedTile: TileID? { player.zoomedTile }

    func tile(named name: String) -> TileID? { player.tile(named: name) }
    func layout(of tile: TileID) -> TileLayout { player.layout(of: tile) }
    func whyUnheard(_ tile: TileID) -> Unheard? { player.whyUnheard(tile) }

    // MARK: reports

    func property(_ name: String, of tile: TileID? = nil, at now: Time) -> PropertyReport.Reading {
        PropertyReport(self, at: now).property(name, of: tile)
    }

    func property(_ name: String, ofGroup group: String, at now: Time) -> PropertyReport.Reading {
        PropertyReport(self, at: now).property(name, ofGroup: group)
    }

    func soundScene(at now: Time) -> SoundScene { SoundSceneMaker(player.snapshot(at: now)).soundScene() }
    func isSettled(at now: Time) -> Bool { SettledReport(player.snapshot(at: now)).isSettled() }
    func saved(at now: Time) -> SaveReport { SaveReport(player.snapshot(at: now)) }
    func outlook(at now: Time) -> OutlookReport { OutlookReport(player.snapshot(at: now)) }

    var changesByHand: LayoutTextChanges { saved(at: .zero).changesByHand }
    var layoutText: String { saved(at: .zero).layoutText }
    var isMoving: Bool { outlook(at: .zero).isMoving }
    var isBarren: Bool { outlook(at: .zero).isBarren }
    var awaitsShapes: Bool { outlook(at: .zero).awaitsShapes }
    var files: Set<String> { outlook(at: .zero).files }
    func showsWhatItCan(at now: Time) -> Bool { HealthReport(player.snapshot(at: now)).showsWhatItCan() }
    func reason(against command: Command, on named: TileID?) -> String {
        RefusalReport(self, at: .zero).reason(against: command, on: named)
    }
    func reason(_ error: ControlError, of path: String) -> String? {
        RefusalReport(self, at: .zero).reason(error, of: path)
    }
    func complaint(aboutTile name: String) -> String { RefusalReport(self, at: .zero).complaint(aboutTile: name) }
}

extension Wall {
    /// Advances all feeds and returns the scene, as each present does. `next`: wall time at which the scene changes; nil
    /// if only an event changes it.
    public mutating func composeScene(at now: Time) -> (scene: Scene, next: Time?) {
        let due = advance(at: now)
        return (scene(of: due, at: now), due.next)
    }
}
