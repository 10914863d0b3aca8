import Base
import Expectations
import Layout
import Player
import Testing

@testable import SimulatedWall

@Suite struct WallPlays {
    private let frame = Time(1, ofUnits: 1, over: 30)

    @Test func oneClipIsShownFrameByFrame() {
        var world = Simulation(.of([["a"]]), clips: ["a": FakeClip(frames: 60)])
        world.run(for: .seconds(9))
        expect(world.slips(0, cycle: ["a"]), equals: 0)
        expect(world.numbers(0).count, atLeast: 265)
        expect(world.longestHold(0), atMost: frame + .milliseconds(1))
        expect(world.dropped, equals: 0)
    }

    @Test(arguments: [6, 15, 45, 60, 1])
    func fourTilesThatEndTogetherHaveNoSeamOnFourPipelines(frames: Int) {
        let clips = ["a": FakeClip(frames: frames), "b": FakeClip(frames: frames)]
        let layout = Layout.of([["a", "b"], ["b", "a"], ["a", "b"], ["b", "a"]]) { tile in
            // Equal sequences would share a feed.
            tile.play[0].fetching.maxBitrate = tile.id.hashValue & 0xFFFF
        }
        var world = Simulation(layout, clips: clips)
        world.run(for: .seconds(20))
        for tile in 0..<4 {
            expect(world.slips(tile, cycle: ["a", "b"]), equals: 0)
            expect(world.longestHold(tile), atMost: frame + .milliseconds(1))
        }
        expect(world.dropped, equals: 0)
        expect(world.mostLeases, atMost: 4)
    }

    @Test func tilesWithTheSameSequenceShareAFeed() {
        var world = Simulation(.of(Array(repeating: ["a"], count: 9)), clips: ["a": FakeClip(frames: 60)])
        world.run(for: .seconds(5))
        expect(world.mostLeases, equals: 1)
        for tile in 0..<9 { expect(world.numbers(tile), equals: world.numbers(0)) }
    }

    @Test func aLoopByNumberEndsOnItsLastFrame() {
        let layout = Layout.of([["a"]]) { $0.loop = .iterations(3) }
        var world = Simulation(layout, clips: ["a": FakeClip(frames: 20)])
        world.run(for: .seconds(5))
        expect(world.numbers(0), equals: (0..<3).flatMap { _ in 0..<20 })
    }

    @Test func repeatAndRateAndInAndOut() {
        let layout = Layout.of([["a", "b"]]) { tile in
            tile.loop = .iterations(1)
            tile.play[0].rounds = 2
            tile.play[0].segments[0].start = Time(10, ofUnits: 1, over: 30)
            tile.play[0].segments[0].end = Time(13, ofUnits: 1, over: 30)
            tile.play[1].rate = Rate(0.5)
        }
        var world = Simulation(layout, clips: ["a": FakeClip(frames: 60), "b": FakeClip(frames: 3)])
        world.run(for: .seconds(2))
        expect(world.numbers(0), equals: [10, 11, 12, 10, 11, 12, 0, 1, 2])
        let times = world.shown[0].drop { $0.frame == nil }.map(\.at)
        expect(times[8] - times[6], equals: Time(4, ofUnits: 1, over: 30))
    }

    @Test func lengthsThatOnlyTheDecoderKnowsMakeNoSeam() {
        let clips = [
            "a": FakeClip(frames: 40, knowsItsLength: false), "b": FakeClip(frames: 30, knowsItsLength: false),
        ]
        var world = Simulation(.of([["a", "b"]]), clips: clips)
        world.run(for: .seconds(12))
        expect(world.slips(0, cycle: ["a", "b"]), equals: 0)
        expect(world.longestHold(0), atMost: frame + .milliseconds(1))
    }

    @Test(arguments: [Until.longest, .shortest])
    func aGroupThatLoopsTogetherBeginsEachIterationInOnePresent(until: Until) {
        var layout = Layout.of([["a"], ["b"], ["c"]])
        layout.groups[0].loop = .together
        layout.groups[0].until = until
        let clips = ["a": FakeClip(frames: 60), "b": FakeClip(frames: 69), "c": FakeClip(frames: 33)]
        var world = Simulation(layout, clips: clips)
        world.run(for: .seconds(50))
        let begins = (0..<3).map { tile in world.shown[tile].filter { $0.frame?.number == 0 }.map(\.at) }
        expect(begins[0], equals: begins[1])
        expect(begins[0], equals: begins[2])
        expect(begins[0].count, atLeast: (until == .longest ? 21 : 45))
        let length = Time(until == .longest ? 69 : 33, ofUnits: 1, over: 30)
        for (a, b) in zip(begins[0], begins[0].dropFirst()) { expect(b - a, atMost: length + .milliseconds(1)) }
    }

    @Test(arguments: [Until.longest, .shortest], [Time.milliseconds(9500), .milliseconds(14500), .seconds(31)])
    func aGroupThatLoopsTogetherMayBeginInAnyIteration(until: Until, start: Time) {
        var layout = Layout.of([["long"], ["short"]])
        layout.groups[0].loop = .together
        layout.groups[0].until = until
        let clips = ["long": FakeClip(frames: 420), "short": FakeClip(frames: 270)]
        var world = Simulation(layout, clips: clips, start: start)
        world.run(for: .seconds(1))
        let length = Time(until == .longest ? 420 : 270, ofUnits: 1, over: 30)
        let inIteration = Time(ticks: (start + .seconds(1)).ticks % length.ticks)
        for (tile, frames) in [(0, 420), (1, 270)] {
            let due = min(frames - 1, Int(inIteration.ticks * 30 / Time.ticksPerSecond))
            // The tile began a little after the simulation.
            expect((0...5).contains(due - (world.numbers(tile).last ?? 999)), "\(tile): \(due)")
        }
    }

    /// Returns true if every tile shows what is due, or its last frame.
    private func isSettled(_ world: Simulation) -> Bool {
        world.wall.snapshot(at: world.now).isSettled()
    }

    @Test func aTileWhoseIterationsAreOverShowsItsLastFrameInALaterIterationOfItsGroup() {
        var layout = Layout.of([["a"], ["b"]])
        layout.groups[0].loop = .together
        layout.tiles[1].loop = .iterations(2)
        let clips = ["a": FakeClip(frames: 90), "b": FakeClip(frames: 60)]
        for start in [Time.seconds(7), .seconds(1800)] {
            var world = Simulation(layout, clips: clips, start: start)
            world.run(for: .seconds(1))
            expect(isSettled(world) && world.numbers(1).last == 59, "\(start): \(world.numbers(1))")
            expect(world.openRequests["b"] ?? 0, atMost: 4)
        }
    }

    @Test(arguments: [2, 1_000_000]) func roundsThatCannotBePlayedEndWithTheFirst(_ rounds: Int) {
        var layout = Layout.of([["gone"]])
        layout.tiles[0].play[0].rounds = rounds
        layout.tiles[0].loop = .iterations(1)
        var world = Simulation(layout, clips: [:])
        world.run(for: .seconds(1))
        expect(isSettled(world) && world.openRequests["gone"] == 1)
    }

    @Test func filmsThatCannotBeDecodedAreTriedOnceInAnIteration() {
        let film = FakeClip(frames: 90, isUndecodable: true)
        var world = Simulation(.of([["a"], ["bad", "gone"]]), clips: ["a": FakeClip(frames: 60), "bad": film])
        world.run(for: .seconds(1))
        expect(isSettled(world))
        expect(world.openRequests["bad"] ?? 0, atMost: 3)
    }

    @Test func aMissingItemIsSkippedAndTheRestPlays() {
        var world = Simulation(
            .of([["a", "gone", "b"]]), clips: ["a": FakeClip(frames: 20), "b": FakeClip(frames: 20)])
        world.run(for: .seconds(6))
        expect(world.slips(0, cycle: ["a", "b"]), equals: 0)
        expect(world.longestHold(0), atMost: frame + .milliseconds(1))
    }

    @Test func aWallOfMissingClipsIsBarrenAndWaitsLongerEachTime() {
        var world = Simulation(.of([["gone"]]), clips: [:])
        world.run(for: .seconds(1))
        expect(world.wall.isBarren)
        world.run(for: .seconds(240))
        let tries = world.asked.map(\.at)
        let waits = zip(tries, tries.dropFirst()).map { ($1 - $0).seconds.rounded() }
        // Each attempt opens the source twice, for this iteration and for the next.
        expect(waits.filter { $0 > 0 }, equals: [1, 2, 4, 8, 16, 32, 60, 60])
        world.clips["gone"] = FakeClip(frames: 20)
        world.run(for: .seconds(63))
        expect(!world.wall.isBarren)
        expect(world.numbers(0).count, above: 20)
    }

    @Test func moreTilesThanPipelinesTakeTurns() {
        var layout = Layout.of((0..<9).map { ["clip\($0)"] })
        layout.overflow = .rotate(every: .seconds(2))
        let clips = Dictionary(uniqueKeysWithValues: (0..<9).map { ("clip\($0)", FakeClip(frames: 60)) })
        var world = Simulation(layout, clips: clips)
        world.run(for: .seconds(14))
        expect(world.mostLeases, atMost: 4)
        for tile in 0..<9 {
            let first = world.shown[tile].first { $0.frame != nil }
            expect(first.map { $0.at < .seconds(102) } ?? false)
            expect(world.numbers(tile).count, above: 30)
        }
    }

    @Test func aHundredTilesOnFourPipelinesAllHaveAFrame() {
        var layout = Layout.of((0..<100).map { ["clip\($0)"] })
        layout.overflow = .rotate(every: .seconds(1))
        let clips = Dictionary(uniqueKeysWithValues: (0..<100).map { ("clip\($0)", FakeClip(frames: 60)) })
        var world = Simulation(layout, clips: clips)
        world.run(for: .seconds(30))
        expect(world.mostLeases, atMost: 4)
        for tile in 0..<100 { expect(world.numbers(tile).count, above: 1) }
    }

    @Test(arguments: [1, 2, 3])
    func fewerPipelinesThanTilesKeepTheFocusPlaying(pipelines: Int) {
        let layout = Layout.of((0..<4).map { ["clip\($0)"] })
        let clips = Dictionary(uniqueKeysWithValues: (0..<4).map { ("clip\($0)", FakeClip(frames: 60)) })
        var world = Simulation(layout, clips: clips, pipelines: pipelines)
        world.run(for: .seconds(10))
        expect(world.slips(0, cycle: ["clip0"]), equals: 0)
        expect(world.numbers(0).count, above: 290)
        expect(world.mostLeases, atMost: pipelines)
        for tile in 1..<4 { expect(world.numbers(tile).count, above: 0) }
    }

    @Test func anOffsetTileIsAheadByThatMuch() {
        let layout = Layout.of([["a"], ["a"]]) { if $0.id == "tile2" { $0.offset = Time(10, ofUnits: 1, over: 30) } }
        var world = Simulation(layout, clips: ["a": FakeClip(frames: 60)])
        world.run(for: .seconds(4))
        let second = Dictionary(
            uniqueKeysWithValues: world.shown[1].compactMap { s in s.frame.map { (s.at, $0.number) } })
        for (at, frame) in world.shown[0] {
            if let frame, let other = second[at] { expect(other, equals: (frame.number + 10) % 60) }
        }
    }

    @Test func aStillImageLastsItsDurationBetweenClips() {
        let layout = Layout.of([["a", "still", "a"]]) { tile in
            tile.play[1].duration = .seconds(2)
            tile.loop = .iterations(1)
        }
        var world = Simulation(
            layout, clips: ["a": FakeClip(frames: 30), "still": FakeClip(frames: 1, isStill: true)])
        world.run(for: .seconds(6))
        let still = world.shown[0].first { $0.frame?.clip == "still" }!.at
        let after = world.shown[0].first { $0.at > still }!.at
        expect(after - still, equals: .seconds(2))
        expect(world.numbers(0).count, equals: 61)
    }
}
