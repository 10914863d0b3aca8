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

        /// A tile shows the difference of two tiles. From their first frames on it is black. If frames of two instants
        /// were compared, the marks of both show.
        @Test(.tags(.alone)) func aPairIsNeverAFrameApartOverSeamsAndSeeks() throws {
            let stage = try Stage(640, 360)
            let films = try twins(frames: 75)
            let layout = try Stage.layout(
                tiles: [
                    ["id": "left", "play": films[0], "rect": [0, 0, 0.5, 0.5]],
                    ["id": "right", "play": films[1], "rect": [0.5, 0, 0.5, 0.5]],
                    ["id": "ab", "compare": ["left", "right"], "mode": "difference", "rect": [0, 0.5, 0.5, 0.5]],
                ], ["groups": ["main": ["loop": "together"]]])
            let path = "/tmp/quadrille-test-\(UUID().uuidString.prefix(8)).sock"
            let program = try stage.play([layout, "--for", "60", "--ipc", path], counting: .decoders)
            let playing = try stage.camera(stage.quadrants[0], stage.quadrants[1])
            #expect(playing.waitUntilReadable(atMost: 5))
            playing.stop()
            let client = try #require(ControlClient(path))
            let compared = try Camera(stage.display, [stage.quadrants[2]])
            Clock.pass(5)
            client.ask("seek", -1)
            Clock.pass(1)
            let readings = compared.stop().shots.map { $0.readings[0] }
            #expect(readings.count > 300)
            let apart = readings.count { $0 != .black }
            #expect(apart == 0, "\(apart) of \(readings.count)")
            // One frame apart: the marks of both are seen.
            client.ask("nudge", "right", 0.034)
            Clock.pass(0.5)
            let nudged = try Camera(stage.display, [stage.quadrants[2]])
            Clock.pass(1)
            let shots = nudged.stop().shots
            #expect(shots.count > 20 && shots.allSatisfy { $0.readings[0] != .black })
            let dropped = client.number("tiles/left/missed")
            client.ask("quit")
            #expect(program.child.wait(atMost: 5) == 0, "\(program.child.errors)")
            #expect(dropped == 0)
            #expect(try #require(program.decoders).most <= 2)
        }

        @Test func theKeyComparesOverTheWholeWallAndGoesBack() throws {
            let stage = try Stage(640, 180)
            let program = try stage.play(try twins(frames: 300) + ["--for", "60", "--paused"])
            let tiles = [Tile(Area(0, 0, 320, 180)), Tile(Area(320, 0, 320, 180))]
            let camera = try stage.camera(tiles[0], tiles[1])
            defer { camera.stop() }
            #expect(camera.waitUntilReadable(atMost: 5))
            let keys = Keys(stage.display)
            try keys.press("c")
            try keys.press("v")
            let middle = Area(160, 0, 320, 180)
            #expect(Clock.wait(atMost: 3) { (try? Photo(stage.display))?.read(Tile(middle)) == .black })
            try keys.press("Escape")
            #expect(
                Clock.wait(atMost: 3) { camera.latest(0)?.isFrame == true && camera.latest(1)?.isFrame == true })
            try keys.press("q")
            #expect(program.child.wait(atMost: 5) == 0, "\(program.child.errors)")
        }
    }
}
