import Expectations
import Foundation
import TestKit
import Testing

extension RenderTests {
    /// CD+G songs, under the names that users give.
    @Suite struct Songs {
        private static let cdgSize = KaraokeDisc.size

        /// A song of 8 s of frames and 9.5 s of sound, side by side and in a zip.
        private static func song() throws -> (folder: String, names: [String]) {
            let folder = try Scratch.newFolder("songs")
            try KaraokeDisc.song(in: folder, seconds: 8, tone: ("mp3", 9.5))
            try KaraokeDisc.zip(
                "\(folder)/other.zip",
                of: [("\(folder)/song.cdg", "Song/SONG.CDG"), ("\(folder)/song.mp3", "Song/SONG.MP3")])
            return (folder, ["song.mp3", "song.cdg", "other.zip"].map { "\(folder)/\($0)" })
        }

        /// Pixels of a PNG, in red, green and blue.
        private static func pixels(of png: String) throws -> [UInt8] {
            let raw = Scratch.path("frame.rgb")
            try run([
                "ffmpeg", "-nostdin", "-v", "error", "-y", "-i", png, "-f", "rawvideo", "-pix_fmt", "rgb24", raw,
            ])
            return [UInt8](try Data(contentsOf: URL(fileURLWithPath: raw)))
        }

        @Test func everyInstantShowsWhatADecodeFromTheBeginningShows() throws {
            let (folder, names) = try Self.song()
            let expected = try KaraokeDisc.frames(of: "\(folder)/song.cdg")
            for (index, time) in [7.5, 0.1, 3.333, 7.99, 9.4].enumerated() {
                let png = Scratch.path("song.png")
                let result = try Program.run([
                    "snapshot", "--size", "\(Self.cdgSize.width)x\(Self.cdgSize.height)", names[index % 3], "--at",
                    "\(time)", "-o", png,
                ])
                try #require(result.status == 0, "\(result.errors)")
                let shown = try Self.pixels(of: png), due = expected[min(Int(time * 30 + 1e-6), expected.count - 1)]
                expect(shown.count, equals: due.count)
                let furthest = zip(shown, due).map { abs(Int($0) - Int($1)) }.max() ?? 255
                expect(furthest, atMost: 1, "\(names[index % 3]) at \(time) s: off by \(furthest)")
            }
        }

        /// Items with in and out points, at half the rate, repeated, and from one song into the other.
        @Test func partsOfSongsFollowEachOtherFrameByFrame() throws {
            let (folder, names) = try Self.song()
            let expected = try KaraokeDisc.frames(of: "\(folder)/song.cdg")
            let layout = try layout(
                tiles: [
                    [
                        "play": [
                            ["src": names[2], "in": 2.5, "out": 2.7, "rate": 0.5],
                            ["src": names[0], "in": 6, "out": 6.2, "repeat": 2], ["src": names[1], "out": 0.2],
                        ]
                    ]
                ], ["window": ["size": [300, 216]]])
            let frames = try Scratch.newFolder("pictures")
            try render([layout, "--fps", "30", "-o", "\(frames)/%05d.png"])
            var due = (0..<12).map { 75 + $0 / 2 }
            for range in [180..<186, 180..<186, 0..<6] { due += Array(range) }
            let files = try FileManager.default.contentsOfDirectory(atPath: frames).sorted()
            expect(files.count, equals: due.count)
            let shown = try decoded("\(frames)/%05d.png", "rgb24"), bytes = Self.cdgSize.width * Self.cdgSize.height * 3
            try #require(shown.count == due.count * bytes)
            for (place, number) in due.enumerated() {
                let furthest = PixelBytes.largestDifference(
                    shown[place * bytes..<(place + 1) * bytes], expected[number][...])
                expect(furthest, atMost: 1, "\(files[place]) is not frame \(number): off by \(furthest)")
            }
        }

        @Test func aSongLastsAsLongAsItsSoundWhichIsHeardToItsEnd() throws {
            let (_, names) = try Self.song()
            for name in names {
                let file = Scratch.path("song.mkv")
                try render(["--size", "300x216", name, "-o", file])
                let sound = Scratch.path("song.wav")
                try run(["ffmpeg", "-nostdin", "-v", "error", "-y", "-i", file, "-ac", "1", "-ar", "48000", sound])
                let samples = try Data(contentsOf: URL(fileURLWithPath: sound)).count / 2 - 22
                expect(abs(Double(samples) / 48_000 - 9.5), below: 0.06, "\(name): \(samples) samples")
                let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: sound)).suffix(48_000))
                let loudest =
                    stride(from: 0, to: bytes.count - 1, by: 2).map {
                        abs(Int(Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)))
                    }.max() ?? 0
                expect(loudest, above: 2000, "\(name): the last half second is silent")
            }
        }

        @Test func checkNamesWordsThatCannotBeRead() throws {
            let (folder, names) = try Self.song()
            func layout(_ lyrics: Any) throws -> String {
                try RenderTests.layout(tiles: [["play": ["src": names[0], "lyrics": lyrics]]], [:])
            }
            try "[00:01.00]la\n".write(toFile: "\(folder)/there.lrc", atomically: true, encoding: .utf8)
            for (lyrics, status, reported) in [
                ("\(folder)/none.lrc" as Any, Int32(3), "the words \(folder)/none.lrc\n"),
                (["track": 2] as Any, 3, "the words \(names[0])\n"), ("\(folder)/there.lrc" as Any, 0, nil as String?),
                ("auto", 0, "the words of \(names[0])\n  none: there is no file of its name"),
            ] {
                let result = try Program.run(["check", try layout(lyrics)])
                expect(result.status, equals: status, "\(lyrics): \(result.output)")
                expect(
                    result.output.contains(reported ?? "seamless")
                        && result.output.contains("the words") == (reported != nil), "\(lyrics): \(result.output)")
            }
        }

        @Test func checkSaysWhatItIsAndWhatIsOdd() throws {
            let (folder, names) = try Self.song()
            for name in names {
                let result = try Program.run(["check", name])
                expect(result.status, equals: 0, "\(name): \(result.output)\(result.errors)")
                expect(result.output.contains("300x216") && result.output.contains("cdgraphics"), "\(result.output)")
            }
            let (none, cut) = ("\(folder)/none.zip", "\(folder)/cut.zip")
            try KaraokeDisc.zip(none, of: [("\(folder)/song.mp3", "song.mp3")])
            try Data(contentsOf: URL(fileURLWithPath: names[2])).dropLast(50).write(to: URL(fileURLWithPath: cut))
            try KaraokeDisc.song(in: folder, "bad", seconds: 1, tone: ("mp3", 1))
            try Data("no words".utf8).write(to: URL(fileURLWithPath: "\(folder)/bad.cdg"))
            let found = try Program.run(["check", none, cut, "\(folder)/bad.mp3"])
            for line in [
                "\(none): can't be played: the zip has no CDG file; song.cdg and song.mp3 in it would be right (unsupported)",
                "\(cut): can't be played: not a zip file, or truncated: the directory at its end is missing; a whole copy would be right (damaged)",
                "\(folder)/bad.mp3: can't be played: bad.cdg beside it: it has no CDG instructions (damaged)",
            ] {
                expect(found.output.contains("  \(line)\n"), "\(line): \(found.output)")
            }
        }

        /// A card is shown for the first five seconds, over a film and over the still picture of a song.
        @Test func whatIsAnnouncedIsInTheFrames() throws {
            let folder = try Scratch.newFolder("announced")
            try run(["ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", "sine=d=9", "\(folder)/song.mp3"])
            for (source, name) in [("color=blue:s=320x180", "back.png"), ("color=blue:s=320x180:d=9", "film.mp4")] {
                let count = name == "back.png" ? ["-frames:v", "1"] : []
                try run(
                    ["ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", source] + count
                        + ["\(folder)/\(name)"])
            }
            let song = "#TITLE:Blue\n#ARTIST:Anna\n#MP3:song.mp3\n#BACKGROUND:back.png\n#BPM:240\n#GAP:8000\n"
            try (song + ": 0 4 60 La\nE\n").write(
                toFile: "\(folder)/song.txt", atomically: true, encoding: .utf8)
            /// The number of pixels that differ clearly from the one in the corner.
            func drawn(_ source: String, at time: String, announce: Bool) throws -> Int {
                let item: [String: Any] = ["src": "\(folder)/\(source)", "lyrics": false]
                let layout = try layout(
                    tiles: [["play": item, "announce": announce]], ["window": ["size": [640, 360]]])
                let png = Scratch.path("announced.png")
                let result = try Program.run(["snapshot", layout, "--at", time, "-o", png])
                try #require(result.status == 0, "\(result.errors)")
                let pixels = try Self.pixels(of: png)
                return stride(from: 0, to: pixels.count, by: 3).count { pixel in
                    (0..<3).contains { abs(Int(pixels[pixel + $0]) - Int(pixels[$0])) > 60 }
                }
            }
            for source in ["song.txt", "film.mp4"] {
                try expect(drawn(source, at: "1", announce: true), above: 300, "\(source)")
                try expect(drawn(source, at: "6", announce: true), equals: 0, "\(source)")
                try expect(drawn(source, at: "1", announce: false), equals: 0, "\(source)")
            }
        }

        @Test func checkFailsIfAStemOfASongCannotBePlayed() throws {
            let library = try Scratch.newFolder("library"), folder = "\(library)/blue"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try run(["ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", "sine=d=2", "\(folder)/song.mp3"])
            for (name, sound) in [("song.txt", "song.mp3"), ("instrumental.txt", "other.mp3")] {
                try "#TITLE:Blue\n#ARTIST:Anna\n#MP3:\(sound)\n#BPM:240\n#GAP:500\n: 0 4 60 La\nE\n".write(
                    toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
            }
            for (isWhole, status) in [(false, Int32(3)), (true, 0)] {
                let sound = isWhole ? try Data(contentsOf: URL(fileURLWithPath: "\(folder)/song.mp3")) : Data("no".utf8)
                try sound.write(to: URL(fileURLWithPath: "\(folder)/other.mp3"))
                let result = try Program.run(["check", library])
                expect(result.status, equals: status, "\(result.output)")
                let fault = "not heard: stem instrumental: \(folder)/other.mp3 can't be played"
                expect(result.output.contains(fault), equals: !isWhole, "\(result.output)")
            }
        }

        @Test func aFolderOfSongsGivesOneItemASong() throws {
            let folder = try Self.song().folder
            let found = try Program.run(["check", "--json", folder])
            let object = try #require(JSONSerialization.jsonObject(with: Data(found.output.utf8)) as? [String: Any])
            expect((object["tiles"] as? [Any])?.count, equals: 2, "\(found.output)")
        }
    }
}
