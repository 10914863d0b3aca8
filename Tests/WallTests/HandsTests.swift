import TestKit
import Testing

extension WallTests {
    /// Keys on a wall that plays, read back by the camera.
    @Suite(.serialized) struct Hands {
        /// After a command, tiles say what they are doing for a while; that lies over the witnesses' strips.
        private let marksGone = 2.5

        private func number(_ film: Film, _ tile: Int) -> Int? {
            film.runs(of: tile).last { $0.mark != nil }?.mark?.number
        }

        /// What two tiles show once they stand still.
        private func standing(_ camera: Camera) -> (Int?, Int?) {
            Clock.pass(marksGone + 0.5)
            let film = camera.film.between(Clock.now - 0.4, Clock.now)
            #expect(film.runs(of: 0).count == 1 && film.runs(of: 1).count == 1, "it does not stand still")
            return (number(film, 0), number(film, 1))
        }

        @Test func pauseStepSeekAndHomeAreTrueToThePictureInAllTiles() throws {
            let stage = try Stage(640, 180)
            let clips = try [1, 2].map { id in
                try clip(id, pictures: 600) { ($0.gop, $0.bFrames) = (60, 2) }.file()
            }
            let program = try stage.play(clips + ["--for", "60"])
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
            #expect(program.child.wait(atMost: 5) == 0, "\(program.child.errors)")
            let film = camera.stop().show
            #expect(film.count(of: .black, in: 0) == 0)
        }

        @Test func aDragOverHalfATileIsHalfItsItem() throws {
            let stage = try Stage(640, 180)
            let clips = try [1, 2].map { id in try clip(id, pictures: 600) { $0.gop = 60 }.file() }
            let program = try stage.play(clips + ["--paused", "--for", "40"])
            let camera = try stage.camera(Tile(Area(0, 0, 320, 180)), Tile(Area(320, 0, 320, 180)))
            #expect(camera.waitUntilReadable(atMost: 4))
            let keys = Keys(stage.display)
            try keys.drag(from: (80, 60), to: (84, 140))
            #expect(standing(camera) == (0, 0))
            try keys.drag(from: (80, 90), to: (240, 92), steps: 40)
            let (one, other) = standing(camera)
            #expect(abs(try #require(one) - 300) <= 2)
            #expect(one == other)
            try keys.press("q")
            #expect(program.child.wait(atMost: 5) == 0, "\(program.child.errors)")
        }

        @Test func aZoomedTileFillsTheWallAndPlaysOn() throws {
            let stage = try Stage(640, 360)
            let clips = try (1...4).map { try clip($0, pictures: 300).file() }
            let program = try stage.play(clips + ["--for", "40"])
            let small = try Camera(stage.display, stage.quadrants)
            #expect(small.waitUntilReadable(atMost: 4))
            let keys = Keys(stage.display)
            try keys.press("2")
            try keys.press("z")
            Clock.pass(marksGone)
            let whole = try Camera(stage.display, [Tile(stage.whole)])
            Clock.pass(3)
            let zoomed = whole.stop().show
            let seen = Succession(zoomed.runs(of: 0), looping: 2, 300, blink: blink)
            #expect(seen.steps > 60)
            #expect(seen.missing.isEmpty && seen.backward.isEmpty)
            try keys.press("3")
            Clock.pass(marksGone)
            let other = try Camera(stage.display, [Tile(stage.whole)])
            Clock.pass(1)
            let flipped = other.stop().show
            #expect(flipped.firstPicture(of: 3, in: 0) != nil)
            try keys.press("Escape")
            Clock.pass(marksGone + 1.2)
            let film = small.stop().between(Clock.now - 1, Clock.now)
            for tile in 1..<4 { #expect(film.differing(0, tile) <= max(2, film.shots.count / 100)) }
            try keys.press("q")
            #expect(program.child.wait(atMost: 5) == 0, "\(program.child.errors)")
        }

        @Test func pictureInPictureGoesOnAndComesBack() throws {
            let stage = try Stage(640, 360)
            let clips = try (1...2).map { try clip($0, pictures: 300).file() }
            let program = try stage.play(clips + ["--for", "40"])
            let keys = Keys(stage.display)
            let camera = try Camera(stage.display, [Tile(Area(0, 90, 320, 180)), Tile(Area(320, 90, 320, 180))])
            #expect(camera.waitUntilReadable(atMost: 4))
            try keys.press("2")
            try keys.press("w")
            // 320 x 180, 24 pixels from the lower right corner.
            let corner = try Camera(stage.display, [Tile(Area(296, 156, 320, 180))])
            #expect(corner.waitUntilReadable(atMost: 5))
            Clock.pass(2)
            let seen = Succession(corner.stop().show.runs(of: 0), looping: 2, 300, blink: blink)
            #expect(seen.steps > 40 && seen.missing.isEmpty)
            try keys.press("w")
            #expect(camera.waitUntilReadable(atMost: 5))
            try keys.press("q")
            #expect(program.child.wait(atMost: 5) == 0, "\(program.child.errors)")
            let states = program.trace.events("pip").compactMap { $0.fields["state"] as? String }
            #expect(states == ["will-start", "started", "will-stop", "stopped"])
        }
    }
}
