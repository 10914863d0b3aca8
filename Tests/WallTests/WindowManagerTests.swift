import Expectations
import Foundation
import TestKit
import Testing

extension WallTests {
    /// A window with a decoration, as on a desktop, and a canvas drawn by OpenGL.
    @Suite struct Desktop {
        private static let red = Colour(200, 40, 40), dark = Colour(16, 24, 96)

        private func flat(_ width: Int = 320, _ height: Int = 180) throws -> String {
            try clip(0, frames: 30) {
                ($0.look, $0.width, $0.height) = (.flat(Self.red), width, height)
            }.file()
        }

        /// Returns the area of the film's colour, once two photos in a row agree and `fits` is true.
        private func place(on display: Display, _ fits: (Area) -> Bool) -> Area? {
            var last: Area?
            let isThere = RealTime.wait(atMost: 6) {
                let now = (try? Photo(display))?.edges(of: Self.red)
                defer { last = now }
                return now != nil && now == last && fits(now!)
            }
            if !isThere { print("the film is at \(last.map { "\($0)" } ?? "no place")") }
            return isThere ? last : nil
        }

        private func fills(_ place: Area, _ display: Display) -> Bool {
            RealTime.wait(atMost: 6) { (try? Photo(display))?.isFilled(place, with: Self.red) ?? false }
        }

        /// A kiosk has no window manager, and its screen may be switched off or exchanged.
        @Test func withoutAWindowManagerItFillsTheScreenWhateverThatBecomes() throws {
            let display = try Display(width: 640, height: 360)
            let program = try Program(["--fullscreen", try flat(), "--for", "60"], on: display)
            expect(fills(Area(0, 0, 640, 360), display))
            let keys = Keys(display), window = try #require(try keys.windows("mp4").first)
            for (width, height) in [(320, 240), (640, 360)] {
                try display.setSize(width, height)
                let isAsLarge = RealTime.wait(atMost: 5) {
                    (try? keys.size(of: window)).map { $0 == (width, height) } ?? false
                }
                expect(isAsLarge, "\(width)x\(height)")
            }
            expect(fills(Area(0, 0, 640, 360), display))
            program.child.signal(SIGTERM)
            expect(program.child.wait(atMost: 5), equals: 0)
        }

        @Test func aWindowManagerResizesFillsTheScreenAndKeepsTheSmallWindowOnTop() throws {
            let display = try Display(width: 480, height: 360)
            let manager = try WindowManager(display)
            let program = try Program(["--size", "160x90", try flat(), "--for", "60"], on: display)
            let keys = Keys(display)
            let framed = try #require(place(on: display) { ($0.width, $0.height) == (160, 90) })
            let window = try #require(try keys.windows("mp4").first)
            // The window has a decoration, so its content does not start at the display's corner.
            expect(framed.x > 0 && framed.y > 0)

            // The film fits into each size, with background above and below. The window's position stays.
            try keys.resize(window, 240, 135)
            expect(fills(Area(framed.x, framed.y, 240, 135), display))
            try keys.resize(window, 240, 195)
            expect(fills(Area(framed.x, framed.y + 30, 240, 135), display))
            try keys.resize(window, 160, 90)
            expect(fills(framed, display))

            try keys.focus(window)
            let middle = (x: framed.x + 80, y: framed.y + 45)
            func shows(_ places: [(x: Int, y: Int)], notAt others: [(x: Int, y: Int)]) -> Bool {
                RealTime.wait(atMost: 4) {
                    (try? Photo(display))?.shows(Self.red, at: places, notAt: others) ?? false
                }
            }
            for (first, second) in [("f", "Escape"), ("F11", "F11")] {
                try keys.press(first)
                expect(shows([(20, 180), (460, 180)], notAt: [(240, 20)]), "\(first)")
                try keys.press(second)
                expect(shows([middle], notAt: [(20, 180), (460, 180)]), "\(second)")
            }
            expect(fills(framed, display))

            try keys.press("w")
            // 24 pixels from the edge of the area that the window manager leaves free above its bar.
            let small = try #require(place(on: display) { $0.x + $0.width == 456 && (290...336) ~= $0.y + $0.height })
            let curtain = try Curtain(display, Area(0, 0, 480, 360), Self.dark)
            let isCovered = RealTime.wait(atMost: 4) {
                (try? Photo(display))?.colour(small.x - 8, small.y - 8).distance(to: Self.dark) ?? 255 < 8
            }
            expect(isCovered, "the other window is there")
            curtain.raise()
            expect(fills(small, display), "the small window is covered")
            let smallWindow = try #require(try keys.windows("mp4").first)
            try keys.focus(smallWindow)
            try keys.press("w")
            expect(
                RealTime.wait(atMost: 4) { program.trace.events("pip").last?.text("state") == "stopped" },
                "\(program.trace.events("pip").map(\.fields))")
            program.child.signal(SIGTERM)
            expect(program.child.wait(atMost: 4), equals: 0, "\(program.child.errors)")
            expect(program.child.errors.isEmpty, "\(program.child.errors)")
            withExtendedLifetime((manager, curtain)) {}
        }

        /// The window is minimised, or on a desktop that is not shown.
        @Test(arguments: ["run", "sound", "pause"]) func whatNobodySeesDoesAsTheLayoutSays(_ hidden: String) throws {
            let display = try Display(width: 480, height: 360)
            let manager = try WindowManager(display)
            let layout = try Stage.layout(
                tiles: [["play": try flat()]], ["hidden": hidden, "title": "hides", "window": ["size": [160, 90]]])
            let program = try Program([layout], on: display)
            let keys = Keys(display)
            func frames() -> [Trace.Event] { program.trace.events("picture") }
            func areComing() -> Bool {
                let count = frames().count
                return RealTime.wait(atMost: 4) { frames().count > count + 10 }
            }
            expect(areComing())
            let window = try #require(try keys.windows("hides").first)
            let ways: [(() throws -> Void, () throws -> Void)] = [
                ({ try keys.minimise(window) }, { try keys.restore(window) }),
                ({ try keys.show(desktop: 1) }, { try keys.show(desktop: 0) }),
            ]
            for (hide, show) in ways {
                try hide()
                RealTime.pass(0.5)
                let (before, open) = (frames().count, program.trace.events("release").count)
                RealTime.pass(1.2)
                expect((frames().count > before), equals: (hidden == "run"))
                expect(hidden != "sound" || open > 0, "nothing is decoded")
                let paused = program.trace.events("clock").last?.text("state") == "paused"
                expect(paused, equals: (hidden == "pause"))
                try show()
                expect(areComing())
            }
            program.child.signal(SIGTERM)
            expect(program.child.wait(atMost: 4), equals: 0, "\(program.child.errors)")
            // Frames stay in step with the clock. Only "pause" shifts them.
            let shifts = frames().map { $0.number("due")! - $0.number("pass")! - $0.number("pts")! }
            let moved = zip(shifts, shifts.dropFirst()).count { abs($1 - $0) > 0.5 }
            expect(moved, equals: (hidden == "pause" ? 2 : 0), "\(shifts)")
            withExtendedLifetime(manager) {}
        }

        @Test func theGPUCanvasPlaysOnSoftwareOpenGL() throws {
            let stage = try Stage(640, 360)
            let clips = try (1...4).map { id in try clip(id) { ($0.width, $0.height) = (320, 180) }.file() }
            let program = try stage.play(clips + ["--canvas", "gpu", "--for", "3"])
            let camera = try Camera(stage.display, stage.quadrants)
            expect(camera.waitUntilReadable(atMost: 5))
            // `String(contentsOfFile:)` of Foundation 6.2 stops after a page of such a file.
            let mapped = try FileHandle(forReadingAtPath: "/proc/\(program.child.pid)/maps")?.readToEnd() ?? Data()
            let maps = String(decoding: mapped, as: UTF8.self)
            expect(maps.contains("swrast") || maps.contains("llvmpipe") || maps.contains("libgallium"), "no OpenGL")
            expect(program.child.wait(atMost: 10), equals: 0, "\(program.child.errors)")
            expect(program.trace.events("start").first?.text("canvas"), equals: "gpu")
            let film = camera.stop().show
            for tile in 0..<4 {
                let runs = film.runs(of: tile)
                expect(runs.count { $0.mark?.clip == tile + 1 }, above: 20, "tile \(tile + 1)")
                expect(!runs.contains { $0.mark.map { $0.clip != tile + 1 } ?? false })
                expect(film.count(of: .black, in: tile), equals: 0)
            }
        }
    }
}
