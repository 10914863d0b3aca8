import Expectations
import Foundation
import TestKit
import Testing

extension WallTests {
    /// Every key once, with its effect seen or heard.
    @Suite struct EveryKey {
        private func film(_ id: Int, frames: Int = 300) throws -> String {
            try clip(id, frames: frames) { ($0.width, $0.height, $0.gop) = (320, 180, 30) }.file()
        }

        /// A wall, and its trace events after each key.
        private struct Watched {
            let program: Program
            let keys: Keys

            /// Presses a key and waits for an event that fits.
            func press(_ key: String, _ name: String, _ fits: (Trace.Event) -> Bool) throws {
                let before = program.trace.events.count
                try keys.press(key)
                let isThere = RealTime.wait(atMost: 3) {
                    program.trace.events.dropFirst(before).contains { $0.name == name && fits($0) }
                }
                let reported = program.trace.events.dropFirst(before).map { "\($0.name) \($0.fields)" }
                expect(isThere, "\(key): \(reported)")
            }
        }

        private static let events = "start,seam,focus,pip,clock,trouble,end"

        @Test func clockKeysTakeEffect() throws {
            let stage = try Stage(640, 180)
            let program = try stage.play([
                "--trace-events", Self.events, "--together", try film(1), try film(2), "--for", "60",
            ])
            let camera = try stage.camera(Tile(Area(0, 0, 320, 180)), Tile(Area(320, 0, 320, 180)))
            expect(camera.waitUntilReadable(atMost: 5))
            camera.stop()
            let wall = Watched(program: program, keys: Keys(stage.display))
            var here = 0.0
            func clock(_ state: String, _ fits: @escaping (Double) -> Bool) -> (Trace.Event) -> Bool {
                { event in
                    guard event.text("state") == state, let position = event.number("position"), fits(position) else {
                        return false
                    }
                    here = position
                    return true
                }
            }
            func at(_ place: Double) -> (Double) -> Bool { { abs($0 - place) < 0.002 } }
            func rate(_ value: Double) -> (Trace.Event) -> Bool { { abs($0.number("rate")! - value) < 0.001 } }

            try wall.press("space", "clock", clock("paused") { $0 > 0 })
            try wall.press("Right", "clock", clock("paused", at(here + 5)))
            try wall.press("shift+Left", "clock", clock("paused", at(here - 1)))
            try wall.press("shift+Right", "clock", clock("paused", at(here + 1)))
            try wall.press("Left", "clock", clock("paused", at(here - 5)))
            // Steps go to the starts of frames.
            try wall.press("period", "clock", clock("paused") { abs($0 * 30 - ($0 * 30).rounded()) < 0.01 })
            try wall.press("comma", "clock", clock("paused", at(here - 1.0 / 30)))
            try wall.press("bracketright", "clock", rate(1.1))
            try wall.press("bracketleft", "clock", rate(1))
            try wall.press("bracketleft", "clock", rate(1 / 1.1))
            try wall.press("BackSpace", "clock", rate(1))
            try wall.press("braceright", "clock", rate(2))
            try wall.press("braceleft", "clock", rate(1))
            // The last of 300 frames.
            try wall.press("End", "clock", clock("paused", at(299.0 / 30)))
            // The focused tile then has a clock of its own.
            try wall.press("ctrl+period", "clock") { $0.text("group") != "main" }
            try wall.press("Home", "clock", clock("paused", at(0)))
            try wall.press("space", "clock", clock("playing") { $0 < 0.5 })
            try wall.press("q", "end") { _ in true }
            expect(program.child.wait(atMost: 5), equals: 0, "\(program.child.errors)")
        }

        @Test func tileAndWindowKeysTakeEffect() throws {
            let stage = try Stage(320, 180)
            let flat = try clip(0, frames: 30) {
                ($0.look, $0.width, $0.height) = (.flat(Colour(200, 40, 40)), 320, 180)
            }.file()
            let tiles: [[String: Any]] = [
                ["id": "one", "play": [flat, try film(2), try film(3)]], ["id": "two", "play": try film(4)],
            ]
            let program = try stage.play(
                tiles: tiles, ["grid": ["columns": 1, "rows": 2]],
                options: ["--trace-events", "\(Self.events),picture", "--size", "160x180", "--paused", "--for", "60"])
            let red = Colour(200, 40, 40)
            func sees(_ places: (x: Int, y: Int)..., notAt others: (x: Int, y: Int)...) -> Bool {
                RealTime.wait(atMost: 4) {
                    (try? Photo(stage.display))?.shows(red, at: places, notAt: others) ?? false
                }
            }
            func seesWall() -> Bool { sees((20, 40), (140, 40), notAt: (80, 120), (200, 40)) }
            expect(seesWall() && RealTime.wait(atMost: 4) { program.trace.events("picture").count >= 2 })
            RealTime.pass(0.1)
            let bare = try Photo(stage.display)
            let keys = Keys(stage.display)
            let wall = Watched(program: program, keys: keys)

            try wall.press("2", "focus") { $0.tile == "two" }
            try wall.press("1", "focus") { $0.tile == "one" }
            try wall.press("Tab", "focus") { $0.tile == "two" }
            try wall.press("shift+Tab", "focus") { $0.tile == "one" }

            // After any key, tiles show their state for a while. The texts of i and h stay longer.
            func later() throws -> Photo {
                RealTime.pass(marksGone + 0.2)
                return try Photo(stage.display)
            }
            try keys.press("i")
            try keys.press("h")
            let both = try later()
            try keys.press("question")
            let figures = try later()
            try keys.press("i")
            let again = try later()
            expect(both != figures && figures != bare && again == bare)

            for (first, second) in [("z", "z"), ("z", "Escape")] {
                try keys.press(first)
                expect(sees((80, 60), (80, 125), notAt: (80, 25)), "\(first)")
                try keys.press(second)
                expect(seesWall(), "\(second)")
            }
            for (first, second) in [("f", "f"), ("F11", "Escape")] {
                try keys.press(first)
                expect(sees((100, 40), (220, 40), notAt: (60, 40), (160, 140)), "\(first)")
                try keys.press(second)
                expect(seesWall(), "\(second)")
            }
            try wall.press("w", "pip") { $0.text("state") == "started" }
            try wall.press("w", "pip") { $0.text("state") == "stopped" }

            for (key, item) in [("n", 1.0), ("n", 2), ("p", 1)] {
                try wall.press(key, "picture") { $0.tile == "one" && $0.number("item") == item }
            }
            try keys.press("ctrl+c")
            expect(program.child.wait(atMost: 5), equals: 0, "\(program.child.errors)")
        }

        @Test func soundKeysTakeEffect() throws {
            let folder = try Scratch.newFolder("tracks")
            let tracks = try [3, 7].map { id in
                try clip(id) { ($0.width, $0.height, $0.sound) = (320, 180, .aac) }.file()
            }
            let film = "\(folder)/two.mp4"
            try run([
                "ffmpeg", "-nostdin", "-v", "error", "-i", tracks[0], "-i", tracks[1], "-map", "0", "-map", "1:a", "-c",
                "copy", film,
            ])
            let server = try SoundServer()
            let microphone = try Microphone(server)
            let stage = try Stage(320, 180)
            let program = try stage.play([film, "--volume", "60", "--for", "60"], sound: server)
            let keys = Keys(stage.display)
            func level(_ id: Int) -> Double {
                microphone.recording.between(RealTime.now - 0.15, RealTime.now).amplitude(of: Witness.tone(of: id))
            }
            func hears(_ what: String, _ fits: () -> Bool) {
                let isHeard = RealTime.wait(atMost: 5, until: fits)
                expect(isHeard, "\(what)")
            }

            hears("the first track") { level(3) > 0.02 && level(7) < 0.002 }
            RealTime.pass(0.3)
            let usual = level(3)
            for key in ["m", "shift+m"] {
                try keys.press(key)
                hears("\(key): silence") { level(3) < 0.001 }
                try keys.press(key)
                hears("\(key): sound") { abs(level(3) / usual - 1) < 0.02 }
            }
            try keys.press("Up")
            hears("Up") { level(3) > usual * 1.1 }
            try keys.press("Down")
            hears("Down") { abs(level(3) / usual - 1) < 0.02 }
            try keys.press("Down")
            hears("Down again") { level(3) < usual * 0.9 }
            try keys.press("a")
            hears("a: the second track") { level(7) > 0.02 && level(3) < 0.002 }
            try keys.press("q")
            expect(program.child.wait(atMost: 5), equals: 0, "\(program.child.errors)")
            microphone.stop()
        }
    }
}
