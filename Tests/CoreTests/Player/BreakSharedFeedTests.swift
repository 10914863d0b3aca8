import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Layout
@testable import Player
@testable import SimulatedWall

/// Breaks on tiles that share a feed with tiles that play on without the break.
@Suite struct BreakSharedFeedTests: BreakTesting {
    /// Returns a wall of tiles that show one film, behind those of `before`. `frames`: length of the film.
    private func world(
        _ due: BreakLayout, tiles: Int = 2, before: [[String]] = [], overflow: Overflow = .rotate(every: .seconds(10)),
        focus: Int = 1, pipelines: Int = 1, frames: Int = 600
    ) -> Simulation {
        var clips = clips
        clips["long"] = FakeClip(frames: frames)
        let sequences = before + Array(repeating: ["long"], count: tiles)
        var world = Simulation(
            layout(sequences, [due]) { $0.overflow = overflow }, clips: clips, pipelines: pipelines)
        world.command(.focus(.number(focus)))
        world.run(for: .seconds(1))
        world.command(.playBreak(due.name))
        return world
    }

    /// The focused tile keeps the only pipeline.
    @Test(arguments: [BreakLayout.When.now, .itemEnd], [false, true])
    func aTileThatWouldGetNoTurnPlaysOnWithTheOthers(_ when: BreakLayout.When, isTogether: Bool) {
        for overflow in [Overflow.rotate(every: .seconds(10)), .first, .largest] {
            var world = world(
                entry("ad", ["ad"]) { ($0.when, $0.tiles, $0.isTogether) = (when, ["tile2"], isTogether) },
                overflow: overflow)
            world.run(for: .seconds(30))
            for tile in 0..<2 {
                expect(world.longestHold(tile), atMost: .milliseconds(35), "\(overflow): \(order(world, tile))")
            }
            expect(world.wall.feeds.count == 1 && states(world).isEmpty, "\(overflow): \(states(world))")
        }
    }

    /// The focus gives its break the pipeline of the shared feed.
    @Test(arguments: [false, true]) func aTileLeavesASharedFeedShortlyBeforeTheBreak(isTogether: Bool) {
        var world = world(
            entry("ad", ["ad"]) { ($0.tiles, $0.isTogether) = (["tile2"], isTogether) }, focus: 2)
        world.run(for: .seconds(18))
        for tile in 0..<2 {
            expect(world.longestHold(tile), atMost: .milliseconds(35), "\(order(world, tile))")
        }
        world.run(for: .seconds(4))
        expect(states(world), equals: ["ad started", "ad ended"])
        expect(order(world, 1).prefix(2), equals: ["long 0-599", "ad 0-44"], "\(order(world, 1))")
        expect(world.longestHold(1), atMost: .milliseconds(35), "\(order(world, 1))")
    }

    /// With room for all, nothing is put off.
    @Test func withPipelinesForAllNoTileFreezes() {
        var world = world(entry("ad", ["ad"]) { $0.tiles = ["tile2"] }, pipelines: 2)
        world.run(for: .seconds(30))
        expect(states(world), equals: ["ad started", "ad ended"])
        for tile in 0..<2 {
            expect(world.longestHold(tile), atMost: .milliseconds(35), "\(order(world, tile))")
        }
    }

    /// The film's end falls into a turn of the tile sooner or later.
    @Test func aTileThatTakesTurnsHasItsBreakInItsTurn() {
        for seconds in [Int64(3), 4, 5] {
            var world = world(
                entry("ad", ["ad"]) { $0.tiles = ["tile3"] }, before: [["b"]],
                overflow: .rotate(every: .seconds(seconds)),
                pipelines: 2, frames: 530)
            let began = world.now
            world.run(for: .seconds(90))
            expect(states(world).prefix(2), equals: ["ad started", "ad ended"], "\(seconds): \(states(world))")
            let first = world.shown[2].first { $0.frame?.clip == "ad" }?.at ?? began
            let before = world.shown[2].filter { $0.at >= began && $0.at <= first }.map(\.at)
            let hold = zip(before, before.dropFirst()).map { $1 - $0 }.max() ?? .zero
            expect(hold, atMost: .milliseconds(600), "\(seconds): \(order(world, 2))")
        }
    }
}
