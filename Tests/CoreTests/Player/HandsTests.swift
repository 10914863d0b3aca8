import Base
import Commands
import Expectations
import Layout
import Player
import Scene
import Testing

@testable import SimulatedWall

/// Continuous scrubbing, segments and picture in picture, on a wall in simulated time.
@Suite struct Hands {
    private let clips = [
        "a": FakeClip(frames: 600, gop: 250), "b": FakeClip(frames: 600, gop: 60),
        "c": FakeClip(frames: 60, gop: 15),
    ]

    private func playing(_ sequences: [[String]], pipelines: Int = 4, for length: Time = .seconds(2)) -> Simulation {
        var world = Simulation(.of(sequences), clips: clips, pipelines: pipelines)
        world.run(for: length)
        return world
    }

    @Test func aHandThatDoesNotRestSeesWhatItDoes() {
        var world = playing([["a"], ["b"]])
        world.command(.scrub(.began(at: Point(100, 100))))
        let before = world.shown[0].count
        for step in 1...300 {
            world.command(.scrub(.moved(by: step)))
            world.run(for: .milliseconds(12))
        }
        expect(world.shown[0].count - before, atLeast: 5)
        world.run(for: .seconds(2))
        expect(world.framesNow[0]!.number, equals: world.framesNow[1]!.number)
        // 300 of 640 pixels are 281 frames of 600.
        expect((339...343).contains(world.framesNow[0]!.number))
    }

    @Test func theEndIsTheLastFrame() {
        var world = playing([["a"], ["b"]])
        world.command(.end(.group))
        world.run(for: .seconds(3))
        expect(world.framesNow.map { $0!.number }, equals: [599, 599])
        world.command(.step(by: -1, .group))
        world.run(for: .seconds(1))
        expect(world.framesNow.map { $0!.number }, equals: [598, 598])
        world.command(.home(.group))
        world.command(.pause(.off, .group))
        world.run(for: .seconds(1))
        expect(world.framesNow.allSatisfy { $0!.number < 70 })
        world.command(.end(.tileAlone))
        world.run(for: .seconds(1))
        expect(world.framesNow[0]!.number == 599 && world.framesNow[1]!.number < 140)
    }

    @Test func aClickOrDragOnABarGoesThere() {
        var world = playing([["a"], ["b"]])
        // The bar lies on the frame, not on the background below it.
        let bar = MarksPlaces(in: Rect(640, 180, 640, 360)).bar
        func x(_ share: Double) -> Int { bar.x + Int(Double(bar.width) * share) }
        world.command(.pause(.on, .group))
        world.command(.click(Point(x(0.5), bar.y - 2)))
        world.run(for: .seconds(1))
        expect(world.wall.focus, equals: 0)
        expect(world.framesNow.allSatisfy { abs($0!.number - 300) <= 1 })
        // A click just above the bar is a click on the tile.
        world.command(.click(Point(x(0.9), bar.y - 40)))
        world.run(for: .seconds(1))
        expect(world.wall.focus == 1 && abs(world.framesNow[1]!.number - 300) <= 1)

        world.command(.scrub(.began(at: Point(x(0.25), bar.y))))
        world.command(.scrub(.moved(by: 0)))
        world.run(for: .seconds(1))
        expect(abs(world.framesNow[1]!.number - 150), atMost: 1)
        world.command(.scrub(.moved(by: x(0.75) - x(0.25))))
        world.run(for: .seconds(1))
        expect(abs(world.framesNow[1]!.number - 450), atMost: 2)
        world.command(.scrub(.moved(by: 2000)))
        world.command(.scrub(.ended))
        world.run(for: .seconds(1))
        expect(world.framesNow.map { $0!.number }, equals: [599, 599])
        world.command(.doubleClick(Point(x(0), bar.y)))
        world.run(for: .seconds(1))
        expect(world.wall.zoomedTile == nil && world.framesNow.map { $0!.number } == [0, 0])
        world.command(.doubleClick(Point(900, 100)))
        expect(world.wall.zoomedTile, equals: 1)
        // The bar has moved with the tile.
        let large = MarksPlaces(in: Rect(0, 0, 1280, 720)).bar
        world.command(.click(Point(large.x + large.width / 2, large.y)))
        world.run(for: .seconds(1))
        expect(abs(world.framesNow[1]!.number - 300), atMost: 1)
    }

    /// Key frames are 250 frames apart: 750 ms of decoding.
    @Test func aSlowDragBackShowsItsFrames() {
        var world = playing([["a"], ["b"]], for: .seconds(8))
        world.command(.scrub(.began(at: Point(300, 100))))
        world.run(for: .seconds(1))
        let before = world.numbers(0).count
        for step in 1...80 {
            world.command(.scrub(.moved(by: -step)))
            world.run(for: .milliseconds(40))
        }
        // A pixel is nearly two frames wide.
        expect(world.numbers(0).count - before, atLeast: 25)
        world.run(for: .seconds(1))
        expect(world.framesNow[0]!.number, equals: world.framesNow[1]!.number)
    }

    @Test func whoHasTheFrameOfAMoveLeavesTheCoresToTheOthers() {
        var world = playing([["a"], ["b"]])
        world.command(.pause(.toggle, .group))
        world.run(for: .seconds(1))
        world.command(.scrub(.began(at: Point(100, 100))))
        let (stood, before) = (world.framesNow[0], world.decoded["b"])
        // The target lies some 240 frames after a key frame in one clip, a few in the other.
        world.command(.scrub(.moved(by: 200)))
        var waited = Time.zero
        while world.framesNow[0] == stood, waited < .seconds(2) {
            expect(world.decoded["b"], equals: before)
            world.run(for: .milliseconds(1))
            waited += .milliseconds(1)
        }
        expect(waited > .milliseconds(300) && waited < .seconds(2))
        expect(world.framesNow[0]?.number, equals: world.framesNow[1]?.number)
        world.run(for: .seconds(1))
        expect(world.decoded["b"] != before)
    }

    @Test func aThousandRepeatsASecondNeitherHangNorRunOn() {
        for command in [Change.step(by: 1, .group), .step(by: -1, .group), .seek(.by(.seconds(1)), .group)] {
            var world = playing([["a"], ["b"]], for: .seconds(5))
            for _ in 0..<1000 {
                world.command(command)
                world.run(for: .milliseconds(1))
            }
            world.run(for: .seconds(2))
            let stands = world.framesNow
            expect(stands[0]!.number, equals: stands[1]!.number)
            if case .step = command {
                world.run(for: .seconds(1))
                expect(world.framesNow, equals: stands)
            }
        }
    }

    @Test func twoStepsFasterThanTheirFramesAreTwoSteps() {
        for (count, by) in [(2, 1), (3, -1)] {
            var world = playing([["a"], ["b"]], for: .seconds(5))
            world.command(.pause(.toggle, .group))
            world.run(for: .seconds(1))
            let before = world.framesNow[0]!.number
            for _ in 0..<count { world.command(.step(by: by, .group)) }
            world.run(for: .seconds(3))
            expect(world.framesNow.map { $0!.number }, equals: [before + count * by, before + count * by])
        }
    }

    @Test func resizingDuringAScrubLosesNeitherThePlaceNorTheRelease() {
        var world = playing([["a"], ["b"]])
        world.command(.scrub(.began(at: Point(100, 100))))
        for step in 1...60 {
            world.command(.scrub(.moved(by: step * 2)))
            world.act { $0.note(.resized(to: Size(1280 + step, 720 - step)), at: $1) }
            world.run(for: .milliseconds(8))
        }
        world.run(for: .seconds(2))
        let stands = world.framesNow[0]!.number
        expect((170...176).contains(stands))
        world.command(.scrub(.ended))
        world.run(for: .seconds(1))
        expect((27...32).contains(world.framesNow[0]!.number - stands))
        expect(world.framesNow[1] != nil)
    }

    @Test func theFocusOnATileThatWaitsForItsTurnGivesItAPipeline() {
        var layout = Layout.of([["a"], ["b"], ["c"]])
        layout.overflow = .first
        var world = Simulation(layout, clips: clips, pipelines: 2)
        world.run(for: .seconds(2))
        let waiting = world.numbers(2).count
        expect(waiting, atMost: 1)
        world.command(.focus(.number(3)))
        world.run(for: .seconds(1))
        expect(world.numbers(2).count, above: 20)
        expect(world.mostLeases, atMost: 2)
    }

    @Test func tilesThatPictureInPictureHidesYieldAndComeBackInStep() {
        var world = playing([["a"], ["b"], ["b", "c"]])
        world.act { $0.note(.pictureInPictureShows(0), at: $1) }
        world.run(for: .seconds(1))
        let before = world.events.count
        world.run(for: .seconds(20))
        let tiles = Set(
            world.events[before...].compactMap { event -> String? in
                if case .lease(let tile, _, _, _) = event.what { tile } else { nil }
            })
        expect(tiles.isSubset(of: ["tile1"]))
        expect(world.slips(0, cycle: ["a"]), equals: 0)
        world.act { $0.note(.wallReturns, at: $1) }
        world.run(for: .milliseconds(250))
        let isWarm = world.wall.outlook(at: world.now).isWarm()
        expect(isWarm)
        let dropped = world.dropped
        world.act { $0.note(.pictureInPictureShows(nil), at: $1) }
        world.run(for: .milliseconds(2))
        let back = world.framesNow
        expect(back[0]!.number, equals: back[1]!.number)
        world.run(for: .seconds(3))
        expect(world.framesNow[0]!.number, equals: world.framesNow[1]!.number)
        expect(world.dropped, equals: dropped)
    }

    @Test func whatNobodySeesIsStillHeard() {
        var world = playing([["c", "b"], ["b"]])
        world.act { $0.note(.frames(.none), at: $1) }
        for _ in 0..<30 {
            world.run(for: .milliseconds(500))
            let parts = world.wall.soundScene(at: world.now).parts
            expect(parts.count, equals: 2)
            expect(parts.allSatisfy { !$0.plan.runs.isEmpty })
        }
        world.act { $0.note(.frames(.all), at: $1) }
        world.run(for: .seconds(1))
        // The wall has played 18 s: two of "c", sixteen of "b".
        expect(world.framesNow[0]!.clip, equals: "b")
        expect(world.framesNow[1]!.number - world.framesNow[0]!.number, equals: 60)
    }

    // MARK: segments

    /// Returns a wall with three segments of "c" in one tile: 0 to 0.5 s, 0.5 to 1 s at half the rate, 1 to 1.5 s. The
    /// other tile plays "b".
    private func segments() -> Simulation {
        var layout = Layout.of([["c"], ["b"]])
        let segments = [(0, 0.5, 1), (0.5, 1, 0.5), (1, 1.5, 1)].map { start, end, rate in
            var segment = Item.Segment(source: "c")
            segment.start = .milliseconds(Int64(start * 1000))
            segment.end = .milliseconds(Int64(end * 1000))
            segment.rate = Rate(rate)
            return segment
        }
        layout.tiles[0].play[0].segments = Item.Segments(segments)!
        var world = Simulation(layout, clips: clips)
        world.run(for: .seconds(1))
        return world
    }

    /// Returns the number of the frame that is due at a time in the item, in 60ths of a second. The item lasts two
    /// seconds.
    private func due(_ sixtieth: Int) -> Int {
        let at = sixtieth % 120
        return at < 30 ? at / 2 : at < 90 ? 15 + (at - 30) / 4 : 30 + (at - 90) / 2
    }

    @Test func segmentsAreSteppedThroughOverTheirBorders() {
        var world = segments()
        world.command(.home(.group))
        world.run(for: .seconds(1))
        world.command(.pause(.toggle, .group))
        world.command(.home(.group))
        world.run(for: .seconds(1))
        expect(world.framesNow[0]!.number, equals: 0)
        for step in 1...100 {
            world.command(.step(by: 1, .group))
            world.run(for: .milliseconds(300))
            expect(world.framesNow[0]!.number, equals: step % 45, "step \(step)")
        }
        for step in (0..<100).reversed() {
            world.command(.step(by: -1, .group))
            world.run(for: .milliseconds(600))
            expect(world.framesNow[0]!.number, equals: step % 45, "back to \(step)")
        }
    }

    @Test func segmentsAreSoughtAndScrubbedAsOneItem() {
        var world = segments()
        world.command(.pause(.toggle, .group))
        world.command(.home(.group))
        world.run(for: .seconds(1))
        var at = 1
        // Moves the position off the frames' edges by half of a 60th of a second.
        world.command(.seek(.by(.milliseconds(8)), .group))
        for change in [7, 19, 33, -21, 40, 17, 11, -60, 61, 83] {
            world.command(.seek(.by(Time(Int64(change), ofUnits: 1, over: 60)), .group))
            at += change
            world.run(for: .seconds(1))
            expect(world.framesNow[0]!.number, equals: due(at - 1), "at \(at)")
        }
        world.command(.home(.group))
        world.run(for: .seconds(1))
        world.command(.scrub(.began(at: Point(10, 100))))
        for pixels in [100, 170, 200, 320, 470, 490, 630, 300, 40] {
            world.command(.scrub(.moved(by: pixels)))
            world.run(for: .milliseconds(700))
            // The tile is 640 pixels wide, and the item lasts 120 60ths of a second.
            expect(world.framesNow[0]!.number, equals: due(pixels * 120 / 640), "\(pixels) pixels")
        }
    }
}
