import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Feeds
@testable import Layout
@testable import Player
@testable import SimulatedWall

/// Groups that a layout adds while another layout plays.
@Suite struct NewGroupTests {
    private let clips = ["a": FakeClip(frames: 300), "b": FakeClip(frames: 240)]

    /// Returns a layout of two tiles. `groups`: the groups besides "main".
    private func layout(_ group: String = "main", with groups: [GroupLayout] = []) -> Layout {
        var layout = Layout.of([["a"], ["b"]])
        layout.tiles[1].group = group
        layout.groups = [GroupLayout(name: "main")] + groups
        return layout
    }

    private func playing(_ layout: Layout, for time: Time = .seconds(3)) -> Simulation {
        var world = Simulation(layout, clips: clips)
        world.run(for: time)
        return world
    }

    /// Returns a group by its name.
    private func group(_ name: String, of world: Simulation) throws -> Group {
        world.wall.clocks[try #require(world.wall.clocks.id(named: name))]
    }

    @Test func aTileThatMovesToANewGroupPlaysOnItsClock() throws {
        var world = playing(layout())
        world.apply(layout("new", with: [GroupLayout(name: "new")]))
        world.run(for: .seconds(2))
        let position = try group("new", of: world).clock.position(at: world.now)
        expect(position > .milliseconds(1500) && position <= .seconds(2), "\(position.seconds)")
        expect(
            world.framesNow[1]?.number,
            equals: Int((position + .milliseconds(1)).ticks / clips["b"]!.start(of: 1).ticks))
        // No frame of the start is left out.
        let seen = world.shown[1].compactMap(\.frame?.number)
        let first = try #require(seen.lastIndex(of: 0))
        expect(Array(seen[first...].prefix(40)), equals: Array(0..<40))
        expect(world.slips(0, cycle: ["a"]), equals: 0)
    }

    @Test func aNewGroupTakesTheStartAndTheRateOfItsLayout() throws {
        var world = playing(layout())
        var added = GroupLayout(name: "new")
        (added.at, added.rate) = (.seconds(4), Rate(0.5))
        world.apply(layout("new", with: [added]))
        world.run(for: .seconds(2))
        let clock = try group("new", of: world).clock
        expect(clock.rate, equals: Rate(0.5))
        let position = clock.position(at: world.now)
        expect(position > .milliseconds(4700) && position <= .seconds(5), "\(position.seconds)")
        expect((world.framesNow[1]?.number ?? 0) > 140, "\(world.framesNow)")
    }

    /// A group without tiles runs as it would have from the start of the program.
    @Test func aGroupThatWaitsForTilesRunsForThem() throws {
        var world = playing(layout())
        world.apply(layout(with: [GroupLayout(name: "new")]))
        world.run(for: .seconds(1))
        world.apply(layout("new", with: [GroupLayout(name: "new")]))
        world.run(for: .seconds(2))
        expect(try group("new", of: world).clock.motion == .running)
        expect(world.longestHold(1), atMost: .milliseconds(600))
        let numbers = Set(world.shown[1].suffix(20).compactMap(\.frame?.number))
        expect(numbers.count, equals: 20)
    }

    @Test func aNewGroupOfAHiddenWallStartsWithTheOthers() throws {
        var world = playing(layout())
        world.act { $0.player.note(.restBegan, at: $1) }
        world.apply(layout("new", with: [GroupLayout(name: "new")]))
        world.run(for: .seconds(2))
        expect(try group("new", of: world).clock.position(at: world.now), equals: .zero)
        world.act { $0.player.note(.restEnded, at: $1) }
        world.run(for: .seconds(2))
        expect(try group("new", of: world).clock.position(at: world.now) > .milliseconds(1400))
    }
}
