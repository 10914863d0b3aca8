import Expectations
import Foundation
import TestKit
import Testing

extension WallTests {
    /// Captures of this machine: another display, a camera.
    @Suite(.tags(.timed)) struct Captures {
        /// Returns the time at which each frame was first shown.
        private func firsts(_ film: Film) -> [Mark: Double] {
            Dictionary(film.show.runs(of: 0).compactMap { run in run.mark.map { ($0, run.first) } }) { first, _ in first
            }
        }

        @Test(.tags(.large)) func aDisplayIsShownWithinAHundredAndFiftyMilliseconds() throws {
            let (shown, stage) = (try Stage(320, 180), try Stage(320, 180))
            let film = try shown.play([try clip(1, frames: 300) { ($0.width, $0.height) = (320, 180) }.file()])
            let there = try shown.camera(Tile(shown.whole))
            expect(there.waitUntilReadable(atMost: 5))
            let program = try stage.play(["x11grab://\(shown.display.name)?rate=60"])
            let here = try stage.camera(Tile(stage.whole))
            expect(here.waitUntilReadable(atMost: 5))
            RealTime.pass(7)
            for child in [program.child, film.child] { kill(child.pid, SIGTERM) }
            for child in [program.child, film.child] { expect(child.wait(atMost: 5), equals: 0) }
            let (before, after) = (firsts(there.stop()), firsts(here.stop()))
            let delays = after.compactMap { mark, time in before[mark].map { time - $0 } }.sorted()
            expect(delays.count, above: 150, "\(delays.count) frames of both")
            expect(program.trace.events("trouble").isEmpty && program.child.errors.isEmpty, "\(program.child.errors)")
            let (median, high) = (delays[delays.count / 2], delays[delays.count * 9 / 10])
            expect(median < 0.15 && high < 0.2, "median \(median), nine of ten within \(high)")
        }

        @Test(.tags(.large)) func aDisplayThatGoesAndComesBackCostsNobodyElseAnything() throws {
            let stage = try Stage(640, 180)
            // No other test takes this number, since displays without a name get the lowest free ones.
            let name = ":\(1_000 + getpid() % 50_000)"
            var shown: Display? = try Display(width: 320, height: 180, named: name)
            let window = ["--size", "320x180", "--position", "0,0", "--borderless"]
            func film(_ id: Int) throws -> String { try clip(id) { ($0.width, $0.height) = (320, 180) }.file() }
            var first: Program? = try Program(window + [try film(1)], on: shown)
            let halves = [0, 1].map { Tile(stage.whole.cell($0, 0, of: 2, by: 1)) }
            let program = try stage.play(
                tiles: [
                    ["id": "live", "play": "x11grab://\(name)", "rect": [0, 0, 0.5, 1]],
                    ["id": "good", "play": try clip(2).file(), "rect": [0.5, 0, 0.5, 1]],
                ])
            let camera = try stage.camera(halves[0], halves[1])
            expect(camera.waitUntilReadable(atMost: 8))
            kill(try #require(shown).process, SIGKILL)
            _ = first?.child.wait(atMost: 5)
            (first, shown) = (nil, nil)
            RealTime.pass(3)
            // The film's last frame stays.
            expect(camera.latest(0)?.isFrame, equals: true)
            let again = try Display(width: 320, height: 180, named: name)
            let other = try Program(window + [try film(3)], on: again)
            expect(
                RealTime.wait(atMost: 8) {
                    if case .frame(let mark) = camera.latest(0) { mark.clip == 3 } else { false }
                })
            kill(program.child.pid, SIGTERM)
            expect(program.child.wait(atMost: 5), equals: 0)
            kill(other.child.pid, SIGTERM)
            _ = other.child.wait(atMost: 5)
            let seen = camera.stop().show.runs(of: 1)
            expectUnbroken(Succession(seen, looping: 2, 60, blink: blink), "good", seams: 2)
            let troubles = program.trace.events("trouble", tile: "live")
            expect(!troubles.isEmpty && program.trace.events("trouble", tile: "good").isEmpty)
        }

        @Test func aDisplayOfAnotherSizeIsShownWhole() throws {
            let (shown, stage) = (try Display(width: 640, height: 360), try Stage(640, 180))
            let film = try Program(
                [
                    "--size", "320x180", "--position", "0,0", "--borderless",
                    try clip(1) { ($0.width, $0.height) = (320, 180) }.file(),
                ], on: shown)
            let program = try stage.play(
                tiles: [
                    ["id": "live", "play": "x11grab://\(shown.name)", "rect": [0, 0, 0.5, 1]],
                    ["id": "good", "play": try clip(2).file(), "rect": [0.5, 0, 0.5, 1]],
                ])
            // The film fills a quarter of the screen, and all of it while the screen is small.
            let (quarter, half) = (Tile(Area(0, 0, 160, 90)), Tile(Area(0, 0, 320, 180)))
            let camera = try stage.camera(quarter, Tile(stage.whole.cell(1, 0, of: 2, by: 1)), half)
            func shows(_ tile: Int) -> Bool {
                RealTime.wait(atMost: 8) {
                    camera.latest(tile)?.isFrame == true && camera.latest(2 - tile)?.isFrame != true
                }
            }
            expect(shows(0))
            RealTime.pass(1.5)
            try shown.setSize(320, 180)
            expect(shows(2))
            RealTime.pass(1.5)
            try shown.setSize(640, 360)
            expect(shows(0))
            for child in [program.child, film.child] { kill(child.pid, SIGTERM) }
            for child in [program.child, film.child] { expect(child.wait(atMost: 5), equals: 0) }
            let seen = camera.stop().runs(of: 1).drop { $0.mark == nil }.reversed().drop { $0.mark == nil }.reversed()
            expectUnbroken(Succession(Array(seen), looping: 2, 60, blink: blink), "good", seams: 2)
        }

        @Test func aCameraThatIsNotThereIsNamedAndWaitedForByNobody() throws {
            let stage = try Stage(640, 180)
            let program = try stage.play(
                tiles: [
                    ["id": "camera", "play": "v4l2:///dev/video77", "rect": [0, 0, 0.5, 1]],
                    ["id": "good", "play": try clip(2).file(), "rect": [0.5, 0, 0.5, 1]],
                ], options: ["--for", "3"])
            let camera = try stage.camera(Tile(stage.whole.cell(1, 0, of: 2, by: 1)))
            expect(program.child.wait(atMost: 10), equals: 0)
            expect(camera.stop().show.runs(of: 0).count { $0.mark != nil }, atLeast: 60)
            expect(
                program.child.errors.contains("v4l2:///dev/video77: no such camera (missing)"),
                "\(program.child.errors)")
            let found = try Program.run(["check", "v4l2:///dev/video77"])
            expect(found.status == 3 && found.output.contains("no such camera"), "\(found.output)")
        }
    }
}
