import Expectations
import Testing

@testable import Base
@testable import Commands
@testable import Feeds
@testable import Layout
@testable import Player
@testable import SimulatedWall

/// Costs of a delivered frame: how often a pipeline calls the wall for it, and which features are asked after it.
@Suite struct FrameCallsTests {
    /// Four tiles that play films of a minute.
    private static func world() -> Simulation {
        let names = ["a", "b", "c", "d"]
        let clips = names.map { ($0, FakeClip(frames: 1800)) }
        return Simulation(Layout.of(names.map { [$0] }), clips: Dictionary(uniqueKeysWithValues: clips))
    }

    @Test func aPipelineCallsTheWallOnceForADeliveredFrame() {
        var world = Self.world()
        world.decidesAhead = true
        world.run(for: .seconds(2))
        let (calls, frames) = (world.frameCalls, world.delivered)
        world.run(for: .seconds(10))
        let delivered = world.delivered - frames
        expect(delivered >= 1100, "\(delivered) frames")
        // A burst of some eight frames ends with a wait for room, before and after which the pipeline asks.
        expect(world.frameCalls - calls <= delivered * 3 / 2, "\(world.frameCalls - calls) calls")
    }

    /// A tile that shows a camera.
    private static func liveWorld() -> Simulation {
        let camera = FakeClip(frames: 25 * 600, rate: 25, madeFrom: .seconds(40))
        return Simulation(Layout.of([["udp://camera"]]), clips: ["udp://camera": camera])
    }

    @Test func aPipelineCallsTheWallOnceForALiveFrame() {
        var world = Self.liveWorld()
        world.decidesAhead = true
        world.run(for: .seconds(2))
        let (calls, frames) = (world.frameCalls, world.delivered)
        world.run(for: .seconds(10))
        expect(world.delivered - frames, equals: 250)
        expect(world.frameCalls - calls, equals: 250)
    }

    @Test func liveFramesThatAreLeftOutAreNotScaled() {
        var world = Self.liveWorld()
        world.decidesAhead = true
        // The wall does not degrade exact feeds, nor undo that.
        world.act { wall, now in
            var layout = wall.layout
            layout.quality = .exact
            wall.apply(layout, at: now)
        }
        world.run(for: .seconds(2))
        for feed in world.wall.feeds { _ = feed.reel.decoding.degrade(to: .everySecondFrame) }
        // The next frame is under way.
        world.run(for: .milliseconds(100))
        let (frames, refused) = (world.delivered, world.refused)
        world.run(for: .seconds(4))
        expect(world.delivered - frames, equals: 50)
        expect(world.refused - refused, equals: 0)
    }

    /// The window is resized meanwhile.
    @Test(arguments: [false, true]) func framesThatWereDecidedAheadAreShownAsOthersAre(isLive: Bool) {
        var ahead = isLive ? Self.liveWorld() : Self.world()
        var usual = isLive ? Self.liveWorld() : Self.world()
        ahead.decidesAhead = true
        for second in 1...8 {
            if second == 4 {
                ahead.act { wall, now in wall.player.note(.resized(to: Size(320, 180)), at: now) }
                usual.act { wall, now in wall.player.note(.resized(to: Size(320, 180)), at: now) }
            }
            ahead.run(for: .seconds(1))
            usual.run(for: .seconds(1))
            expect(ahead.framesNow.map { $0?.number }, equals: usual.framesNow.map { $0?.number }, "second \(second)")
            expect(ahead.framesNow.map { $0?.size }, equals: usual.framesNow.map { $0?.size }, "second \(second)")
        }
    }

    @Test func aFeatureIsAskedAfterTheChangesThatItFollows() {
        var world = Self.world()
        let (none, frames, state) = (Asked([]), Asked(.frames), Asked(.state))
        world.wall.features = Features(
            all: world.wall.features.all + [none, frames, state].map { $0 as any Feature },
            properties: world.wall.features.properties)
        world.run(for: .seconds(2))
        for feature in [none, frames, state] { feature.count.number = 0 }
        let before = world.delivered
        world.run(for: .seconds(10))
        let delivered = world.delivered - before
        expect(none.count.number, equals: 0)
        expect(frames.count.number >= delivered, "\(frames.count.number) for \(delivered) frames")
        expect(state.count.number * 2 < delivered, "\(state.count.number) for \(delivered) frames")
        world.command(.pause(.on, .group))
        expect(state.count.number > 0)
    }
}

/// A feature that counts how often it is asked.
private struct Asked: Feature {
    let follows: PlayerChanges
    let count = Count()

    final class Count: @unchecked Sendable { var number = 0 }

    init() { follows = [] }
    init(_ follows: PlayerChanges) { self.follows = follows }

    mutating func react(to player: PlayerCore, at now: Time) -> [Change] {
        count.number += 1
        return []
    }
}
