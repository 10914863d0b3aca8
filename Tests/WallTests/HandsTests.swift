import Expectations
import TestKit
import Testing

extension WallTests {
    /// Keys on a wall that plays, read back by the camera.
    @Suite(.tags(.timed)) struct Hands {
        /// Starts two tiles that play in step, and a camera that watches them.
        private func pair() throws -> (stage: Stage, program: Program, camera: Camera, keys: Keys) {
            let stage = try Stage(640, 180)
            let clips = try [1, 2].map { id in
                try clip(id, frames: 600) { ($0.gop, $0.bFrames) = (60, 2) }.file()
            }
            let program = try stage.play(clips + ["--for", "60"])
            let camera = try stage.camera(Tile(Area(0, 0, 320, 180)), Tile(Area(320, 0, 320, 180)))
            expect(camera.waitUntilReadable(atMost: 4))
            RealTime.pass(2)
            return (stage, program, camera, Keys(stage.display))
        }

        @Test func pauseAndStepsAreTrueToTheFrameInAllTiles() throws {
            let (_, program, camera, keys) = try pair()
            defer { camera.stop() }
            try keys.press("space")
            let paused = camera.standing()
            let at = try #require(paused[0])
            expect(paused[1], equals: at)
            let shown = program.trace.events("picture").count
            try keys.press("comma")
            expect(camera.standing(), equals: [at - 1, at - 1])
            // Frames before the target are decoded too, and not shown.
            expect(program.trace.events("picture").count, equals: shown + 2)
            try keys.press("period")
            expect(camera.standing(), equals: [at, at])
            try keys.press("q")
            expect(program.child.wait(atMost: 5), equals: 0, "\(program.child.errors)")
        }

        /// Waits until all four tiles stand at one instant.
        private func stands(_ program: Program, after clocks: Int) -> Bool {
            RealTime.wait(atMost: 3) {
                let trace = program.trace
                guard trace.events("clock").count > clocks else { return false }
                let last = Dictionary(trace.events("picture").map { ($0.tile, $0.number("pts")) }) { $1 }
                return last.count == 4 && Set(last.values).count == 1
            }
        }

        /// Decoding from the last key frame on would take a quarter of a second.
        @Test(.tags(.large)) func theFirstStepBackAfterPlayingTakesNoDecoding() throws {
            let stage = try Stage(1280, 720)
            let clips = try (1...4).map { id in
                try clip(id, frames: 300) { ($0.width, $0.height, $0.gop) = (1280, 720, 60) }.file()
            }
            let program = try stage.play(clips + ["--for", "60"])
            let camera = try Camera(stage.display, stage.quadrants)
            expect(camera.waitUntilReadable(atMost: 4))
            camera.stop()
            let fingers = try Fingers(stage.display)
            var times: [Double] = []
            for round in 0..<7 {
                RealTime.pass(0.8 + Double(round) / 30)
                let before = program.trace.events("clock").count
                fingers.press("space")
                expect(stands(program, after: before))
                let clocks = program.trace.events("clock").count
                let frames = program.trace.events("picture").count
                fingers.press("comma")
                expect(RealTime.wait(atMost: 2) { program.trace.events("picture").count >= frames + 4 })
                // Time from the clock's change to the present of the fourth tile.
                let began = try #require(program.trace.events("clock").dropFirst(clocks).first).time
                let shown = program.trace.events("picture").dropFirst(frames)
                expect(
                    Set(shown.map(\.tile)).count == 4 && shown.count == 4,
                    "\(began): \(shown.map { "\($0.tile ?? "") \($0.time) \($0.fields)" })")
                times.append((try #require(shown.last).time - began) * 1000)
                fingers.press("space")
            }
            // One or two steps may wait for a core.
            expect(times.sorted()[3], below: 40, "\(times)")
            fingers.press("q")
            expect(program.child.wait(atMost: 5), equals: 0, "\(program.child.errors)")
        }

        @Test func aDragOverHalfATileIsHalfItsItem() throws {
            let stage = try Stage(640, 180)
            let clips = try [1, 2].map { id in try clip(id, frames: 600) { $0.gop = 60 }.file() }
            let program = try stage.play(clips + ["--paused", "--for", "40"])
            let camera = try stage.camera(Tile(Area(0, 0, 320, 180)), Tile(Area(320, 0, 320, 180)))
            defer { camera.stop() }
            expect(camera.waitUntilReadable(atMost: 4))
            let keys = Keys(stage.display)
            try keys.drag(from: (80, 60), to: (84, 140))
            expect(camera.standing(), equals: [0, 0])
            try keys.drag(from: (80, 90), to: (240, 92), steps: 40)
            let landed = camera.standing()
            expect(abs(try #require(landed[0]) - 300), atMost: 2)
            expect(landed[0], equals: landed[1])
            try keys.press("q")
            expect(program.child.wait(atMost: 5), equals: 0, "\(program.child.errors)")
        }

        @Test func aZoomedTileFillsTheWallAndPlaysOn() throws {
            let stage = try Stage(640, 360)
            let clips = try (1...4).map { try clip($0, frames: 300).file() }
            let program = try stage.play(clips + ["--for", "40"])
            let small = try Camera(stage.display, stage.quadrants)
            defer { small.stop() }
            expect(small.waitUntilReadable(atMost: 4))
            let keys = Keys(stage.display)
            try keys.press("2")
            try keys.press("z")
            RealTime.pass(marksGone)
            let whole = try Camera(stage.display, [Tile(stage.whole)])
            RealTime.pass(3)
            let zoomed = whole.stop().show
            let seen = Succession(zoomed.runs(of: 0), looping: 2, 300, blink: blink)
            expectUnbroken(seen, "the zoomed tile", seams: 0)
            try keys.press("3")
            RealTime.pass(marksGone)
            let other = try Camera(stage.display, [Tile(stage.whole)])
            RealTime.pass(1)
            let flipped = other.stop().show
            expect(flipped.firstFrame(of: 3, in: 0) != nil)
            try keys.press("Escape")
            RealTime.pass(marksGone + 1.2)
            let film = small.stop().between(RealTime.now - 1, RealTime.now)
            for tile in 1..<4 { expect(film.differing(0, tile), atMost: max(2, film.shots.count / 100)) }
            try keys.press("q")
            expect(program.child.wait(atMost: 5), equals: 0, "\(program.child.errors)")
        }

        @Test func pictureInPictureGoesOnAndComesBack() throws {
            let stage = try Stage(640, 360)
            let clips = try (1...2).map { try clip($0, frames: 300).file() }
            let program = try stage.play(clips + ["--for", "40"])
            let keys = Keys(stage.display)
            let camera = try Camera(stage.display, [Tile(Area(0, 90, 320, 180)), Tile(Area(320, 90, 320, 180))])
            defer { camera.stop() }
            expect(camera.waitUntilReadable(atMost: 4))
            try keys.press("2")
            try keys.press("w")
            // The small window is 320 x 180, 24 pixels from the lower right corner.
            let corner = try Camera(stage.display, [Tile(Area(296, 156, 320, 180))])
            expect(corner.waitUntilReadable(atMost: 5))
            RealTime.pass(2)
            let seen = Succession(corner.stop().show.runs(of: 0), looping: 2, 300, blink: blink)
            expectUnbroken(seen, "the small window", seams: 0)
            try keys.drag(from: (400, 250), to: (290, 180), steps: 8)
            let moved = try Camera(stage.display, [Tile(Area(186, 86, 320, 180))])
            expect(moved.waitUntilReadable(atMost: 5))
            moved.stop()
            // The small window belongs to one tile, and stays small.
            try keys.press("f")
            try keys.press("1")
            try keys.press("w")
            expect(camera.waitUntilReadable(atMost: 5))
            try keys.press("q")
            expect(program.child.wait(atMost: 5), equals: 0, "\(program.child.errors)")
            let states = program.trace.events("pip").compactMap { $0.fields["state"] as? String }
            expect(states, equals: ["will-start", "started", "will-stop", "stopped"])
        }
    }
}
