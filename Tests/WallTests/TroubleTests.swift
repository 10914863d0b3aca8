import Expectations
import Foundation
import TestKit
import Testing

extension WallTests {
    @Suite(.tags(.timed)) struct Trouble {
        static let kinds = [
            "missing", "empty", "text", "truncated", "directory", "fifo", "bomb", "itself", "streams",
        ]

        /// Returns a source that cannot be played, with a film's name.
        private func broken(_ kind: String) throws -> String {
            let path = Scratch.path("\(kind).\(kind == "itself" ? "m3u8" : "mp4")")
            switch kind {
            case "empty": try Data().write(to: URL(fileURLWithPath: path))
            case "text": try "This is no film.\n".write(toFile: path, atomically: false, encoding: .utf8)
            case "truncated":
                // The index stands at the end of this file, and is cut off.
                let whole = try clip(6) { $0.extra = ["-movflags", "-faststart"] }.file()
                try Data(contentsOf: URL(fileURLWithPath: whole)).prefix(9000).write(to: URL(fileURLWithPath: path))
            case "directory": try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            case "fifo": mkfifo(path, 0o600)
            case "bomb": try run(["python3", "-c", Self.bomb, path], atMost: 60)
            case "itself":
                let name = (path as NSString).lastPathComponent
                try "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n\(name)\n#EXTINF:1,\n\(name)\n".write(
                    toFile: path, atomically: false, encoding: .utf8)
            case "streams":
                let film = try clip(6, frames: 5).file()
                let maps = Array(repeating: ["-map", "0:v"], count: 150).flatMap { $0 }
                try run(
                    ["ffmpeg", "-nostdin", "-v", "error", "-i", film] + maps + ["-c", "copy", "-f", "matroska", path])
            default: break
            }
            return path
        }

        /// Script that writes a PNG of a megabyte with a gigabyte of pixels.
        private static let bomb = """
            import struct, sys, zlib
            side = 16200
            def chunk(kind, data):
                return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
            packer = zlib.compressobj(9)
            row = bytes(side * 4 + 1)
            data = b"".join(packer.compress(row) for _ in range(side)) + packer.flush()
            head = struct.pack(">IIBBBBB", side, side, 8, 6, 0, 0, 0)
            with open(sys.argv[1], "wb") as file:
                file.write(b"\\x89PNG\\r\\n\\x1a\\n" + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b""))
            """

        @Test func brokenSourcesCostTheirOwnTilesOnly() throws {
            let stage = try Stage(640, 360)
            let paths = try Self.kinds.map { try broken($0) }
            let good: [String: Any] = ["id": "good", "play": try clip(1).file(), "rect": [0, 0, 320, 180]]
            let bad: [[String: Any]] = zip(Self.kinds, paths).enumerated().map { index, source in
                ["id": source.0, "play": source.1, "rect": [320, 40 * index, 160, 40]]
            }
            let program = try stage.play(tiles: [good] + bad, options: ["--for", "10.5"])
            let camera = try stage.camera(Tile(Area(0, 0, 320, 180)))
            expect(camera.waitUntilReadable(atMost: 3))
            expect(program.child.wait(atMost: 16), equals: 0)
            let seen = Succession(camera.stop().show.runs(of: 0), looping: 1, 60, blink: blink)
            expectUnbroken(seen, seams: 4)
            expect(seen.steps + seen.unseen, atLeast: 290)
            for (kind, path) in zip(Self.kinds, paths) {
                expect(program.child.errors.contains((path as NSString).lastPathComponent), "\(kind)")
                expect(!program.trace.events("trouble", tile: kind).isEmpty, "\(kind)")
            }
            expect(program.trace.events("trouble", tile: "good").isEmpty)
        }

        @Test func whatIsDamagedAndPlaysIsReportedOnce() throws {
            let whole = try clip(6, frames: 60) { $0.extra = ["-movflags", "+faststart"] }.file()
            var bytes = try Data(contentsOf: URL(fileURLWithPath: whole))
            let cut = Scratch.path("cut.mp4"), holed = Scratch.path("holed.mp4")
            try bytes.prefix(bytes.count * 6 / 10).write(to: URL(fileURLWithPath: cut))
            for place in stride(from: bytes.count / 2, to: bytes.count * 9 / 10, by: 97) { bytes[place] ^= 0x55 }
            try bytes.write(to: URL(fileURLWithPath: holed))
            let folder = try Scratch.newFolder("list")
            try run([
                "ffmpeg", "-nostdin", "-v", "error", "-i", whole, "-c", "copy", "-f", "hls", "-hls_time", "0.5",
                "-hls_list_size", "0", "-hls_segment_filename", "\(folder)/part%d.ts", "\(folder)/list.m3u8",
            ])
            unlink("\(folder)/part1.ts")
            let stage = try Stage(640, 180)
            let program = try stage.play(
                tiles: [
                    ["id": "whole", "play": whole], ["id": "cut", "play": cut], ["id": "holed", "play": holed],
                    ["id": "list", "play": "\(folder)/list.m3u8"],
                ], ["grid": ["columns": 4]], options: ["--for", "7"])
            expect(program.child.wait(atMost: 12), equals: 0)
            let troubles = program.trace.events("trouble")
            expect(troubles.allSatisfy { $0.text("kind") == "damaged" }, "\(troubles)")
            expect(Set(troubles.compactMap(\.tile)), equals: ["cut", "holed", "list"])
            expect(troubles.filter { $0.tile == "list" }.map { $0.text("what")!.contains("missing") }, equals: [true])
            expect(
                troubles.count { $0.tile == "cut" && $0.text("what")!.contains("truncated") }, equals: 1, "\(troubles)")
            expect(troubles.count { $0.tile == "holed" }, equals: 1, "\(troubles)")
            expect(program.child.errors.contains("cut.mp4: it is truncated"), "\(program.child.errors)")
        }

        /// Returns a film larger than what a demuxer reads at once.
        private func noisy(_ id: Int, _ container: Witness.Container, frames: Int = 120) throws -> String {
            let film = clip(id, frames: frames) {
                $0.container = container
                if container == .mp4 { $0.extra = ["-movflags", "+faststart", "-crf", "4"] }
            }
            let path = Scratch.path("\(id).\(container.rawValue)")
            try FileManager.default.copyItem(atPath: try film.file(), toPath: path)
            return path
        }

        @Test(.tags(.exact)) func filmsThatChangeWhileTheyPlayCostNobodyElse() throws {
            let stage = try Stage(640, 360)
            let shrinking = try noisy(2, .mkv), rewritten = try noisy(3, .mp4), deleted = try noisy(4, .ts)
            let other = try Data(contentsOf: URL(fileURLWithPath: try noisy(5, .mp4, frames: 60)))
            let program = try stage.play(
                tiles: [
                    ["id": "good", "play": try clip(1).file()], ["id": "shrinking", "play": shrinking],
                    ["id": "rewritten", "play": rewritten], ["id": "deleted", "play": deleted],
                ], options: ["--for", "13"])
            let quadrants = stage.quadrants
            let camera = try stage.camera(quadrants[0], quadrants[1], quadrants[2], quadrants[3])
            expect(camera.waitUntilReadable(atMost: 5))
            let size = try #require(FileManager.default.contents(atPath: shrinking)?.count)
            expect(truncate(shrinking, size / 2), equals: 0)
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: rewritten))
            try file.write(contentsOf: other)
            try file.truncate(atOffset: UInt64(other.count))
            try file.close()
            expect(unlink(deleted), equals: 0)
            expect(program.child.wait(atMost: 18), equals: 0)
            let film = camera.stop().show
            expectUnbroken(Succession(film.runs(of: 0), looping: 1, 60, blink: blink), seams: 5)
            expectUnbroken(Succession(film.runs(of: 3), looping: 4, 120, blink: blink), seams: 2)
            // The rest of the film is played repeatedly.
            let late = film.between(program.child.began + 9, program.child.began + 13)
            let marks = late.runs(of: 1).compactMap(\.mark)
            expect(marks.count > 20 && marks.contains { $0.number == 0 } && !marks.contains { $0.number > 80 })
            expect(Set(late.runs(of: 2).compactMap { $0.mark?.clip }), equals: [5])
            func reported(_ tile: String) -> [String] {
                program.trace.events("trouble", tile: tile).compactMap { $0.text("what") }
            }
            expect(reported("shrinking").count { $0.contains("truncated") }, equals: 1, "\(reported("shrinking"))")
            expect(reported("good").isEmpty && reported("deleted").isEmpty)
            for tile in ["shrinking", "rewritten"] {
                expect(Set(reported(tile)).count, equals: reported(tile).count, "\(reported(tile))")
            }
        }

        @Test(.tags(.exact)) func aSequenceGoesOnAfterABrokenItem() throws {
            let stage = try Stage(320, 180)
            let play = [try clip(1, frames: 30).file(), try broken("text"), try clip(2, frames: 30).file()]
            let program = try stage.play(tiles: [["play": play]], options: ["--for", "6"])
            let camera = try stage.camera(Tile(stage.whole))
            expect(program.child.wait(atMost: 12), equals: 0)
            let runs = camera.stop().show.runs(of: 0)
            let seen = Succession(runs, playing: [(1, 0..<30), (2, 0..<30)], blink: blink)
            expectUnbroken(seen)
        }

        @Test(.tags(.exact)) func aPosterStandsWhereASourceHangs() throws {
            let silence = try SilentServer()
            let stage = try Stage(640, 180)
            let hanging: [String: Any] = [
                "play": "http://127.0.0.1:\(silence.port)/x.mp4", "poster": try clip(9).still(3),
            ]
            let program = try stage.play(tiles: [["play": try clip(1).file()], hanging], options: ["--for", "5"])
            let camera = try stage.camera(Tile(Area(0, 0, 320, 180)), Tile(Area(320, 0, 320, 180)))
            expect(camera.waitUntilReadable(atMost: 3))
            expect(program.child.wait(atMost: 6.5 + program.child.began + 3 - RealTime.now), equals: 0)
            let film = camera.stop().show
            expect(film.runs(of: 1).map(\.mark), equals: [Mark(clip: 9, number: 3)])
            let seen = Succession(film.runs(of: 0), looping: 1, 60, blink: blink)
            expectUnbroken(seen)
        }

        @Test func filesThatTheKernelHoldsCostTheirTilesAndNoMoreThreads() throws {
            let stage = try Stage(640, 360)
            let paths = (0..<2).map { Scratch.path("held-\($0).mp4") }
            let film = try clip(6).file()
            let held = try paths.map { try HeldFile(copyOf: film, at: $0) }
            // The held files take turns on one pipeline. Each turn would open another reader.
            let program = try stage.play(
                tiles: [["play": try clip(1).file()], ["play": paths[0]], ["play": paths[1]]],
                ["pipelines": 2, "overflow": ["rotate": 0.5]], options: ["--for", "11.5"])
            let camera = try stage.camera(Tile(Area(0, 0, 320, 180)))
            expect(camera.waitUntilReadable(atMost: 3))
            func threads() -> Int {
                (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(program.child.pid)/task").count) ?? 0
            }
            RealTime.pass(1)
            let early = threads()
            RealTime.pass(4)
            expect(early > 1 && threads() <= early + 2, "\(early) threads, then \(threads())")
            expect(program.child.wait(atMost: 12), equals: 0)
            withExtendedLifetime(held) {}
            let troubles = program.trace.events("trouble")
            expect(Set(troubles.compactMap(\.tile)), equals: ["tile2", "tile3"], "\(troubles)")
            expect(troubles.count == 2 && troubles.allSatisfy { $0.text("kind") == "timeout" }, "\(troubles)")
            // At its end the program waits for the held files briefly, then gives up.
            let playing = camera.stop().show.between(0, program.child.began + 11)
            let seen = Succession(playing.runs(of: 0), looping: 1, 60, blink: blink)
            expectUnbroken(seen, seams: 2)
        }

        @Test func nothingPlayableAtAllIsStatusOne() throws {
            let stage = try Stage(320, 180)
            let program = try stage.play([try broken("text"), try broken("missing")])
            expect(program.child.wait(atMost: 10), equals: 1)
            expect(program.child.errors.contains("nothing could be played; with --wait the program keeps trying"))
        }

        @Test func aWallThatWaitsPlaysWhatComes() throws {
            let stage = try Stage(320, 180)
            let path = try broken("missing")
            let hasty = try stage.play([path])
            expect(hasty.child.wait(atMost: 5), equals: 1)
            let waiting = try stage.play([path, "--wait"])
            let camera = try stage.camera(Tile(stage.whole))
            expect(waiting.child.wait(atMost: 1.5), equals: nil)
            try FileManager.default.copyItem(atPath: try clip(1).file(), toPath: path)
            // The wall retries after 1, 2 and 4 seconds.
            expect(camera.waitUntilReadable(atMost: 5))
            camera.stop()
            expect(waiting.child.end(), equals: 0)
        }
    }
}
