@testable import Base
@testable import Commands
@testable import Feeds
@testable import Heard
@testable import Layout
@testable import Player
@testable import Scene

// Short forms of changes that tests make of a wall, and of questions that they ask.
extension Wall {
    // MARK: changes

    /// Returns false if the change was refused. `tile`: nil for the focused one.
    @discardableResult
    mutating func carryOut(_ change: Change, on tile: TileID? = nil, at now: Time) -> Bool {
        apply(change, to: tile.map { .tile($0) } ?? .focused, at: now) == nil
    }

    mutating func changeProperty(
        _ path: String, _ step: Change.PropertyChange, of tile: TileID?, _ scope: Change.Scope, at now: Time
    ) -> ControlError? { apply(.property(path, step, scope), to: tile.map { .tile($0) } ?? .focused, at: now) }

    mutating func set(
        _ path: String, to value: PropertyValue, of tile: TileID? = nil, alone scope: Change.Scope = .group,
        at now: Time
    ) -> ControlError? { changeProperty(path, .set(value), of: tile, scope, at: now) }

    mutating func set(
        _ name: String, to value: PropertyValue, ofGroup group: String, at now: Time
    ) -> ControlError? { set("groups/\(group)/\(name)", to: value, at: now) }

    // MARK: parts of the player

    var tiles: Tiles { player.tiles }
    var feeds: Table<FeedID, Feed> { player.feeds }
    var clocks: Clocks { player.clocks }
    var breaks: Breaks { features[Breaks.self] }
    var pool: Pool { player.pool }
    var openRequests: OpenRequests { player.openRequests }
    var output: Output { player.output }
    var audioState: AudioState { player.audioState }
    var missCount: Int { player.missCount }
    var zoomedTile: TileID? { player.output.zoomed }

    func whyUnheard(_ tile: TileID) -> Unheard? { player.snapshot(at: .zero).whyUnheard(tile) }

    // MARK: reports

    func property(_ name: String, of tile: TileID? = nil, at now: Time) -> WallReport.Reading {
        WallReport(self, at: now).value(at: name, of: tile)
    }

    func property(_ name: String, ofGroup group: String, at now: Time) -> WallReport.Reading {
        WallReport(self, at: now).value(at: "groups/\(group)/\(name)", of: nil)
    }

    func soundScene(at now: Time) -> SoundScene { player.snapshot(at: now).soundScene() }
    func isSettled(at now: Time) -> Bool { player.snapshot(at: now).isSettled() }
    func outlook(at now: Time) -> Snapshot { player.snapshot(at: now) }

    var changesByHand: LayoutTextChanges { LayoutTextChanges(from: givenLayout, to: presentLayout) }
    var layoutText: String { String(decoding: givenLayout.text(playing: presentLayout), as: UTF8.self) }
    var isMoving: Bool { outlook(at: .zero).isMoving }
    var isBarren: Bool { outlook(at: .zero).isBarren }
    var awaitsShapes: Bool { outlook(at: .zero).awaitsShapes }
    var files: Set<String> { outlook(at: .zero).files }
    func showsWhatItCan(at now: Time) -> Bool { HealthReport(player.snapshot(at: now)).showsWhatItCan() }
    func reason(against command: Change, on named: TileID?) -> String {
        WallReport(self, at: .zero).reason(against: command, on: named)
    }
    func reason(_ error: ControlError, of path: String) -> String? {
        WallReport(self, at: .zero).reason(error, of: path)
    }
    func complaint(aboutTile name: String) -> String { WallReport(self, at: .zero).complaint(aboutTile: name) }
}

extension Wall {
    /// Advances all feeds and returns the scene, as each present does. `next`: wall time at which the scene changes; nil
    /// if only an event changes it.
    public mutating func composeScene(at now: Time) -> (scene: Scene, next: Time?) {
        let due = advance(at: now)
        return (scene(of: due, at: now), due.next)
    }
}
