import Expectations
import Foundation
import TestKit
import Testing

extension RenderTests {
    /// Subtitles of films, read from the output of `render`.
    @Suite struct Subtitles {
        private static let size = (width: 480, height: 270)
        /// Shown from second 1 to second 3.
        private static let srt = "1\n00:00:01,000 --> 00:00:03,000\nMMMMMMMM\n"

        /// Makes a black film of 4 s with these subtitles as a stream; nil for none.
        private static func film(_ name: String, _ codec: String?, _ words: String = srt) throws -> String {
            let folder = try Scratch.newFolder("subtitled"), path = "\(folder)/\(name)", text = "\(folder)/words.txt"
            try words.write(toFile: text, atomically: true, encoding: .utf8)
            let input = codec == nil ? [] : ["-f", "srt", "-i", text]
            let streams = codec.map { ["-map", "0", "-map", "1", "-c:s", $0] } ?? []
            try run(
                ["ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", "color=black:s=480x270:r=25:d=4"]
                    + input + streams + ["-c:v", "libx264", "-preset", "ultrafast", path])
            return path
        }

        /// Returns the numbers of the frames on which anything is seen, and the rows of what is seen.
        private static func seen(_ tile: [String: Any], _ options: [String] = []) throws -> (frames: [Int], rows: [Int])
        {
            let layout = try layout(tiles: [tile], ["window": ["size": [size.width, size.height]]])
            let (film, raw) = (Scratch.path("shown.mkv"), Scratch.path("shown.gray"))
            try RenderTests.render([layout, "--for", "4", "--fps", "25"] + options + ["-o", film])
            try run(["ffmpeg", "-nostdin", "-v", "error", "-y", "-i", film, "-f", "rawvideo", "-pix_fmt", "gray", raw])
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: raw))), frame = size.width * size.height
            var (frames, rows): ([Int], Set<Int>) = ([], [])
            for number in 0..<bytes.count / frame {
                let lit = (0..<frame).filter { bytes[number * frame + $0] > 128 }
                if !lit.isEmpty { frames.append(number) }
                rows.formUnion(lit.map { $0 / size.width })
            }
            return (frames, rows.sorted())
        }

        @Test(arguments: [("f.mkv", "srt"), ("f.mkv", "ass"), ("f.mp4", "mov_text"), ("f.mkv", "webvtt")])
        func subtitlesOfAFilmAreSeenInTheirTimeIfTheyAreWanted(_ name: String, _ codec: String) throws {
            let film = try Self.film(name, codec)
            try expect(Self.seen(["play": film]).frames, equals: [])
            for wanted in [1, true] as [Any] {
                let seen = try Self.seen(["play": film, "subtitles": wanted])
                expect(seen.frames, equals: Array(25..<75), "\(codec), \(wanted)")
                // At the lower edge, and no higher than a line.
                expect((seen.rows.first ?? 0) > 200 && (seen.rows.last ?? 999) < 268, "\(seen.rows)")
            }
        }

        @Test func subtitlesFollowTheOffsetTheRateAndTheLoop() throws {
            let film = try Self.film("f.mkv", "srt")
            let ahead = try Self.seen(["play": film, "subtitles": 1, "offset": 0.4])
            expect(ahead.frames, equals: Array(15..<65))
            let fast = try Self.seen(["play": film, "subtitles": 1], ["--rate", "2"])
            expect(fast.frames, equals: Array(13..<38) + Array(63..<88))
            let later = try Self.seen(["play": film, "subtitles": 1], ["--at", "2"])
            expect(later.frames, equals: Array(0..<25) + Array(75..<100))
        }

        @Test func aFileBesideTheFilmIsTakenAsMpvDoes() throws {
            let film = try Self.film("f.mp4", nil)
            try Self.srt.write(
                toFile: film.replacingOccurrences(of: ".mp4", with: ".srt"), atomically: true, encoding: .utf8)
            for wanted in [1, "auto", film.replacingOccurrences(of: ".mp4", with: ".srt")] as [Any] {
                try expect(Self.seen(["play": film, "subtitles": wanted]).frames, equals: Array(25..<75), "\(wanted)")
            }
        }

        @Test func aNumberThatAFilmDoesNotHaveIsReported() throws {
            let film = try Self.film("f.mkv", "srt")
            let layout = try layout(
                tiles: [["play": film, "subtitles": 2]], ["window": ["size": [Self.size.width, Self.size.height]]])
            let result = try Program.run(["render", layout, "--for", "1", "-o", Scratch.path("none.mkv")])
            expect(
                result.status == 0 && result.errors.contains("there is no subtitle track 2 in it"), "\(result.errors)")
        }

        /// A Blu-ray's subtitles: a white square of 96x27 at 192,216 of a frame of 480x270, from second 1 to second 3.
        private static func blurayImages() -> [UInt8] {
            func two(_ number: Int) -> [UInt8] { [UInt8(number >> 8 & 255), UInt8(number & 255)] }
            func segment(_ kind: UInt8, _ seconds: Int, _ body: [UInt8]) -> [UInt8] {
                let stamp = (0..<4).reversed().map { UInt8((seconds * 90000) >> ($0 * 8) & 255) }
                return Array("PG".utf8) + stamp + [0, 0, 0, 0] + [kind] + two(body.count) + body
            }
            func composition(_ number: Int, _ state: UInt8, _ objects: [UInt8]) -> [UInt8] {
                two(480) + two(270) + [0x10] + two(number) + [state, 0, 0, objects.isEmpty ? 0 : 1] + objects
            }
            let window: [UInt8] = [1, 0] + two(192) + two(216) + two(96) + two(27)
            // Each row is one run of 96 pixels of colour 1.
            let rows = (0..<27).flatMap { _ in [0, 0xC0 | UInt8(96 >> 8), 96, 1, 0, 0] as [UInt8] }
            let length = rows.count + 4
            let object: [UInt8] = [0, 0, 0, 0xC0, 0] + two(length) + two(96) + two(27) + rows
            return segment(0x16, 1, composition(0, 0x80, [0, 0, 0, 0] + two(192) + two(216)))
                + segment(0x17, 1, window) + segment(0x14, 1, [0, 0, 1, 235, 128, 128, 255])
                + segment(0x15, 1, object) + segment(0x80, 1, [])
                + segment(0x16, 3, composition(1, 0, [])) + segment(0x17, 3, window) + segment(0x80, 3, [])
        }

        @Test func imagesAreDrawnToo() throws {
            let folder = try Scratch.newFolder("images"), (images, film) = ("\(folder)/s.sup", "\(folder)/f.mkv")
            try Data(Self.blurayImages()).write(to: URL(fileURLWithPath: images))
            try run([
                "ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", "color=black:s=480x270:r=25:d=4",
                "-itsoffset", "1", "-i", images, "-map", "0", "-map", "1", "-c:v", "libx264", "-preset", "ultrafast",
                "-c:s", "copy", film,
            ])
            let seen = try Self.seen(["play": film, "subtitles": 1])
            expect(seen.frames == Array(25..<75) && seen.rows == Array(216..<243), "\(seen)")
        }
    }
}
