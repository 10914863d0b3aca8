import Expectations
import TestKit
import Testing

extension WallTests {
    /// Loops and changes of item are invisible, with four decoders for four tiles.
    @Suite(.tags(.timed)) struct Seams {
        static func h264(_ id: Int, _ frames: Int) -> Witness {
            clip(id, frames: frames) { ($0.width, $0.height, $0.gop, $0.bFrames) = (1280, 720, 60, 2) }
        }
        static func vp9(_ id: Int, _ frames: Int) -> Witness {
            clip(id, frames: frames) { ($0.codec, $0.container) = (.vp9, .webm) }
        }

        /// Plays two alternating clips of the given length in each tile. Returns what the camera saw of each.
        private func alternate(
            _ lengths: [Int], pipelines: Int, seconds: Double, late: Double = Limit.late, on stage: Stage
        ) throws -> (seen: [Succession], decoders: Int, trace: Trace, film: Film) {
            let clips = lengths.enumerated().map { (Self.h264(2 * $0, $1), Self.vp9(2 * $0 + 1, $1)) }
            let layout: [[String: Any]] = try clips.map { ["play": [try $0.0.file(), try $0.1.file()]] }
            let program = try stage.play(
                tiles: layout, ["grid": ["columns": 2, "rows": 2]],
                options: ["--pipelines", "\(pipelines)", "--for", "\(seconds + 1)"], counting: .decoders)
            let camera = try Camera(stage.display, Array(stage.quadrants.prefix(lengths.count)))
            expect(camera.waitUntilReadable(atMost: 4))
            expect(program.child.wait(atMost: seconds + 15), equals: 0)
            let film = camera.stop().show
            let seen = clips.enumerated().map { tile, clips in
                let numbers = 0..<lengths[tile]
                return Succession(
                    film.runs(of: tile), playing: [(clips.0.clip, numbers), (clips.1.clip, numbers)], blink: blink)
            }
            for seam in program.trace.events("seam") {
                expectInTime(
                    seam.number("late-ms") ?? .infinity, .milliseconds, atMost: late * 1000,
                    "a seam of \(seam.tile ?? "")")
            }
            return (seen, try #require(program.decoders).most, program.trace, film)
        }

        @Test(.tags(.large, .exact)) func fourTilesThatEndTogetherChangeTheirCodecUnseen() throws {
            let stage = try Stage(1280, 720)
            let (seen, decoders, trace, film) = try alternate([60, 60, 60, 60], pipelines: 4, seconds: 10, on: stage)
            for (tile, seen) in seen.enumerated() { expectUnbroken(seen, "tile \(tile)", seams: 2) }
            expect(decoders, atMost: 4)
            for other in 1..<4 { expect(film.differing(0, other), atMost: max(2, film.shots.count / 200)) }
            expect(trace.events("seam").count, atLeast: 16)
        }

        @Test(.tags(.large, .exact)) func shortClipsToo() throws {
            let stage = try Stage(1280, 720)
            // One tile opens thirty decoders a second. No frame is later than the display's next refresh.
            let (seen, decoders, _, _) = try alternate(
                [6, 15, 45, 1], pipelines: 4, seconds: 7, late: 1.0 / 60, on: stage)
            for (tile, seen) in seen.enumerated() { expectUnbroken(seen, "tile \(tile)", seams: 2) }
            expect(decoders, atMost: 4)
        }

        @Test func nineTilesTakeTurnsOnFourPipelines() throws {
            let stage = try Stage(960, 540)
            let clips = (0..<9).map { clip($0, frames: 60) }
            let program = try stage.play(
                tiles: try clips.map { ["play": try $0.file()] }, ["overflow": ["rotate": 2]],
                options: ["--for", "11"], counting: .decoders)
            let cells = (0..<9).map { Tile(stage.whole.cell($0 % 3, $0 / 3, of: 3, by: 3)) }
            let camera = try Camera(stage.display, cells)
            expect(camera.waitUntilReadable(atMost: 3 + program.child.began - RealTime.now))
            expect(program.child.wait(atMost: 25), equals: 0)
            let film = camera.stop().show
            for tile in 0..<9 {
                expect(film.count(of: .unreadable, in: tile) == 0 && film.count(of: .black, in: tile) == 0)
                expect(film.runs(of: tile).count { $0.mark != nil }, above: 20, "tile \(tile) had no turn")
            }
            try expect(#require(program.decoders).most, atMost: 4)
        }

        @Test(.tags(.exact)) func threeClipsBeginEachIterationAtOnePresent() throws {
            let stage = try Stage(960, 180)
            let lengths = [60, 69, 33]
            let program = try stage.play(
                tiles: try lengths.enumerated().map { ["play": try clip($0 + 1, frames: $1).file()] },
                ["groups": ["main": ["loop": "together", "until": "longest"]], "grid": ["columns": 3, "rows": 1]],
                options: ["--for", "12"])
            let camera = try Camera(stage.display, (0..<3).map { Tile(Area(320 * $0, 0, 320, 180)) })
            expect(camera.waitUntilReadable(atMost: 4))
            expect(program.child.wait(atMost: 30), equals: 0)
            let film = camera.stop().show
            let seen = (0..<3).map { Succession(film.runs(of: $0), looping: $0 + 1, lengths[$0], blink: blink) }
            for (tile, seen) in seen.enumerated() {
                // The others wait for the longest tile with their last frame.
                let waits = 69 - lengths[tile]
                expectUnbroken(seen, "tile \(tile)", holds: Limit.hold + Double(waits), seams: 4, waiting: waits)
            }
            // One present changes all tiles, except in a shot taken in the middle of it.
            let apart = zip(seen[0].seams, zip(seen[1].seams, seen[2].seams)).count {
                abs($0 - $1.0) > 0.012 || abs($0 - $1.1) > 0.012
            }
            expect(apart, atMost: 1)
        }

        /// Expects one tile to play a sequence without a missing frame, and with holds of a few frames at most.
        private func expectOrder(
            _ items: [(clip: Int, numbers: Range<Int>)], from play: [Any], seconds: Double, frame: Double = 1.0 / 30
        ) throws {
            let stage = try Stage(640, 360)
            let program = try stage.play(
                tiles: [["play": play]], options: ["--pipelines", "1", "--for", "\(seconds)"], counting: .decoders)
            let camera = try stage.camera(Tile(stage.whole))
            expect(camera.waitUntilReadable(atMost: 4))
            expect(program.child.wait(atMost: seconds + 15), equals: 0)
            let seen = Succession(camera.stop().show.runs(of: 0), playing: items, blink: blink)
            expectUnbroken(seen, frame: frame)
            try expect(#require(program.decoders).most, equals: 1)
        }

        /// While the other clip plays for a second, 180 frames are decoded that are not shown.
        @Test(.tags(.exact)) func longGroupsOfFramesAreEnteredToTheFrame() throws {
            let long = clip(1, frames: 250) { ($0.gop, $0.bFrames) = (250, 2) }
            let other = clip(2, frames: 30) { ($0.codec, $0.container) = (.vp9, .webm) }
            // From 6 s to 8 s: the frames 180 to 239, with the only key frame at 0.
            try expectOrder(
                [(1, 180..<240), (2, 0..<30)],
                from: [["src": try long.file(), "in": 6, "out": 8] as [String: Any], try other.file()], seconds: 8)
        }
    }
}
