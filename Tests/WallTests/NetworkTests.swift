import Expectations
import Foundation
import TestKit
import Testing

extension WallTests {
    /// Films over HTTP, from servers of all kinds.
    @Suite(.tags(.timed)) struct Network {
        private func film(_ id: Int, frames: Int = 60, _ container: Witness.Container = .mp4) throws -> String {
            try clip(id, frames: frames) {
                ($0.width, $0.height, $0.container) = (320, 180, container)
                $0.extra = ["-maxrate", "800k", "-bufsize", "100k"]
            }.file()
        }

        /// Returns a playlist and its segments of one second, by name.
        private func segments(_ film: String) throws -> [String: WebServer.Page] {
            let folder = try Scratch.newFolder("hls")
            try run([
                "ffmpeg", "-nostdin", "-v", "error", "-i", film, "-c", "copy", "-f", "hls", "-hls_time", "1",
                "-hls_list_size", "0", "-hls_playlist_type", "vod", "-hls_segment_filename", "\(folder)/part%d.ts",
                "\(folder)/list.m3u8",
            ])
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            return Dictionary(uniqueKeysWithValues: names.map { ($0, .init("\(folder)/\($0)", .ranges)) })
        }

        private func share(_ part: Double, of file: String) throws -> Int {
            Int(Double(try #require(FileManager.default.contents(atPath: file)).count) * part)
        }

        /// A connection that is lost for a moment costs no frame: reading resumes at the same position.
        @Test func aLostConnectionIsTakenUp() throws {
            let film = try film(6, frames: 240)
            let server = try WebServer(["film.mp4": .init(film, .droppingOnce(at: try share(0.4, of: film)))])
            let stage = try Stage(480, 270)
            let program = try stage.play(
                tiles: [["id": "only", "play": server.address(of: "film.mp4")]], options: ["--for", "12"])
            let camera = try Camera(stage.display, [Tile(stage.whole)])
            expect(program.child.wait(atMost: 20), equals: 0, "\(program.child.errors)")
            let runs = Array(camera.stop().runs(of: 0).drop { $0.mark == nil })
            let seen = Succession(runs, looping: 6, 240, blink: blink)
            expect(seen.steps > 300 && seen.backward.isEmpty, "\(seen.steps), \(seen.backward)")
            expectInTime(Double(seen.missing.count), .frames, atMost: 0, "left out \(seen.missing)")
            expect(program.trace.events("trouble").isEmpty, "\(program.trace.events("trouble"))")
        }

        /// A server that accepts connections and sends nothing delays only its own item. The next item begins with its
        /// first frame, in each iteration.
        @Test func whatFollowsASilentServerIsShownWhole() throws {
            let silent = try SilentServer()
            let stage = try Stage(480, 270)
            let program = try stage.play(
                tiles: [["id": "only", "play": ["http://127.0.0.1:\(silent.port)/x.mp4", try film(7)]]],
                options: ["--for", "17"])
            let camera = try Camera(stage.display, [Tile(stage.whole)])
            expect(program.child.wait(atMost: 25), equals: 0, "\(program.child.errors)")
            let runs = Array(camera.stop().runs(of: 0).drop { $0.mark == nil })
            expect(runs.first?.mark?.number, equals: 0, "\(String(describing: runs.first?.mark))")
            let seen = Succession(runs, looping: 7, 60, blink: blink)
            expect(seen.steps > 150 && seen.seams.count >= 2 && seen.backward.isEmpty, "\(seen.steps)")
            expectInTime(Double(seen.missing.count), .frames, atMost: 0, "left out \(seen.missing)")
            // The tile waits only for the first attempt.
            expectInTime(seen.longestHold, atMost: 0.5, "held \(seen.longestHold) s")
            let begun = program.trace.events("picture").first?.time ?? 0
            expect((9.5...11.5).contains(begun), "\(begun)")
        }

        static let names = ["ranges", "whole", "list", "stalling", "dropping", "silent"]

        /// Six tiles of one wall, each with another kind of server. A faulty server affects only its own tile.
        @Test(.tags(.exact)) func eachMannerOfServingCostsItsOwnTileAtMost() throws {
            let long = try film(4, frames: 240), torn = try film(5, frames: 240)
            var pages = try segments(try film(3, .ts))
            pages["ranges.mp4"] = .init(try film(1), .ranges)
            pages["whole.mp4"] = .init(try film(2), .whole)
            pages["stalling.mp4"] = .init(long, .stalling(at: try share(0.12, of: long)))
            pages["dropping.mp4"] = .init(torn, .dropping(at: try share(0.5, of: torn)))
            pages["silent.mp4"] = .init(long, .silent)
            let server = try WebServer(pages)
            let stage = try Stage(960, 360)
            let files = ["ranges.mp4", "whole.mp4", "list.m3u8", "stalling.mp4", "dropping.mp4", "silent.mp4"]
            let tiles: [[String: Any]] = zip(Self.names, files).map { ["id": $0, "play": server.address(of: $1)] }
            let program = try stage.play(
                tiles: tiles, ["grid": ["columns": 3, "rows": 2], "pipelines": 6], options: ["--for", "12"])
            let camera = try Camera(
                stage.display, (0..<6).map { Tile(stage.whole.cell($0 % 3, $0 / 3, of: 3, by: 2)) })
            expect(program.child.wait(atMost: 20), equals: 0, "\(program.child.errors)")
            let film = camera.stop()
            let trace = program.trace

            for tile in 0..<3 {
                let runs = Array(film.runs(of: tile).drop { $0.mark == nil })
                let seen = Succession(runs, looping: tile + 1, 60, blink: blink)
                print(
                    "\(Self.names[tile]): \(seen.steps) frames, \(seen.missing.count) skipped, held \(seen.longestHold) s"
                )
                expect(seen.steps > 250 && seen.seams.count >= 4, "\(Self.names[tile])")
                expect(seen.backward.isEmpty, "\(Self.names[tile]): \(seen.backward)")
                expectInTime(
                    Double(seen.missing.count), .frames, atMost: 0, "\(Self.names[tile]) left out \(seen.missing)")
                expect(trace.events("trouble", tile: Self.names[tile]).isEmpty)
            }
            // The frames that arrived are shown. The stalled read ends at its deadline, and is reported once.
            let stalled = trace.events("trouble", tile: "stalling")
            expect(stalled.map { $0.text("kind") }, equals: ["timeout"], "\(stalled)")
            expect((10.0...12).contains(stalled.first?.time ?? 0), "\(stalled.first?.time ?? 0)")
            let shown = film.runs(of: 3).compactMap { $0.mark?.number }
            expect((5...100).contains(shown.max() ?? 0), "\(shown.max() ?? 0)")
            // A broken connection ends the iteration at its last frame. The next iteration tries again.
            let dropped = trace.events("trouble", tile: "dropping")
            expect(dropped.count >= 2 && dropped.allSatisfy { $0.text("kind") == "unreachable" }, "\(dropped)")
            let again = film.runs(of: 4).compactMap { $0.mark?.number }
            expect((60...200).contains(again.max() ?? 0) && again.count { $0 == 0 } >= 2, "\(again)")
            // An opening without an answer ends at its deadline.
            let silent = trace.events("trouble", tile: "silent")
            expect(silent.map { $0.text("kind") }, equals: ["timeout"], "\(silent)")
            expect((9.5...11).contains(silent.first?.time ?? 0), "\(silent.first?.time ?? 0)")
            expect(film.runs(of: 5).allSatisfy { $0.mark == nil })
        }
    }
}
