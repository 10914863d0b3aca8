import Expectations
import Testing

@testable import Base
@testable import Feeds
@testable import Layout
@testable import Player
@testable import SimulatedWall

/// Live sources that die and come back: playlists and streams, in a simulated wall.
@Suite struct PlaylistTests {
    private let source = "http://camera/live.m3u8"
    private let playlist = FakeClip(frames: 25 * 900, rate: 25, madeFrom: .seconds(40), keeps: .seconds(6))
    private static let noAnswer = SourceTrouble(.timeout, "reading: no answer in time")

    private func wall(_ clip: FakeClip, of source: String? = nil) -> Simulation {
        let source = source ?? self.source
        return Simulation(.of([[source]]), clips: [source: clip])
    }

    /// Runs the wall. Each read that gets no frame for 10 s is given up.
    private func run(_ world: inout Simulation, for seconds: Int) {
        for _ in 0..<seconds {
            world.run(for: .seconds(1))
            let since = [world.asked.last?.at, world.shown[0].last?.at].compactMap { $0 }.max() ?? world.now
            if world.now - since >= .seconds(10) { world.breakOff(source, Self.noAnswer) }
        }
    }

    private func reported(_ world: Simulation) -> [String] {
        world.events.compactMap { event in
            switch event.what {
            case .stale: "stale"
            case .recovered: "recovered"
            case .trouble(_, _, _, _, let trouble): "trouble: \(trouble.what)"
            default: nil
            }
        }
    }

    private func waits(_ world: Simulation) -> [Time] {
        let asked = world.asked.map(\.at)
        return zip(asked, asked.dropFirst()).map { $1 - $0 }
    }

    // MARK: playlists whose sender has died

    @Test func aPlaylistIsBackOnlyWithANewFrame() throws {
        var clip = playlist
        clip.isSilent = .seconds(110) ..< .seconds(300)
        var world = wall(clip)
        run(&world, for: 190)
        expect(reported(world), equals: ["stale", "trouble: \(Self.noAnswer.what)"])
        let shown = world.numbers(0)
        expect(shown == Array(Set(shown)).sorted() && shown.last == 25 * 70 - 1, "a frame was shown again")
        let waits = Array(waits(world).dropFirst())
        expect(waits.count >= 4 && waits.count <= 6 && waits == waits.sorted(), "\(waits.map(\.seconds))")
        run(&world, for: 150)
        expect(reported(world).suffix(1), equals: ["recovered"])
        expect(reported(world).count { $0 == "recovered" }, equals: 1)
        expect(world.numbers(0).last!, above: 25 * 300)
    }

    /// The sender counts from zero again, and its frames lie before those that were shown.
    @Test func aSenderThatStartsAgainIsBack() throws {
        var clip = playlist
        (clip.madeFrom, clip.isSilent) = (.seconds(100), .seconds(130) ..< .seconds(9000))
        var world = wall(clip)
        run(&world, for: 50)
        expect(reported(world).last, equals: "trouble: \(Self.noAnswer.what)")
        var again = playlist
        again.madeFrom = world.now
        world.clips[source] = again
        run(&world, for: 60)
        expect(reported(world), equals: ["stale", "trouble: \(Self.noAnswer.what)", "recovered"])
    }

    @Test func aConnectionThatWasLostForAMomentGoesOn() {
        var world = wall(playlist)
        run(&world, for: 10)
        world.breakOff(source, SourceTrouble(.unreachable, "reading: the connection was lost"))
        run(&world, for: 20)
        let shown = world.numbers(0)
        expect(shown == shown.sorted() && shown.last! > 25 * 84, "\(shown.last!)")
        expect(reported(world), equals: ["trouble: reading: the connection was lost", "recovered"])
    }

    // MARK: playlists that are complete

    @Test func anEndedPlaylistIsNoFilm() throws {
        var world = wall(playlist)
        run(&world, for: 10)
        // The server still has the last six seconds.
        world.clips[source] = FakeClip(frames: 150, rate: 25)
        world.breakOff(source, FeedTrouble.streamEnded)
        let last = world.numbers(0).count
        run(&world, for: 120)
        expect(reported(world), equals: ["trouble: the stream has ended", "stale"])
        expect(world.numbers(0)[last...].allSatisfy { $0 > 25 * 60 }, "frames of the ended playlist were shown")
        let waits = waits(world).dropFirst()
        expect(waits.count >= 4 && waits.count <= 7 && Array(waits) == waits.sorted(), "\(waits.map(\.seconds))")
        world.clips[source] = playlist
        run(&world, for: 70)
        expect(reported(world), equals: ["trouble: the stream has ended", "stale", "recovered"])
    }

    @Test func aCompletePlaylistThatWasNeverLiveIsAFilm() {
        var world = wall(FakeClip(frames: 150, rate: 25))
        run(&world, for: 20)
        expect(reported(world).isEmpty && world.slips(0, cycle: [source]) == 0, "\(reported(world))")
    }

    // MARK: the same events for each protocol

    /// The connection is lost at once, as by RTMP, or the frames only stop, as by UDP.
    @Test(arguments: [true, false]) func aDeadCameraIsStaleByEachProtocol(isLost: Bool) {
        let stream = FakeClip(frames: 25 * 600, rate: 25, madeFrom: .seconds(40))
        var world = wall(stream, of: "rtmp://camera/live")
        world.run(for: .seconds(5))
        if isLost {
            world.clips["rtmp://camera/live"]!.trouble = SourceTrouble(.unreachable, "refused")
            world.breakOff("rtmp://camera/live", SourceTrouble(.unreachable, "refused"))
        } else {
            world.clips["rtmp://camera/live"]!.isSilent = world.now..<world.now + .seconds(15)
        }
        world.run(for: .seconds(15))
        world.clips["rtmp://camera/live"]!.trouble = nil
        world.run(for: .seconds(20))
        expect(reported(world).filter { !$0.hasPrefix("trouble") }, equals: ["stale", "recovered"])
    }
}

@Suite struct PlaylistFramesTests {
    private func ticks(_ seconds: Int64) -> Int128 { Int128(Time.seconds(seconds).ticks) }

    @Test func aFrameIsNewAfterTheNewestOne() {
        var frames = PlaylistFrames()
        for second in 100..<110 { expect(frames.admit(ticks(Int64(second)), of: 1, at: .seconds(1))) }
        for second in 104..<110 { expect(!frames.admit(ticks(Int64(second)) + 900, of: 2, at: .seconds(2))) }
        expect(frames.admit(ticks(110), of: 2, at: .seconds(2)))
        // Within a connection every frame is new, also after a jump back.
        expect(frames.admit(ticks(105), of: 2, at: .seconds(2)))
    }

    @Test func aFrameIsNewAfterAWait() {
        var frames = PlaylistFrames()
        expect(frames.admit(ticks(20), of: 1, at: .seconds(1)))
        expect(!frames.admit(ticks(1), of: 2, at: .seconds(30)))
        expect(!frames.admit(ticks(2), of: 2, at: .seconds(30) + .milliseconds(900)))
        expect(frames.admit(ticks(3), of: 2, at: .seconds(32)))
    }

    @Test func aFrameIsNewFarBeforeTheNewestOne() {
        var frames = PlaylistFrames()
        expect(frames.admit(ticks(3600), of: 1, at: .seconds(1)))
        expect(frames.admit(ticks(1), of: 2, at: .seconds(2)))
    }
}
