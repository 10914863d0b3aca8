import Expectations
import Foundation
import TestKit
import Testing

extension RenderTests {
    /// Times before a tile's beginning, and far beyond the end of its loop.
    @Suite(.serialized) struct Instants {
        private static func ffmpeg(_ arguments: [String], _ name: String) throws -> String {
            try MadeFile.named(name, arguments)
        }

        /// Marks that `snapshot` shows in the two halves of a wall of 640x180.
        private static func marks(_ layout: String, at time: String, atMost limit: Double = 20) throws -> [Reading] {
            let frame = Scratch.path("snapshot.png")
            let result = try Program.run(["snapshot", layout, "--at", time, "-o", frame], atMost: limit)
            try #require(result.status == 0, "\(result.errors)")
            let footage = try Footage(frame, width: 640, height: 180)
            return [0, 320].map { footage.read(Tile(Area($0, 0, 320, 180)), 0) }
        }

        private static var pair: [String: Any] {
            ["window": ["size": [640, 180]], "grid": ["columns": 2, "rows": 1]]
        }

        /// The second tile begins two seconds after the first.
        private static func later() throws -> String {
            try layout(
                tiles: [["play": try clip(1, 90).file()], ["play": try clip(2, 90).file(), "offset": -2]], pair)
        }

        @Test func beforeItsBeginningATileShowsItsFirstFrame() throws {
            let layout = try Self.later()
            for (time, numbers) in [("0", (0, 0)), ("1.5", (45, 0)), ("2.5", (75, 15))] {
                let marks = try Self.marks(layout, at: time)
                expect(marks[0], equals: .frame(Mark(clip: 1, number: numbers.0)))
                expect(marks[1], equals: .frame(Mark(clip: 2, number: numbers.1)))
            }
        }

        @Test func aFilmOfATileThatBeginsLaterIsWhole() throws {
            let file = Scratch.path("later.mkv")
            try RenderTests.render([try Self.later(), "--for", "3", "--fps", "30", "-o", file], atMost: 30)
            let footage = try Footage(file, width: 640, height: 180)
            try #require(footage.count == 90)
            let second = Tile(Area(320, 0, 320, 180))
            for number in stride(from: 0, to: 90, by: 7) {
                expect(footage.read(second, number), equals: .frame(Mark(clip: 2, number: max(0, number - 60))))
            }
        }

        /// The lengths are known only once the files were read to their end.
        @Test(.timeLimit(.minutes(1)), arguments: [15, 1])
        func farBeyondAShortLoopWithoutALengthIsAFrame(frames: Int) throws {
            let raw = try Self.ffmpeg(
                [
                    "-i", try clip(3, frames).file(), "-c", "copy", "-bsf:v", "h264_mp4toannexb", "-f", "h264",
                ], "raw-\(frames).h264")
            let gif = try Self.ffmpeg(
                ["-f", "lavfi", "-i", "color=red:s=320x180:r=10", "-frames:v", "1", "-f", "gif"], "one.gif")
            let layout = try layout(tiles: [["play": raw], ["play": gif]], Self.pair)
            let began = RealTime.now
            let marks = try Self.marks(layout, at: "30", atMost: 40)
            expect(RealTime.now - began, below: 5)
            // FFmpeg assumes 25 frames a second for raw H.264: 30 s are a whole number of iterations.
            expect(marks[0], equals: .frame(Mark(clip: 3, number: 0)))
        }

        /// After a loop of 1.51 s, the frames of the second film are shown 10 ms before their time.
        @Test(arguments: ["1.52", "1.6", "1.9"]) func aPairWhoseFilmsLoopApartIsThereAtOnce(time: String) throws {
            let first: [String: Any] = ["src": try clip(6, 90).file(), "out": 1.51]
            let layout = try layout(
                tiles: [["compare": [first, try clip(7, 60).file()]]], ["window": ["size": [320, 180]]])
            let began = RealTime.now
            let frame = Scratch.path("pair.png")
            let result = try Program.run(["snapshot", layout, "--at", time, "-o", frame], atMost: 20)
            expect(result.status, equals: 0, "\(result.errors)")
            expect(RealTime.now - began, below: 5)
        }

        /// Returns a film whose frames can't be decoded.
        private static func undecodable() throws -> String {
            var bytes = try Data(contentsOf: URL(fileURLWithPath: try clip(8, 90).file()))
            let frames = try #require(bytes.range(of: Data("mdat".utf8))).upperBound
            let index = bytes.range(of: Data("moov".utf8), in: frames..<bytes.endIndex)
            let end = index.map { $0.lowerBound - 4 } ?? bytes.endIndex
            bytes.replaceSubrange(frames..<end, with: Data(repeating: 0xff, count: end - frames))
            let path = Scratch.path("undecodable.mp4")
            try bytes.write(to: URL(fileURLWithPath: path))
            return path
        }

        /// The lengths of the items after the one that is due are not known.
        @Test func manyRoundsAndItemsThatCannotBePlayedAreEnteredAtOnce() throws {
            let film = try clip(9, 60).file(), bad = try Self.undecodable()
            let still = try Self.ffmpeg(["-f", "lavfi", "-i", "color=red:s=320x180", "-frames:v", "1"], "still.png")
            func many(_ source: String) -> [String: Any] { ["src": source, "repeat": 1_000_000] }
            let tiles: [([String: Any], at: Double)] = [
                (["play": [many(still), film]], 1e6), (["play": [many("/gone.mp4"), film], "on-error": "hold"], 1e6),
                (["play": [many("/gone.mp4")], "loop": false], 0), (["play": [bad, "/gone.mp4"]], 0),
                (["play": [many(still), bad], "offset": -9e7], 1e8),
            ]
            for (tile, at) in tiles {
                let layout = try layout(
                    tiles: [["play": film], tile], Self.pair.merging(["groups": ["main": ["at": at]]]) { $1 })
                let began = RealTime.now
                let result = try Program.run(["snapshot", layout, "-o", Scratch.path("many.png")], atMost: 20)
                expect(result.status, equals: 0, "\(tile): \(result.errors)")
                expect(RealTime.now - began, below: 5, "\(tile)")
            }
        }

        @Test func aFileThatTheKernelHoldsIsGivenUp() throws {
            let path = Scratch.path("held.mp4")
            let held = try HeldFile(copyOf: try clip(4, 30).file(), at: path)
            let began = RealTime.now
            let result = try Program.run(["snapshot", path, "-o", Scratch.path("held.png")], atMost: 20)
            withExtendedLifetime(held) {}
            expect(result.status, equals: 1)
            expect(result.errors.contains("no frames arrived for 10 s: tile1"), "\(result.errors)")
            expect(RealTime.now - began, below: 15)
        }

        @Test func threeYearsIntoALoopAreEnteredAtOnce() throws {
            var rest = Self.pair
            rest["groups"] = ["main": ["loop": "together"]]
            let layout = try layout(tiles: [["play": try clip(4, 60).file()], ["play": try clip(5, 30).file()]], rest)
            let began = RealTime.now
            let marks = try Self.marks(layout, at: "27000:00:00")
            expect(RealTime.now - began, below: 3)
            expect(marks[0] == .frame(Mark(clip: 4, number: 0)) && marks[1] == .frame(Mark(clip: 5, number: 0)))
        }
    }
}
