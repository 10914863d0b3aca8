import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Layout
@testable import Player
@testable import SimulatedWall

/// Connections to live sources, which last as long as a tile plays them, and are released before they are made anew.
@Suite struct LiveConnectionTests {
    private let live = FakeClip(frames: 25 * 600, rate: 25, madeFrom: .seconds(40))
    private let sources = ["udp://a", "udp://b", "udp://c"]

    private func wall(_ sequences: [[String]], _ change: (inout Layout) -> Void = { _ in }) -> Simulation {
        var layout = Layout.of(sequences)
        change(&layout)
        var clips = ["film": FakeClip(frames: 60)]
        for source in sources { clips[source] = live }
        return Simulation(layout, clips: clips)
    }

    private func openings(_ world: Simulation) -> [Int] { sources.map { world.openRequests[$0] ?? 0 } }

    @Test func pictureInPictureDisconnectsNoCamera() {
        var world = wall(sources.map { [$0] } + [["film"]])
        world.run(for: .seconds(3))
        world.act { $0.player.note(.pictureInPictureShows(0), at: $1) }
        world.run(for: .seconds(20))
        // A film gives its pipeline up.
        expect(world.wall.feeds[3].hasSeat, equals: false)
        world.act { $0.player.note(.wallReturns, at: $1) }
        world.run(for: .milliseconds(300))
        world.act { $0.player.note(.pictureInPictureShows(nil), at: $1) }
        world.run(for: .seconds(2))
        expect(openings(world), equals: [1, 1, 1])
        expect(!world.events.contains { if case .stale = $0.what { true } else { false } })
        for tile in 0..<3 { expect(world.slips(tile, cycle: [sources[tile]]), atMost: 1) }
    }

    @Test func zoomingDisconnectsNoCamera() {
        var world = wall(sources.map { [$0] } + [["film"]])
        world.run(for: .seconds(3))
        for tile in [1, 2, 0] as [TileID] {
            world.command(.zoom(.to(tile)))
            world.run(for: .seconds(3))
        }
        world.command(.zoom(.off))
        world.run(for: .seconds(2))
        expect(openings(world), equals: [1, 1, 1])
    }

    @Test(arguments: [Change.goToItem(0), .goToItem(nil), .item(by: 1), .item(by: -1)])
    func goingToTheSameCameraLeavesItConnected(_ command: Change) {
        for sequences in [[["udp://a"]], [["udp://a"], ["udp://a"]]] {
            var world = wall(sequences)
            world.run(for: .seconds(3))
            world.command(command)
            world.run(for: .seconds(3))
            expect(openings(world) == [1, 0, 0] && world.slips(0, cycle: ["udp://a"]) == 0, "\(sequences)")
        }
    }

    @Test func aCameraThatIsOpenedAnewWasReleasedBefore() {
        var world = wall([["udp://a", "film"]]) { $0.tiles[0].play[0].duration = .seconds(30) }
        world.run(for: .seconds(3))
        world.command(.goToItem(0))
        world.run(for: .seconds(3))
        expect(openings(world), equals: [2, 0, 0])
        expect(world.openedTwice.isEmpty, "\(world.openedTwice)")
        expect(world.framesNow[0]?.number ?? 0, above: 25 * 65)
    }

    @Test func aCameraIsReleasedBeforeAnotherTileTakesIt() {
        var world = wall([["udp://a"]])
        world.run(for: .seconds(3))
        var layout = Layout.of([["udp://a"]])
        (layout.tiles[0].id, layout.tiles[0].offset) = ("other", .seconds(1))
        world.apply(layout)
        world.run(for: .seconds(3))
        expect(openings(world) == [2, 0, 0] && world.openedTwice.isEmpty, "\(world.openedTwice)")
        expect(world.frameNow("other")?.number ?? 0, above: 25 * 65)
    }

    // MARK: cameras that are lost behind another tile

    private func silent(_ world: inout Simulation, _ source: String, for length: Time) {
        world.clips[source]!.isSilent = world.now..<world.now + length
    }

    private func notices(_ world: Simulation) -> [[String]] { world.notices.map(\.lines) }

    @Test func aCameraThatIsLostBehindAZoomedTileIsNamed() throws {
        var world = wall(sources.map { [$0] })
        world.run(for: .seconds(3))
        world.command(.zoom(.to(0)))
        world.run(for: .seconds(1))
        silent(&world, "udp://b", for: .seconds(60))
        world.run(for: .seconds(4))
        silent(&world, "udp://c", for: .seconds(60))
        world.run(for: .seconds(30))
        expect(notices(world), equals: [["no new frame: tile2"], ["no new frame: tile2, tile3"], []])
        expect((world.notices[2].at - world.notices[1].at - .seconds(10)).magnitude, below: .milliseconds(50))
    }

    @Test func aCameraThatIsBackLeavesTheNotice() {
        var world = wall(sources.map { [$0] })
        world.run(for: .seconds(3))
        world.command(.zoom(.to(0)))
        world.run(for: .seconds(1))
        silent(&world, "udp://b", for: .seconds(8))
        world.run(for: .seconds(9))
        expect(notices(world), equals: [["no new frame: tile2"], []])
    }

    @Test func aCameraThatIsSeenHasItsOwnMark() {
        var world = wall(sources.map { [$0] })
        world.run(for: .seconds(3))
        silent(&world, "udp://b", for: .seconds(60))
        world.run(for: .seconds(10))
        expect(world.notices.isEmpty && world.dims[1]?.last?.isThere == true, "\(world.notices)")
        world.command(.zoom(.to(2)))
        silent(&world, "udp://c", for: .seconds(60))
        world.run(for: .seconds(10))
        expect(world.notices.isEmpty, "\(world.notices)")
    }
}
