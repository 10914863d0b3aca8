import Expectations
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

        @Test func aDragFindsTheFrameOfItsSegment() throws {
            let stage = try Stage(640, 180)
            let program = try play(stage, ["--paused", "--for", "90"])
            let camera = try stage.camera(Tile(Area(0, 0, 320, 180)), Tile(Area(320, 0, 320, 180)))
            defer { camera.stop() }
            expect(camera.waitUntilReadable(atMost: 4))
            let keys = Keys(stage.display)
            // The drag goes to half of two seconds, in the middle of the slow segment. Its frames last twice as long.
            try keys.drag(from: (80, 90), to: (240, 92), steps: 40)
            let middle = try #require(camera.standing()[0])
            expect(abs(middle - 22), atMost: 1)
            try keys.press("q")
            expect(program.child.wait(atMost: 5), equals: 0, "\(program.child.errors)")
        }
    }
}
