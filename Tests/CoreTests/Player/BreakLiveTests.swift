import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Layout
@testable import Player
@testable import SimulatedWall

/// Breaks on tiles with a live source, whose clock is not the group's.
@Suite struct BreakLiveTests: BreakTesting {
    /// Returns a wall with the group's clock 20 s ahead of the live source.
    private func world(_ due: BreakLayout) -> Simulation {
        var world = playing(layout([["c"], ["udp://live"]], [due]), for: .seconds(2))
        world.command(.seek(.by(.seconds(20)), .group))
        world.run(for: .seconds(1))
        return world
    }

    @Test func whatIsLiveIsInterruptedAtOnce() throws {
        var world = world(entry("ad", ["ad"]) { ($0.when, $0.tiles) = (.now, ["tile2"]) })
        world.command(.playBreak("ad"))
        world.run(for: .seconds(1))
        expect(world.frameNow("tile2")?.clip, equals: "ad", "\(order(world, 1))")
        world.run(for: .seconds(4))
        expect(states(world), equals: ["ad started", "ad ended"])
        let now = try #require(world.frameNow("tile2")), live = try #require(clips["udp://live"])
        expect(now.clip, equals: "udp://live")
        expect(world.now - .seconds(40) - live.start(of: now.number), atMost: .milliseconds(1400), "\(now)")
    }

    @Test func togetherItStopsWhereTheFilmBesideItEnds() throws {
        var world = world(entry("ad", ["ad"]) { $0.isTogether = true })
        let before = world.wall.clocks[0].clock.position(at: world.now)
        world.command(.playBreak("ad"))
        world.run(for: .seconds(6))
        let film = try #require(world.shown[0].first { $0.frame?.clip == "ad" }).at
        let live = try #require(world.shown[1].first { $0.frame?.clip == "ad" }).at
        expect((film - live).magnitude, atMost: .milliseconds(100), "\(film.seconds), \(live.seconds)")
        expect(states(world), equals: ["ad started", "ad ended"])
        // The group's clock stood still for as long as the break.
        let went = world.wall.clocks[0].clock.position(at: world.now) - before
        expect((went - .milliseconds(4500)).magnitude, atMost: .milliseconds(50), "\(went.seconds)")
    }

    /// The film goes on with its next frame as soon as that is decoded, however far it had played.
    @Test(arguments: [1, 2], [Int64(700), 1500, 2300])
    func aFilmReturnsAtOnceWhenALiveBreakIsEnded(pipelines: Int, ahead: Int64) throws {
        var clips = clips
        clips["long"] = FakeClip(frames: 600, gop: 90)
        var world = Simulation(
            layout([["long"]], [entry("ad", ["udp://live"]) { $0.when = .now }]), clips: clips, pipelines: pipelines)
        world.run(for: .milliseconds(ahead))
        world.command(.playBreak("ad"))
        world.run(for: .seconds(4))
        expect(world.frameNow("tile1")?.clip, equals: "udp://live")
        let ended = world.now
        world.command(.endBreaks)
        world.run(for: .seconds(1))
        let film = try #require(world.shown[0].first { $0.at >= ended && $0.frame?.clip == "long" })
        expect(film.at - ended, atMost: .milliseconds(150), "\(order(world))")
        let shown = frames(world, without: ["udp://live"])
        expect(shown, equals: (0..<shown.count).map { "long \($0)" }, "\(order(world))")
    }

    /// A film plays on while the live source of a break that comes at once is opened.
    @Test(arguments: [1, 2], [Int64(5), 600, 1200])
    func aFilmPlaysOnUntilTheLiveSourceIsThere(pipelines: Int, opensIn: Int64) throws {
        var clips = clips
        clips["udp://live"]!.opensIn = .milliseconds(opensIn)
        clips["long"] = FakeClip(frames: 600, gop: 90)
        var world = Simulation(
            layout([["long"]], [entry("ad", ["udp://live"]) { $0.when = .now }]), clips: clips, pipelines: pipelines)
        world.run(for: .seconds(1))
        let asked = world.now
        world.command(.playBreak("ad"))
        world.run(for: .seconds(5))
        let live = try #require(world.shown[0].first { $0.frame?.clip == "udp://live" })
        expect(live.at - asked, atMost: .milliseconds(opensIn + 400), "\(order(world))")
        let times = world.shown[0].filter { $0.frame != nil && $0.at <= live.at }.map(\.at)
        expect(zip(times, times.dropFirst()).map { $1 - $0 }.max() ?? .zero, atMost: .milliseconds(45))
        world.command(.endBreaks)
        world.run(for: .seconds(2))
        let shown = frames(world, without: ["udp://live"])
        expect(shown, equals: (0..<shown.count).map { "long \($0)" }, "\(order(world))")
        expect(shown.count, above: 90)
        expect(states(world), equals: ["ad started", "ad ended"])
    }

    /// A live source that does not answer is skipped, and the film goes on.
    @Test func aFilmPlaysOnIfTheLiveSourceNeverComes() {
        var clips = clips
        clips["udp://live"]!.opensIn = .seconds(60)
        clips["long"] = FakeClip(frames: 600, gop: 90)
        var world = Simulation(
            layout([["long"]], [entry("ad", ["udp://live"]) { $0.when = .now }]), clips: clips)
        world.run(for: .seconds(1))
        world.command(.playBreak("ad"))
        world.run(for: .seconds(9))
        let shown = frames(world)
        expect(shown, equals: (0..<shown.count).map { "long \($0)" }, "\(order(world))")
        expect(world.longestHold(0), atMost: .milliseconds(35))
    }
}
