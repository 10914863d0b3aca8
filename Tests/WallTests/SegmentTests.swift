import TestKit
import Testing

extension WallTests {
    /// Commands to an item of three segments: half a second, the next half at half speed, and another half.
    @Suite(.tags(.timed)) struct Segments {
        private func play(_ stage: Stage, _ options: [String]) throws -> Program {
            let file = try clip(1) { ($0.gop, $0.bFrames) = (30, 2) }.file()
            let segments: [[String: Any]] = [
                ["src": file, "in": 0, "out": 0.5], ["src": file, "in": 0.5, "out": 1, "rate": 0.5],
                ["src": file, "in": 1, "out": 1.5],
            ]
            let item: [String: Any] = ["segments": segments]
            return try stage.play(tiles: [["play": item], ["play": item]], options: options)
        }

        @Test func aDragFindsTheFrameOfItsSegmentAndStepsCrossTheBorders() throws {
            let stage = try Stage(640, 180)
            let program = try play(stage, ["--paused", "--for", "90"])
            let camera = try stage.camera(Tile(Area(0, 0, 320, 180)), Tile(Area(320, 0, 320, 180)))
            defer { camera.stop() }
            #expect(camera.waitUntilReadable(atMost: 4))
            let keys = Keys(stage.display)
            // The drag goes to half of two seconds, in the middle of the slow segment. Its frames last twice as long.
            try keys.drag(from: (80, 90), to: (240, 92), steps: 40)
            let middle = try #require(camera.standing()[0])
            #expect(abs(middle - 22) <= 1)
            for _ in middle..<30 { try keys.press("period") }
            #expect(camera.standing() == [30, 30])
            try keys.press("comma")
            #expect(camera.standing() == [29, 29])
            try keys.press("period")
            // One second on from 1.5 of 2 seconds is half a second into the next iteration, where the slow segment
            // begins.
            try keys.press("shift+Right")
            #expect(camera.standing() == [15, 15])
            try keys.press("comma")
            #expect(camera.standing() == [14, 14])
            try keys.press("q")
            #expect(program.child.wait(atMost: 5) == 0, "\(program.child.errors)")
        }

        @Test func eachFrameIsShownForItsStretchedTime() throws {
            let stage = try Stage(640, 180)
            let program = try play(stage, ["--for", "7"])
            let camera = try stage.camera(Tile(Area(0, 0, 320, 180)), Tile(Area(320, 0, 320, 180)))
            #expect(program.child.wait(atMost: 15) == 0)
            let film = camera.stop().show
            #expect(film.differing(0, 1) <= max(2, film.shots.count / 200))
            let numbers: [(clip: Int, numbers: Range<Int>)] = [(1, 0..<45)]
            // The slow segment's frames last twice as long. The frames seen account for at least two thirds of the
            // time.
            expectUnbroken(
                Succession(film.runs(of: 0), playing: numbers, blink: blink), frame: 1.0 / 15, holds: 1.3, seams: 2)
            let runs = film.runs(of: 0).dropFirst().dropLast()
            let slow = runs.filter { (15..<30).contains($0.mark?.number ?? -1) }.map(\.duration).sorted()
            let usual = runs.filter { (0..<15).contains($0.mark?.number ?? -1) }.map(\.duration).sorted()
            #expect(slow.count >= 40 && usual.count >= 40)
            #expect((1.8...2.2).contains(slow[slow.count / 2] / usual[usual.count / 2]))
            #expect(Set(runs.compactMap { $0.mark?.number }) == Set(0..<45))
        }
    }
}
