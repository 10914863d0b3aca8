import Base
import Commands
import Expectations
import Layout
import Player
import Testing

@testable import SimulatedWall

/// Marks of a tile whose frames do not come.
@Suite struct Waiting {
    private func stalls(_ world: Simulation) -> [Int] { world.wall.health.map(\.health.stalls) }

    @Test func aTileThatStarvesTurnsItsSpinnerAndSaysSoOnce() throws {
        let clip = FakeClip(frames: 900)
        var world = Simulation(.of([["a"], ["b"]]), clips: ["a": clip, "b": clip])
        world.run(for: .seconds(2))
        expect(world.spinners.allSatisfy { $0.isEmpty })
        world.clips["a"]!.framesDecodeIn = .seconds(3)
        world.run(for: .seconds(3))
        let held = try #require(world.shown[0].last).at
        let came = try #require(world.spinners[0].first)
        // The wait starts after the frame's own duration.
        expect(came.isThere && came.at - held >= .milliseconds(300) && came.at - held < .milliseconds(340))
        world.clips["a"]!.framesDecodeIn = .milliseconds(3)
        world.run(for: .seconds(4))
        expect(world.spinners[0].map(\.isThere), equals: [true, false])
        expect(world.spinners[1].isEmpty)
        expect(stalls(world), equals: [1, 0])
    }

    @Test func aJumpThatTakesLongTurnsASpinnerAndIsNoStall() throws {
        var world = Simulation(
            .of([["a"], ["b"]]), clips: ["a": FakeClip(frames: 900, gop: 900), "b": FakeClip(frames: 900, gop: 1)])
        world.run(for: .seconds(2))
        world.command(.pause(.toggle, .group))
        world.run(for: .seconds(1))
        let jumped = world.now
        world.command(.seek(.by(.seconds(15)), .group))
        world.run(for: .seconds(4))
        expect((505...512).contains(world.framesNow[0]!.number))
        expect(world.framesNow[0]!.number, equals: world.framesNow[1]!.number)
        let came = try #require(world.spinners[0].first)
        expect(came.at - jumped >= .milliseconds(300) && came.at - jumped < .milliseconds(310))
        expect(world.spinners[0].map(\.isThere), equals: [true, false])
        expect(world.spinners[1].isEmpty)
        expect(stalls(world), equals: [0, 0])
    }

    @Test func whoBeginsLaterOrHasEndedDoesNotWait() {
        let layout = Layout.of([["a"], ["b"], ["c"]]) { tile in
            if tile.id == "tile1" { tile.offset = .seconds(-3) }
            if tile.id == "tile2" { tile.loop = .iterations(1) }
        }
        var world = Simulation(
            layout,
            clips: [
                "a": FakeClip(frames: 90), "b": FakeClip(frames: 30), "c": FakeClip(frames: 30, isStill: true),
            ])
        world.run(for: .seconds(10))
        expect(world.spinners.allSatisfy { $0.isEmpty })
        expect(stalls(world), equals: [0, 0, 0])
    }
}
