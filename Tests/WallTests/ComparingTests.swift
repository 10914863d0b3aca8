import Expectations
import Foundation
import TestKit
import Testing

extension WallTests {
    /// Tiles that compare, read back from the display.
    @Suite(.tags(.timed)) struct Comparing {
        /// Returns two files with the same frames. If they are in step, their difference is black.
        private func twins(frames: Int) throws -> [String] {
            let film = try clip(1, frames: frames) { ($0.gop, $0.bFrames) = (30, 2) }.file()
            let twin = Scratch.path("twin.mp4")
            try FileManager.default.copyItem(atPath: film, toPath: twin)
            return [film, twin]
        }

        @Test func theKeyComparesOverTheWholeWallAndGoesBack() throws {
            let stage = try Stage(640, 180)
            let program = try stage.play(try twins(frames: 300) + ["--for", "60", "--paused"])
            let tiles = [Tile(Area(0, 0, 320, 180)), Tile(Area(320, 0, 320, 180))]
            let camera = try stage.camera(tiles[0], tiles[1])
            defer { camera.stop() }
            expect(camera.waitUntilReadable(atMost: 5))
            let keys = Keys(stage.display)
            try keys.press("c")
            try keys.press("v")
            let middle = Area(160, 0, 320, 180)
            expect(RealTime.wait(atMost: 3) { (try? Photo(stage.display))?.read(Tile(middle)) == .black })
            try keys.press("Escape")
            expect(RealTime.wait(atMost: 3) { camera.latest(0)?.isFrame == true && camera.latest(1)?.isFrame == true })
            try keys.press("q")
            expect(program.child.wait(atMost: 5), equals: 0, "\(program.child.errors)")
        }
    }
}
