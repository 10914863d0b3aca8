import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Layout
@testable import Player
@testable import SimulatedWall

/// The command `retry`, and its key.
@Suite struct RetryTests {
    private func gone(_ kind: SourceTrouble.Kind) -> FakeClip {
        FakeClip(frames: 60, trouble: SourceTrouble(kind, "it can't be played"))
    }

    /// Each has waited so long that its next turn is far away.
    @Test(arguments: [SourceTrouble.Kind.missing, .unreachable, .unsupported, .damaged])
    func whatHasFailedIsTriedAtOnce(_ kind: SourceTrouble.Kind) {
        for command in [Change.retry(.tile), .retry(.all)] {
            var world = Simulation(
                .of([["gone"], ["a"]]), clips: ["a": FakeClip(frames: 300), "gone": gone(kind)])
            world.run(for: .seconds(75))
            world.clips["gone"] = FakeClip(frames: 60)
            expect(world.framesNow[0] == nil, "\(kind)")
            world.command(command)
            world.run(for: .seconds(1))
            expect(world.framesNow[0]?.clip, equals: "gone", "\(kind) \(command)")
            expect(world.slips(1, cycle: ["a"]), equals: 0, "\(kind)")
        }
    }

    /// The command for one tile leaves the others to their own turns.
    @Test func onlyThatTileIsTried() {
        var world = Simulation(.of([["gone"], ["lost"]]), clips: ["gone": gone(.missing), "lost": gone(.missing)])
        world.run(for: .seconds(75))
        for name in ["gone", "lost"] { world.clips[name] = FakeClip(frames: 60) }
        world.act { wall, now in wall.carryOut(.retry(.tile), on: wall.tile(named: "tile2"), at: now) }
        world.run(for: .seconds(1))
        expect(world.framesNow[0] == nil && world.framesNow[1]?.clip == "lost")
    }

    /// Nothing is played after an item that has failed, so there is no next turn.
    @Test(
        arguments: [SourceTrouble.Kind.missing, .unreachable, .unsupported, .damaged], [["gone", "b"], ["b", "gone"]])
    func anItemAtWhichATileHasStoppedIsTriedAtOnce(_ kind: SourceTrouble.Kind, _ play: [String]) {
        for loop in [GroupLoop.each, .together] {
            var layout = Layout.of([play, ["a"]])
            (layout.tiles[0].onError, layout.groups[0].loop) = (.stop, loop)
            let clips = ["a": FakeClip(frames: 300), "b": FakeClip(frames: 60), "gone": gone(kind)]
            var world = Simulation(layout, clips: clips)
            world.run(for: .seconds(75))
            expect(world.wall.feeds[0].phase, equals: .ended, "\(kind) \(play) \(loop)")
            // The source fails again, and the tile stops again.
            let asked = world.openRequests["gone"]!
            world.command(.retry(.tile))
            world.run(for: .seconds(5))
            expect(world.openRequests["gone"]!, above: asked, "\(kind) \(play) \(loop)")
            expect(world.wall.feeds[0].phase, equals: .ended, "\(kind) \(play) \(loop)")
            world.clips["gone"] = FakeClip(frames: 90)
            let before = world.shown[0].count
            world.command(.retry(.all))
            world.run(for: .seconds(10))
            let shown = world.shown[0][before...].compactMap(\.frame)
            expect(shown.contains { $0.clip == "gone" }, "\(kind) \(play) \(loop)")
            guard loop == .each else { continue }
            expect(shown.first?.clip == "gone" && shown.contains { $0.clip == "b" }, "\(kind) \(play)")
            expect(world.slips(1, cycle: ["a"]), equals: 0, "\(kind) \(play)")
        }
    }

    @Test func theLastItemOfTheLastIterationIsTriedAtOnce() {
        var layout = Layout.of([["b", "gone"]])
        layout.tiles[0].loop = .iterations(1)
        var world = Simulation(layout, clips: ["b": FakeClip(frames: 60), "gone": gone(.missing)])
        world.run(for: .seconds(20))
        world.clips["gone"] = FakeClip(frames: 300)
        world.command(.retry(.all))
        world.run(for: .seconds(1))
        expect(world.framesNow[0]?.clip, equals: "gone")
    }

    @Test func aTileThatHasEndedStaysAtItsEnd() {
        var layout = Layout.of([["b"]])
        layout.tiles[0].loop = .iterations(1)
        var world = Simulation(layout, clips: ["b": FakeClip(frames: 60)])
        world.run(for: .seconds(5))
        let last = world.framesNow
        world.command(.retry(.all))
        world.run(for: .seconds(5))
        expect(world.framesNow == last && world.openRequests["b"] == 1)
    }

    @Test func aSilentCameraIsConnectedAgainAndOneThatSendsIsNot() {
        var camera = FakeClip(frames: 25 * 600, rate: 25, madeFrom: .seconds(40))
        var clips = ["udp://a": camera]
        camera.isSilent = .seconds(105)..<(.seconds(400))
        clips["udp://b"] = camera
        var world = Simulation(.of([["udp://a"], ["udp://b"]]), clips: clips)
        world.run(for: .seconds(12))
        let before = ["udp://a", "udp://b"].map { world.openRequests[$0] ?? 0 }
        world.command(.retry(.all))
        world.run(for: .seconds(2))
        let after = ["udp://a", "udp://b"].map { world.openRequests[$0] ?? 0 }
        expect(after, equals: [before[0], before[1] + 1])
    }

    @Test func whatPlaysIsLeftAsItIs() {
        var world = Simulation(
            .of([["a"], ["a", "b"]]), clips: ["a": FakeClip(frames: 90), "b": FakeClip(frames: 60)])
        world.run(for: .seconds(2))
        world.command(.retry(.all))
        world.run(for: .seconds(10))
        expect(world.slips(0, cycle: ["a"]) == 0 && world.slips(1, cycle: ["a", "b"]) == 0)
    }
}
