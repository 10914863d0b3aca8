import Expectations
import Foundation
import TestKit
import Testing

extension WallTests {
    @Suite struct Ending {
        static let ways = ["q", "control+c", "close", "SIGINT", "SIGTERM"]

        @Test(arguments: ways) func theProgramEndsAtOnce(_ way: String) throws {
            let stage = try Stage()
            let program = try stage.play(try FourClips.clips.map { try $0.file() })
            let camera = try Camera(stage.display, stage.quadrants)
            expect(camera.waitUntilReadable(atMost: 6))
            camera.stop()
            let keys = Keys(stage.display)
            let window = try #require(try keys.windows().last)
            if way.hasPrefix("SIG") == false { try keys.focus(window) }
            let asked = RealTime.now
            switch way {
            case "SIGINT": program.child.signal(SIGINT)
            case "SIGTERM": program.child.signal(SIGTERM)
            case "close": try keys.close(window)
            default: try keys.press(way)
            }
            expect(program.child.wait(atMost: 5), equals: 0)
            expect(RealTime.now - asked, below: 1.5)
            expect(program.trace.events("end").count, equals: 1)
            expect(program.trace.wrong.isEmpty)
        }

        @Test func aTimeLimitEndsIt() throws {
            let stage = try Stage(320, 180)
            let program = try stage.play([try clip(1).file(), "--for", "2"])
            expect(program.child.wait(atMost: 8), equals: 0)
            let took = RealTime.now - program.child.began
            expect((1.9...3.5).contains(took))
        }

        @Test func aSourceThatHangsDoesNotHoldUpTheEnd() throws {
            let silence = try SilentServer()
            let stage = try Stage(640, 180)
            let program = try stage.play([try clip(1).file(), "http://127.0.0.1:\(silence.port)/x.mp4"])
            let camera = try stage.camera(Tile(Area(0, 0, 320, 180)))
            expect(camera.waitUntilReadable(atMost: 4))
            camera.stop()
            let asked = RealTime.now
            program.child.signal(SIGTERM)
            expect(program.child.wait(atMost: 6), equals: 0)
            expect(RealTime.now - asked, below: 2)
        }

        @Test func aKioskHearsNoKeys() throws {
            let stage = try Stage(320, 180)
            let program = try stage.play(tiles: [["play": try clip(1).file()]], ["window": ["input": "none"]])
            let camera = try stage.camera(Tile(stage.whole))
            expect(camera.waitUntilReadable(atMost: 4))
            let keys = Keys(stage.display)
            try keys.focus(try #require(try keys.windows().last))
            try keys.press("q")
            expect(program.child.wait(atMost: 1.5), equals: nil)
            camera.stop()
            program.child.signal(SIGTERM)
            expect(program.child.wait(atMost: 3), equals: 0)
        }

        /// The program ends while the sound is still being set up. A wrong order of the shutdown fails in some of ten
        /// runs.
        @Test(arguments: ["no display", "nothing to play", "a layout on standard input"])
        func anEarlyEndIsNoCrash(_ kind: String) throws {
            let stage = try Stage(320, 180)
            let server = try SoundServer()
            let text = try Scratch.file("text.mp4", "This is no film.\n")
            let layout = try Scratch.file("missing.json", #"{"tiles":[{"play":"gone.mp4"},{"play":"away.mkv"}]}"#)
            let path = try #require(Program.path)
            var environment = stage.display.environment.merging(server.environment) { $1 }
            if kind == "no display" { environment["DISPLAY"] = .some(nil) }
            for _ in 0..<8 {
                let children = try (0..<4).map { _ in
                    switch kind {
                    case "no display": try Child([path, try clip(1).file()], environment: environment)
                    case "nothing to play": try Child([path, text], environment: environment)
                    default: try Child([path, "-"], environment: environment, input: .file(layout))
                    }
                }
                for child in children {
                    expect(child.wait(atMost: 10), equals: 1, "\(child.errors)")
                    expect(child.errors.contains("quadrille: "))
                }
            }
        }
    }
}
