import Expectations
import TestKit
import Testing

extension WallTests {
    /// Events that come too fast, out of order, or for something that is gone.
    @Suite struct Pressure {
        private func twoTiles(_ stage: Stage, _ options: [String] = []) throws -> (Program, Camera) {
            // The clip has more frames than any test presses keys, so steps never reach its end.
            let clips = try [1, 2].map { id in try clip(id, frames: 1200) { $0.gop = 60 }.file() }
            let program = try stage.play(clips + options + ["--for", "60"])
            let camera = try stage.camera(Tile(Area(0, 0, 320, 180)), Tile(Area(320, 0, 320, 180)))
            expect(camera.waitUntilReadable(atMost: 4))
            return (program, camera)
        }

        private func quit(_ program: Program, _ keys: Keys) throws {
            // The window may have been replaced.
            try keys.focus(try #require(try keys.windows("").last))
            try keys.press("q")
            expect(program.child.wait(atMost: 5), equals: 0, "\(program.child.errors)")
        }

        @Test(.tags(.large)) func aThousandPressesInASecondLeaveNothingBehind() throws {
            let stage = try Stage(640, 180)
            let (program, camera) = try twoTiles(stage, ["--paused"])
            defer { camera.stop() }
            let fingers = try Fingers(stage.display)
            let began = RealTime.now
            for count in 1...1000 {
                fingers.press("period")
                RealTime.pass(max(0, began + Double(count) / 1000 - RealTime.now))
            }
            let released = RealTime.now
            let landed = camera.standing()
            expect(landed[0], equals: landed[1])
            try expect(#require(landed[0]), above: 20)
            // The wall steps as fast as it can present, and stops when the key is released. Marks hide the frames from
            // the camera meanwhile, but the trace has them.
            let shown = program.trace.events("picture", tile: "tile1").map { program.child.began + $0.time - released }
            let arrived = try #require(shown.last)
            print("1,000 presses in \(released - began) s: \(landed[0] ?? 0) steps, the last after \(arrived) s")
            expect(shown.count { $0 < 0 }, above: 20)
            expect(arrived, below: 0.5)
            try quit(program, Keys(stage.display))
        }

        @Test func aWallThatIsResizedInAScrubGoesOnWithIt() throws {
            let stage = try Stage(640, 180)
            let (program, camera) = try twoTiles(stage, ["--paused"])
            defer { camera.stop() }
            let keys = Keys(stage.display)
            let fingers = try Fingers(stage.display)
            let window = try #require(try keys.windows("").first)
            fingers.move(to: 80, 60)
            fingers.button(.down)
            for x in stride(from: 80, through: 160, by: 8) {
                fingers.move(to: x, 60)
                RealTime.pass(0.02)
            }
            for (width, height) in [(480, 180), (640, 360), (320, 90), (640, 180)] {
                try keys.resize(window, width, height)
                fingers.move(to: 160, 62)
                RealTime.pass(0.05)
            }
            for x in stride(from: 160, through: 240, by: 8) {
                fingers.move(to: x, 60)
                RealTime.pass(0.02)
            }
            fingers.button(.up)
            let landed = camera.standing()
            expect(landed[0], equals: landed[1])
            try expect(#require(landed[0]), above: 150)
            // The release was received: a move without a button is no scrub.
            fingers.move(to: 300, 60)
            expect(camera.standing(), equals: landed)
            try keys.press("space")
            expect(RealTime.wait(atMost: 5) { camera.latest().map { $0 != .unreadable && $0 != .black } ?? false })
            try quit(program, keys)
        }

        enum Loss: CaseIterable { case asked, destroyed }

        @Test(.tags(.timed), arguments: Loss.allCases)
        func aSmallWindowThatIsLostUnderAPressedButtonBringsTheWallBack(_ loss: Loss) throws {
            let stage = try Stage(640, 360)
            let clips = try (1...2).map { try clip($0, frames: 300).file() }
            let program = try stage.play(clips + ["--for", "60"])
            let camera = try stage.camera(Tile(Area(0, 90, 320, 180)), Tile(Area(320, 90, 320, 180)))
            defer { camera.stop() }
            expect(camera.waitUntilReadable(atMost: 4))
            let keys = Keys(stage.display)
            let fingers = try Fingers(stage.display)
            try keys.press("w")
            let corner = try Camera(stage.display, [Tile(Area(296, 156, 320, 180))])
            expect(corner.waitUntilReadable(atMost: 5))
            corner.stop()
            let window = try #require(try keys.windows("").last)
            fingers.move(to: 400, 250)
            fingers.button(.down)
            fingers.move(to: 390, 245)
            if loss == .asked { try keys.close(window) } else { try keys.destroy(window) }
            fingers.move(to: 300, 200)
            fingers.button(.up)
            expect(camera.waitUntilReadable(atMost: 5))
            // No button is held: the wall plays on, in step.
            RealTime.pass(marksGone)
            let film = camera.film.between(RealTime.now - 1, RealTime.now)
            expect(film.runs(of: 0).count { $0.mark != nil }, above: 15)
            expect(film.differing(0, 1), atMost: max(2, film.shots.count / 100))
            try quit(program, keys)
            let states = program.trace.events("pip").compactMap { $0.text("state") }
            expect(states, equals: ["will-start", "started", "will-stop", "stopped"])
        }

        @Test(arguments: Loss.allCases) func aWallWhoseWindowIsLostEnds(_ loss: Loss) throws {
            let stage = try Stage(320, 180)
            let program = try stage.play([try clip(1, frames: 300).file(), "--for", "20"])
            let camera = try Camera(stage.display, [Tile(stage.whole)])
            expect(camera.waitUntilReadable(atMost: 4))
            camera.stop()
            let keys = Keys(stage.display)
            let window = try #require(try keys.windows("").last)
            if loss == .asked { try keys.close(window) } else { try keys.destroy(window) }
            expect(program.child.wait(atMost: 5), equals: 0, "\(program.child.errors)")
        }

        @Test func aTileWithoutASeatGetsOneWithTheFocus() throws {
            let stage = try Stage(960, 360)
            let clips = try (1...6).map { try clip($0, frames: 300).file() }
            let layout = try Stage.layout(
                tiles: clips.map { ["play": $0] }, ["grid": ["columns": 3], "overflow": "first"])
            let program = try stage.play([layout, "--for", "60"])
            let sixth = try stage.camera(Tile(stage.whole.cell(2, 1, of: 3, by: 2)))
            defer { sixth.stop() }
            expect(sixth.waitUntilReadable(atMost: 4))
            RealTime.pass(1)
            func picturesShownLately() -> Int {
                sixth.film.between(RealTime.now - 0.8, RealTime.now).runs(of: 0).count
            }
            expect(picturesShownLately(), equals: 1)
            let keys = Keys(stage.display)
            try keys.press("6")
            // The marks that the key shows cover a part of the tile for a while.
            expect(RealTime.wait(atMost: 20) { picturesShownLately() > 12 })
            try quit(program, keys)
        }
    }
}
