import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Layout
@testable import Player
@testable import SimulatedWall

/// Duration of a step back after playing, on a wall in simulated time.
@Suite struct StepsBack {
    private let clips = [
        "a": FakeClip(frames: 600, gop: 60), "b": FakeClip(frames: 600, gop: 60),
        "c": FakeClip(frames: 600, gop: 60), "d": FakeClip(frames: 600, gop: 60),
        "fast": FakeClip(frames: 1200, rate: 60, gop: 60), "short": FakeClip(frames: 45, gop: 60),
        "raw": FakeClip(frames: 600, knowsItsLength: false, gop: 60),
    ]

    private func playing(_ sequences: [[String]], for length: Time) -> Simulation {
        var world = Simulation(.of(sequences), clips: clips)
        world.run(for: length)
        return world
    }

    /// Returns the time until each tile shows another frame; nil if it exceeds a second.
    private func time(of command: Change, in world: inout Simulation) -> Time? {
        let (before, began) = (world.framesNow, world.now)
        world.command(command)
        while zip(before, world.framesNow).contains(where: { $0 == $1 }) {
            if world.now - began > .seconds(1) { return nil }
            world.run(for: .milliseconds(1))
        }
        return world.now - began
    }

    /// The wall stops at any frame between two key frames, and right after a seam.
    @Test(arguments: [2000, 2533, 3510, 20050, 20400, 22000])
    func theFirstStepBackAfterPlayingIsShownAtOnce(milliseconds: Int64) throws {
        for pauses in [true, false] {
            var world = playing([["a"], ["b"], ["c"], ["d"]], for: .milliseconds(milliseconds))
            if pauses {
                world.command(.pause(.toggle, .group))
                world.run(for: .milliseconds(500))
            }
            let before = try world.framesNow.map { try #require($0).number }
            let took = time(of: .step(by: -1, .group), in: &world)
            try expect(#require(took), atMost: .milliseconds(2))
            world.run(for: .seconds(1))
            expect(world.framesNow.map { $0!.number }, equals: before.map { ($0 + 599) % 600 })
        }
    }

    /// The clip before the seam lasts 1.5 s, and its last frames are still in memory.
    @Test func aStepBackOverASeamIsShownAtOnce() throws {
        var world = playing([["short", "a"]], for: .seconds(1))
        while world.framesNow[0]?.clip == "short" || world.framesNow[0]!.number < 3 {
            world.run(for: .milliseconds(1))
        }
        expect(world.framesNow[0]?.clip, equals: "a")
        world.command(.pause(.toggle, .group))
        world.run(for: .seconds(1))
        let stood = world.framesNow[0]!.number
        for _ in 0..<stood { world.command(.step(by: -1, .group)) }
        world.run(for: .seconds(1))
        expect(world.framesNow[0], equals: FakeFrame(clip: "a", number: 0))
        let took = time(of: .step(by: -1, .group), in: &world)
        try expect(#require(took), atMost: .milliseconds(2))
        expect(world.framesNow[0], equals: FakeFrame(clip: "short", number: 44))
        world.command(.step(by: 1, .group))
        world.run(for: .seconds(1))
        expect(world.framesNow[0], equals: FakeFrame(clip: "a", number: 0))
        world.command(.pause(.toggle, .group))
        world.run(for: .seconds(2))
        expect((55...62).contains(world.framesNow[0]!.number))
    }

    /// Some 37 frames from the key frame on are decoded in 3 ms each. 31 of them are kept.
    @Test func aDragBackLastsAsLongAsItsDecoding() throws {
        var world = playing([["a"], ["b"]], for: .milliseconds(8200))
        world.command(.pause(.toggle, .group))
        world.run(for: .seconds(1))
        world.command(.scrub(.began(at: Point(300, 100))))
        // The drag goes back by 30 of 600 frames, to a frame above 210. Decoding starts at frame 180.
        let took = time(of: .scrub(.moved(by: -32)), in: &world)
        try expect(#require(took), above: .milliseconds(80))
        try expect(#require(took), below: .milliseconds(150), "\(took!.seconds)")
    }

    /// Frames kept behind a running clock take at most an eighth of the layout's memory.
    @Test(arguments: [(16, 0), (64, 1), (256, 5)]) func ofLargeFramesFewerAreKept(memory: Int, kept: Int) {
        var layout = Layout.of([["a"], ["b"], ["c"], ["d"]])
        (layout.window.size, layout.memoryMiB) = (Size(5120, 720), memory)
        let large = clips.mapValues { clip in
            var clip = clip
            clip.natural = Size(1280, 720)
            return clip
        }
        var world = Simulation(layout, clips: large)
        world.run(for: .seconds(3))
        // A frame takes 1.3 MiB.
        expect(world.wall.feeds.map { $0.slots[0].dueIndex }, equals: [kept, kept, kept, kept])
        expect(world.wall.feeds.allSatisfy { $0.slots.map(\.frames.count).reduce(0, +) <= max(3, memory / 4 * 3 / 4) })
    }
}
