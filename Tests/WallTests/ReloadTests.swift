import Expectations
import Foundation
import TestKit
import Testing

extension WallTests {
    /// Layouts that change while the wall plays, seen from outside.
    @Suite(.tags(.timed)) struct Reloads {
        private func save(_ tiles: [[String: Any]], at path: String, _ rest: [String: Any] = [:]) throws {
            let data = try JSONSerialization.data(withJSONObject: rest.merging(["tiles": tiles]) { $1 })
            // Writes a new file and renames it, as editors do.
            try data.write(to: URL(fileURLWithPath: path + "~"))
            expect(rename(path + "~", path), equals: 0)
        }

        private func rect(_ column: Int, _ row: Int) -> [Double] { [Double(column) / 2, Double(row) / 2, 0.5, 0.5] }

        /// Four films on four pipelines and one film on one pipeline alternate, as by a schedule at night.
        @Test(.tags(.large)) func aTileThatStaysDropsNothingWhenPipelinesGoAndCome() throws {
            let stage = try Stage(640, 360)
            let kept: [String: Any] = ["id": "kept", "play": try clip(1) { $0.gop = 60 }.file(), "rect": rect(0, 0)]
            let others = try (1...3).map { place -> [String: Any] in
                ["play": try clip(place + 1).file(), "rect": rect(place % 2, place / 2)]
            }
            let path = Scratch.path("pipelines.json")
            // The kept tile is the last, so its pipeline is not the one that stays.
            try save(others + [kept], at: path, ["pipelines": 4])
            let program = try stage.play(["--watch", path], counting: .decoders)
            let camera = try stage.camera(stage.quadrants[0])
            expect(camera.waitUntilReadable(atMost: 5))
            for turn in 0..<24 {
                let isOne = turn % 2 == 0
                // A wrong layout in between is reported, and nothing else.
                let tiles = isOne ? [kept] : others + [kept]
                try save(turn % 8 == 7 ? [kept] + tiles : tiles, at: path, ["pipelines": isOne ? 1 : 4])
                RealTime.pass(0.3 + 0.07 * Double(turn % 5))
            }
            kill(program.child.pid, SIGTERM)
            expect(program.child.wait(atMost: 5), equals: 0)
            let trace = program.trace
            let reloads = trace.events("reload")
            expect(reloads.count, atLeast: 20)
            expect(reloads.count { $0.fields["ok"] as? Bool == false }, equals: 3)
            expect(reloads.allSatisfy { $0.fields["ok"] as? Bool == false || ($0.number("kept") ?? 0) >= 1 })
            expect(program.child.errors.contains("another tile's name"))
            expect(trace.events("seat", tile: "kept").allSatisfy { $0.fields["has"] as? Bool == true })
            let seen = Succession(camera.stop().show.runs(of: 0), playing: [(1, 0..<60)], blink: blink)
            expectUnbroken(seen, "kept", seams: 3)
            try expect(#require(program.decoders).most, atMost: 4)
        }

        /// The stalled read is interrupted. Otherwise it would hold the only pipeline for ten seconds.
        @Test func aStalledServerHoldsNoPipelineOfTheNextLayout() throws {
            let film = try clip(1, frames: 120).file()
            let server = try WebServer(["film": .init(film, .stalling(at: 60_000))])
            let stage = try Stage(320, 180)
            let path = "/tmp/quadrille-test-\(UUID().uuidString.prefix(8)).sock"
            let options = ["--pipelines", "1", "--ipc", path]
            let program = try stage.play(tiles: [["id": "a", "play": server.address(of: "film")]], options: options)
            let camera = try stage.camera(Tile(stage.whole))
            let client = try #require(ControlClient(path))
            expect(camera.waitUntilReadable(atMost: 5))
            // Time until all frames that arrived were shown.
            RealTime.pass(2.5)
            let layout = try Stage.layout(tiles: [["id": "b", "play": try clip(2).file()]])
            expect(client.error("layout-load", layout), equals: "success")
            let began = RealTime.now
            expect(
                RealTime.wait(atMost: 6) {
                    if case .frame(let mark) = camera.latest() { mark.clip == 2 } else { false }
                })
            expectInTime(RealTime.now - began, atMost: 2, "the next layout is shown")
            expect(client.error("quit", 0), equals: "success")
            expect(program.child.wait(atMost: 5), equals: 0)
        }

        @Test func aFilmThatIsReplacedIsPlayedFromItsNextRunOn() throws {
            let stage = try Stage(320, 180)
            let path = Scratch.path("replaced.mp4")
            try FileManager.default.copyItem(atPath: try clip(1, frames: 60).file(), toPath: path)
            let program = try stage.play(["--for", "9", path])
            let camera = try stage.camera(Tile(stage.whole))
            expect(camera.waitUntilReadable(atMost: 5))
            let other = Scratch.path("other.mp4")
            try FileManager.default.copyItem(atPath: try clip(2, frames: 30).file(), toPath: other)
            expect(rename(other, path), equals: 0)
            expect(program.child.wait(atMost: 20), equals: 0)
            let runs = camera.stop().show.runs(of: 0).filter { $0.mark != nil }
            let change = try #require(runs.firstIndex { $0.mark?.clip == 2 })
            expect(runs[change - 1].mark, equals: Mark(clip: 1, number: 59))
            expect(runs[change].mark, equals: Mark(clip: 2, number: 0))
            expect(!runs[change...].contains { $0.mark?.clip == 1 })
            expect(program.trace.events("trouble").isEmpty)
        }

        @Test func aFilmThatIsBeingCopiedIsLeftAlone() throws {
            let stage = try Stage(320, 180)
            let path = Scratch.path("coming.mp4")
            let bytes = try #require(FileManager.default.contents(atPath: try clip(1).file()))
            let program = try stage.play(["--wait", "--for", "12", path])
            let camera = try stage.camera(Tile(stage.whole))
            RealTime.wait(atMost: 1.2) { false }
            // The index of the file stands at its end.
            for part in 1...6 {
                try bytes.prefix(bytes.count * part / 6).write(to: URL(fileURLWithPath: path))
                RealTime.wait(atMost: 0.5) { false }
            }
            expect(camera.waitUntilReadable(atMost: 9))
            expect(program.child.wait(atMost: 20), equals: 0)
            let kinds = Set(program.trace.events("trouble").compactMap { $0.text("kind") })
            expect(kinds, equals: ["missing"])
        }
    }
}
