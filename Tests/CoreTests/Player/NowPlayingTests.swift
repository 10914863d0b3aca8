import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Feeds
@testable import Layout
@testable import Player
@testable import SimulatedWall

/// The property `now-playing`, from which a desktop's remote controls are served.
@Suite struct NowPlayingTests {
    private let clips = [
        "a": FakeClip(frames: 90), "b": FakeClip(frames: 600), "still": FakeClip(frames: 1, isStill: true),
    ]

    private func object(_ world: Simulation) throws -> PropertyValue {
        try world.wall.property("now-playing", at: world.now).get()
    }

    @Test func nowPlayingIsTheItemOfTheFocusedTileAndItsNeighbours() throws {
        var world = Simulation(.of([["a", "b"], ["b"]]), clips: clips)
        world.run(for: .seconds(1))
        var object = try object(world)
        expect(object["tile"], equals: .text("tile1"))
        expect(object["place"], equals: .text("0"))
        expect(object["title"], equals: .text("a"))
        expect(object["duration"], equals: .number(3))
        expect(object["loop"], equals: .text("playlist"))
        expect([object["next"], object["previous"]], equals: [.flag(true), .flag(false)])
        world.act { wall, now in wall.carryOut(.item(by: 1), at: now) }
        world.run(for: .seconds(1))
        object = try self.object(world)
        expect([object["place"], object["title"]], equals: [.text("1"), .text("b")])
        expect([object["next"], object["previous"]], equals: [.flag(true), .flag(true)])
        world.act { wall, now in wall.carryOut(.focus(.tile(1)), at: now) }
        object = try self.object(world)
        expect(object["tile"], equals: .text("tile2"))
        // A tile with one item has no other item to go to.
        expect([object["next"], object["previous"]], equals: [.flag(false), .flag(false)])
    }

    @Test func theLastItemOfASequenceThatIsPlayedOnceHasNoNext() throws {
        var world = Simulation(.of([["a", "b"]]) { $0.loop = .iterations(1) }, clips: clips)
        world.run(for: .seconds(4))
        let object = try object(world)
        expect([object["place"], object["loop"]], equals: [.text("1"), .text("none")])
        expect([object["next"], object["previous"]], equals: [.flag(false), .flag(true)])
    }

    @Test func thePositionMovesWithTheClockAndStandsAtTheFrame() throws {
        var world = Simulation(.of([["b"]]), clips: clips)
        world.run(for: .seconds(1))
        let first = try #require(try object(world)["position"]?.asNumber)
        world.run(for: .milliseconds(10))
        let second = try #require(try object(world)["position"]?.asNumber)
        expect(abs(second - first - 0.01), below: 0.0001)
        world.act { wall, now in wall.carryOut(.pause(.on, .group), at: now) }
        let object = try object(world)
        expect(object["state"], equals: .text("paused"))
        expect(object["position"], equals: try world.wall.property("time-pos", at: world.now).get())
    }

    /// The frame of a still is always that at 0.
    @Test func thePositionInAStillMoves() throws {
        var world = Simulation(
            .of([["still"]]) { $0.play[0].duration = .seconds(10) }, clips: clips)
        world.run(for: .seconds(2))
        let position = try #require(try object(world)["position"]?.asNumber)
        expect((1.5...2).contains(position), "\(position)")
        expect(try object(world)["duration"], equals: .number(10))
    }

    @Test func theOtherPropertiesOfTimeMoveInAStillToo() throws {
        var world = Simulation(.of([["still"]]) { $0.play[0].duration = .seconds(10) }, clips: clips)
        world.run(for: .seconds(2))
        func number(_ name: String) throws -> Double {
            try #require(try world.wall.property(name, at: world.now).get().asNumber)
        }
        let position = try number("time-pos")
        expect(try object(world)["position"]?.asNumber, equals: position)
        expect((1.5...2).contains(position), "\(position)")
        expect(abs(try number("percent-pos") - position * 10), below: 0.001)
        expect(abs(try number("time-remaining") - (10 - position)), below: 0.001)
        world.act { wall, now in wall.carryOut(.pause(.on, .group), at: now) }
        let paused = try number("time-pos")
        expect(try object(world)["position"]?.asNumber, equals: paused)
        expect((1.5...2.1).contains(paused), "\(paused)")
    }

    @Test(arguments: ["still", "sound", "a"]) func aSequenceThatIsOverIsAtItsEnd(clip: String) throws {
        var layout = Layout.of([[clip]]) { $0.loop = .iterations(1) }
        if clip == "still" { layout.tiles[0].play[0].duration = .seconds(3) }
        var clips = clips
        clips["sound"] = FakeClip(frames: 90, isSound: true)
        var world = Simulation(layout, clips: clips)
        world.run(for: .seconds(5))
        expect(try world.wall.property("eof-reached", at: world.now).get(), equals: .flag(true))
        let position = try #require(try world.wall.property("time-pos", at: world.now).get().asNumber)
        // A film stays on its last frame.
        expect(abs(position - 3), below: 0.05, "\(position)")
    }

    @Test func aSequenceThatIsOverHasEnded() throws {
        var world = Simulation(.of([["a"]]) { $0.loop = .iterations(1) }, clips: clips)
        world.run(for: .seconds(5))
        expect(try object(world)["state"], equals: .text("ended"))
    }

    @Test func aLiveTileHasNoPosition() throws {
        var live = FakeClip(frames: 900)
        live.madeFrom = .zero
        var world = Simulation(.of([["live"]]), clips: ["live": live])
        world.run(for: .seconds(3))
        let object = try object(world)
        expect(object["live"], equals: .flag(true))
        expect([object["position"], object["duration"]], equals: [nil, nil])
    }

    @Test func aTileWithoutItemsAndAWallWithoutTilesHaveNone() {
        var world = Simulation(.of([["a"]]), clips: clips)
        world.run(for: .seconds(1))
        world.act { wall, now in wall.carryOut(.sequence(.stop), at: now) }
        expect(world.wall.property("now-playing", at: world.now), equals: .failure(.propertyUnavailable))
        let empty = Wall(layout: Layout(title: "", tiles: []), pipelines: 1)
        expect(empty.property("now-playing", at: .zero), equals: .failure(.propertyUnavailable))
    }
}
