import TestKit
import Testing

extension WallTests {
    @Suite(.tags(.timed)) struct Sequences {
        /// Plays one tile over the whole wall for `seconds`, and checks that exactly `items` followed each other.
        private func expect(
            _ items: [(clip: Int, numbers: Range<Int>)], from play: Any, _ tile: [String: Any] = [:],
            _ rest: [String: Any] = [:], seconds: Double, frame: Double = 1.0 / 30, seams: Int
        ) throws {
            let stage = try Stage(320, 180)
            let program = try stage.play(
                tiles: [tile.merging(["play": play]) { $1 }], rest, options: ["--for", "\(seconds + 1)"])
            let camera = try stage.camera(Tile(stage.whole))
            #expect(camera.waitUntilReadable(atMost: 4))
            #expect(program.child.wait(atMost: seconds + 10) == 0)
            let seen = Succession(camera.stop().show.runs(of: 0), playing: items, blink: blink)
            expectUnbroken(seen, frame: frame, seams: seams)
        }

        @Test func inAndOutAreTrueToTheFrame() throws {
            // From 0.5 s to 1.5 s: the frames 15 to 44, though key frames stand at 0 and 30.
            try expect(
                [(1, 15..<45)], from: ["src": try clip(1).file(), "in": 0.5, "out": "0:01.5"] as [String: Any],
                seconds: 4, seams: 2)
        }

        @Test func itemsFollowEachOtherWithoutAGap() throws {
            let one = try clip(1, frames: 30).file()
            let two = try clip(2, frames: 25) { ($0.codec, $0.container, $0.rate) = (.vp9, .webm, Rate(25)) }.file()
            try expect([(1, 0..<30), (2, 0..<25)], from: [one, two], seconds: 6, frame: 1.0 / 25, seams: 2)
        }

        @Test func anItemIsRepeatedAsOftenAsSaid() throws {
            let one: [String: Any] = ["src": try clip(1, frames: 20).file(), "repeat": 3]
            let two = try clip(2, frames: 20).file()
            try expect([(1, 0..<20), (1, 0..<20), (1, 0..<20), (2, 0..<20)], from: [one, two], seconds: 6, seams: 1)
        }

        @Test func aStillStandsForItsTimeBetweenTwoClips() throws {
            let stage = try Stage(320, 180)
            let still: [String: Any] = ["src": try clip(3).still(7), "duration": 0.8]
            let play: [Any] = [try clip(1, frames: 20).file(), still, try clip(2, frames: 20).file()]
            let program = try stage.play(tiles: [["play": play]], options: ["--for", "6"])
            let camera = try stage.camera(Tile(stage.whole))
            #expect(program.child.wait(atMost: 15) == 0)
            let film = camera.stop().show
            let holds = film.runs(of: 0).filter { $0.mark == Mark(clip: 3, number: 7) }.dropLast()
            #expect(holds.count >= 2)
            for hold in holds { expectInTime(abs(hold.duration - 0.8), atMost: 0.03, "a still's time is off") }
            let seen = Succession(film.runs(of: 0), playing: [(1, 0..<20), (3, 7..<8), (2, 0..<20)], blink: blink)
            expectUnbroken(seen, holds: 0.8 * 30 + 1, waiting: 23)
        }

        @Test(arguments: [1, 2]) func aNumberOfIterationsEndsWithTheLastFrame(_ passes: Int) throws {
            let stage = try Stage(320, 180)
            let loop: Any = passes == 1 ? false : passes
            let program = try stage.play(
                tiles: [["play": try clip(1, frames: 30).file(), "loop": loop]], options: ["--for", "5"])
            let camera = try stage.camera(Tile(stage.whole))
            #expect(program.child.wait(atMost: 15) == 0)
            let runs = camera.stop().show.runs(of: 0).filter { $0.mark != nil }
            #expect(runs.count { $0.mark?.number == 29 } == passes)
            #expect(runs.last?.mark == Mark(clip: 1, number: 29))
            #expect(try #require(runs.last).duration > 0.8)
        }

        @Test func anOffsetIsKept() throws {
            let stage = try Stage(640, 180)
            let file = try clip(1, frames: 90).file()
            let program = try stage.play(
                tiles: [["play": file], ["play": file, "offset": 0.5]], ["groups": ["main": ["loop": "each"]]],
                options: ["--for", "6"])
            let camera = try stage.camera(Tile(Area(0, 0, 320, 180)), Tile(Area(320, 0, 320, 180)))
            #expect(camera.waitUntilReadable(atMost: 4))
            #expect(program.child.wait(atMost: 15) == 0)
            let film = camera.stop().show
            let apart = film.shots.compactMap { shot -> Int? in
                guard case .frame(let one) = shot.readings[0], case .frame(let two) = shot.readings[1] else {
                    return nil
                }
                return (two.number - one.number + 90) % 90
            }
            #expect(apart.count > 200)
            expectInTime(
                Double(apart.count { $0 != 15 }), atMost: Double(apart.count / 20),
                "shots in which they are not 0.5 s apart")
            #expect(apart.allSatisfy { (13...17).contains($0) })
        }

        @Test func aGroupBeginsEachIterationAtOneInstant() throws {
            let stage = try Stage(640, 180)
            let program = try stage.play(
                tiles: [["play": try clip(1, frames: 60).file()], ["play": try clip(2, frames: 69).file()]],
                ["groups": ["main": ["loop": "together", "until": "longest"]]], options: ["--for", "10"])
            let camera = try stage.camera(Tile(Area(0, 0, 320, 180)), Tile(Area(320, 0, 320, 180)))
            #expect(camera.waitUntilReadable(atMost: 4))
            #expect(program.child.wait(atMost: 22) == 0)
            let film = camera.stop().show
            let short = Succession(film.runs(of: 0), looping: 1, 60, blink: blink)
            let long = Succession(film.runs(of: 1), looping: 2, 69, blink: blink)
            // The shorter film waits with its last frame: 0.3 s and the frame's own duration.
            expectUnbroken(short, "the shorter", holds: 10 + Limit.hold - 1, seams: 3, waiting: 9)
            expectUnbroken(long, "the longer", seams: 3)
            #expect(short.longestHeld?.number == 59)
            #expect(short.longestHold > 0.3)
            #expect(short.seams.count == long.seams.count)
            for (one, other) in zip(short.seams, long.seams) {
                expectInTime(abs(one - other), atMost: 1.0 / 60, "a pass begins apart")
            }
            // The tiles differ between the start of an iteration in one and that in the other, which is judged above.
            let begins = zip(short.seams, long.seams).map { min($0, $1)...max($0, $1) }
            let between = film.leavingOut { time in begins.contains { $0.contains(time) } }
            #expect(between.shots.count > film.shots.count / 2 && between.differing(0, 1, by: 10) == 0)
        }
    }
}
