import TestKit
import Testing

extension WallTests {
    /// Keys on a wall that plays, read back by the camera.
    @Suite(.serialized) struct Hands {
        private func number(_ film: Film, _ tile: Int) -> Int? {
            film.runs(of: tile).last { $0.mark != nil }?.mark?.number
        }

        /// What two tiles show once they stand still.
        private func standing(_ camera: Camera) -> (Int?, Int?) {
            Clock.pass(0.8)
            let film = camera.film.between(Clock.now - 0.4, Clock.now)
            #expect(film.runs(of: 0).count == 1 && film.runs(of: 1).count == 1, "it does not stand still")
            return (number(film, 0), number(film, 1))
        }

        @Test func pauseStepSeekAndHomeAreTrueToThePictureInAllTiles() throws {
            let stage = try Stage(640, 180)
            let clips = try [1, 2].map { id in
                try clip(id, pictures: 600) { ($0.gop, $0.bFrames) = (60, 2) }.file()
            }
            let program = try stage.play(clips + ["--for", "40"])
            let camera = try stage.camera(Tile(Area(0, 0, 320, 180)), Tile(Area(320, 0, 320, 180)))
            #expect(camera.waitUntilReadable(atMost: 4))
            let keys = Keys(stage.display)
            Clock.pass(2)
            try keys.press("space")
            let paused = standing(camera)
            let at = try #require(paused.0)
            #expect(paused.1 == at)
            try keys.press("period")
            #expect(standing(camera) == (at + 1, at + 1))
            try keys.press("comma")
            try keys.press("comma")
            #expect(standing(camera) == (at - 1, at - 1))
            try keys.press("Right")
            #expect(standing(camera) == (at + 149, at + 149))
            try keys.press("shift+Left")
            #expect(standing(camera) == (at + 119, at + 119))
            try keys.press("Home")
            #expect(standing(camera) == (0, 0))
            try keys.press("space")
            Clock.pass(1.5)
            try keys.press("q")
            #expect(program.child.wait(atMost: 5) == 0)
            let film = camera.stop()
            #expect(film.runs(of: 0).count { $0.mark == nil && $0.duration > 0.05 } <= 2)
        }
    }
}
