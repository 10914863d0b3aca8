import Expectations
import Foundation
import TestKit
import Testing

extension RenderTests {
    /// Lyrics over a frame, read from the output of `render`: sung letters are red, the others green.
    @Suite struct Words {
        private static let size = (width: 480, height: 270)

        /// Letters of one frame.
        private struct Letters {
            var sung = 0
            var plain = 0
            /// Columns from the first letter to one past the last, for all letters and for the sung ones.
            var columns = Int.max..<Int.max
            var sungColumns = Int.max..<Int.max
            var rows = Int.max..<Int.max
            var isEmpty: Bool { sung + plain == 0 }
        }

        private static func black() throws -> String {
            try MadeFile.named(
                "black.mkv", ["-f", "lavfi", "-i", "color=black:s=480x270:r=30", "-t", "5", "-c:v", "ffv1"])
        }

        private static func letters(_ item: [String: Any], from: Double = 0, seconds: Double = 5) throws -> [Letters] {
            let layout = try layout(tiles: [["play": item]], ["window": ["size": [size.width, size.height]]])
            let (film, raw) = (Scratch.path("words.mkv"), Scratch.path("words.rgb"))
            try RenderTests.render([layout, "--at", "\(from)", "--for", "\(seconds)", "--fps", "30", "-o", film])
            try run(["ffmpeg", "-nostdin", "-v", "error", "-y", "-i", film, "-f", "rawvideo", "-pix_fmt", "rgb24", raw])
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: raw)))
            let frame = size.width * size.height * 3
            return (0..<bytes.count / frame).map { read(bytes[$0 * frame..<($0 + 1) * frame]) }
        }

        private static func read(_ frame: ArraySlice<UInt8>) -> Letters {
            var letters = Letters()
            for index in 0..<size.width * size.height {
                let (red, green) = (
                    frame[frame.startIndex + index * 3], frame[frame.startIndex + index * 3 + 1]
                )
                guard max(red, green) > 128 else { continue }
                let column = index % size.width
                letters.columns = letters.columns.including(column)
                letters.rows = letters.rows.including(index / size.width)
                if red > green {
                    letters.sung += 1
                    letters.sungColumns = letters.sungColumns.including(column)
                } else {
                    letters.plain += 1
                }
            }
            return letters
        }

        private static func words(_ text: String, _ name: String) throws -> [String: Any] {
            let path = Scratch.path(name)
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            return [
                "src": try black(), "lyrics": ["src": path, "color": "#00ff00", "sung": "#ff0000", "size": 10],
            ]
        }

        private static let ass = """
            [Script Info]
            ScriptType: v4.00+
            PlayResX: 480
            PlayResY: 270

            [V4+ Styles]
            Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, \
            Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, \
            MarginR, MarginV, Encoding
            Style: Sung,sans-serif,30,&H000000FF,&H0000FF00,&H0,&H0,0,0,0,0,100,100,0,0,1,1,0,2,10,10,20,1

            [Events]
            Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
            Dialogue: 0,0:00:01.00,0:00:04.00,Sung,,0,0,0,,{\\k100}{\\kf200}MMMMMMMM

            """

        /// One word, sung from second 2 to second 4, in each format. Subtitles appear at their own time, the first line of
        /// lyrics up to five seconds before its word.
        @Test(arguments: ["lrc", "txt", "ass"])
        func aLineIsThereInTimeAndItsWordIsSungSmoothly(format: String) throws {
            let text =
                switch format {
                case "lrc": "[00:02.00]<00:02.00>MMMMMMMM<00:04.00>\n"
                case "txt": "#TITLE:T\n#ARTIST:A\n#MP3:a.mp3\n#BPM:120\n#GAP:2000\n: 0 16 0 MMMMMMMM\nE\n"
                default: Self.ass
                }
            let frames = try Self.letters(try Self.words(text, "word.\(format)"))
            try #require(frames.count == 150)
            let seen = frames.indices.filter { !frames[$0].isEmpty }
            expect(
                seen, equals: Array((format == "ass" ? 30 : 0)..<120),
                "seen from \(seen.first ?? -1) to \(seen.last ?? -1)")
            let columns = frames[45].columns
            // Allows a frame more or less and the letters' own edges. libass also counts the room beside the letters.
            let slack = Double(columns.count) / 60 + (format == "ass" ? 5 : 3)
            for number in 31..<120 {
                let share = min(1, max(0, (Double(number) / 30 - 2) / 2))
                let edge = Double(columns.lowerBound) + Double(columns.count) * share
                let shown = frames[number].sung == 0 ? columns.lowerBound : frames[number].sungColumns.upperBound
                expect(abs(Double(shown) - edge), atMost: slack, "frame \(number): \(shown), not \(edge)")
            }
        }

        @Test func whatIsReadFromRightToLeftIsSungFromRightToLeft() throws {
            let text = "[00:02.00]<00:02.00>\u{05E9}\u{05DC}\u{05D5}\u{05DD}\u{05E9}\u{05DC}<00:04.00>\n"
            let frames = try Self.letters(try Self.words(text, "hebrew.lrc"))
            let half = frames[90]
            expect(half.sungColumns.upperBound, atLeast: half.columns.upperBound - 2)
            let middle = (half.columns.lowerBound + half.columns.upperBound) / 2
            expect(abs(half.sungColumns.lowerBound - middle), atMost: half.columns.count / 20 + 3)
        }

        @Test func aPositiveOffsetIsLater() throws {
            var item = try Self.words("[00:02.00]<00:02.00>MMMM<00:03.00>\n", "offset.lrc")
            item["lyrics"] = (item["lyrics"] as? [String: Any])?.merging(["offset": 0.5]) { $1 }
            let frames = try Self.letters(item)
            expect(frames.indices.filter { !frames[$0].isEmpty }, equals: Array(0..<105))
        }

        /// A file of the film's name is found, and the item's lyrics style applies to it.
        @Test(arguments: ["srt", "vtt"]) func subtitlesBesideTheFilmAreThereWhenTheySay(format: String) throws {
            let folder = try Scratch.newFolder("auto")
            try FileManager.default.copyItem(atPath: try Self.black(), toPath: "\(folder)/film.mkv")
            let text =
                format == "srt"
                ? "1\n00:00:02,000 --> 00:00:03,500\nMM <i>MM</i>\n"
                : "WEBVTT\n\n00:02.000 --> 00:03.500\nMM <i>MM</i>\n"
            try text.write(toFile: "\(folder)/film.\(format)", atomically: true, encoding: .utf8)
            let frames = try Self.letters(["src": "\(folder)/film.mkv", "lyrics": ["color": "#00ff00"]])
            expect(frames.indices.filter { !frames[$0].isEmpty }, equals: Array(60..<105))
            expect(frames[80].sung == 0 && frames[80].plain > 100)
        }

        @Test func aCueThatSaysItsLineStandsThere() throws {
            let cues = [("1", " line:0"), ("2", " line:50% align:start"), ("3", "")]
            let frames = try Self.letters(
                Self.words(
                    "WEBVTT\n\n" + cues.map { "00:0\($0).000 --> 00:0\($0).900\($1)\nMMM\n\n" }.joined(), "cues.vtt"))
            let height = Self.size.height
            expect(frames[40].rows.upperBound, below: height / 3, "\(frames[40].rows)")
            expect(frames[70].rows.lowerBound > height / 3 && frames[70].rows.upperBound < height * 2 / 3)
            expect(frames[70].columns.upperBound, below: Self.size.width / 2, "\(frames[70].columns)")
            expect(frames[100].rows.lowerBound, above: height * 2 / 3, "\(frames[100].rows)")
        }

        /// FFmpeg stops at a STYLE block, and reads nothing of a UTF-16 file.
        @Test func styledCuesAndWideLettersAreShown() throws {
            let styled = "WEBVTT\n\nSTYLE\n::cue{color:red}\n\n00:01.000 --> 00:02.000\nMMM\n"
            try expect(Self.letters(Self.words(styled, "styled.vtt"))[40].plain, above: 100)
            var wide = try Self.words("", "wide.srt")
            let bytes = "\u{FEFF}1\n00:00:01,000 --> 00:00:02,000\nMMM\n".utf16.flatMap {
                [UInt8($0 & 255), UInt8($0 >> 8)]
            }
            let path = Scratch.path("wide.srt")
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            wide["lyrics"] = (wide["lyrics"] as? [String: Any])?.merging(["src": path]) { $1 }
            try expect(Self.letters(wide)[40].plain, above: 100)
        }

        @Test func aTracksWordsAreThereWithoutAFileAndOfTheTrackThatIsWanted() throws {
            let folder = try Scratch.newFolder("track")
            for (name, time) in [("a", "00:00:01,000 --> 00:00:02,000"), ("b", "00:00:03,000 --> 00:00:04,000")] {
                try "1\n\(time)\nMMMM\n".write(toFile: "\(folder)/\(name).srt", atomically: true, encoding: .utf8)
            }
            let film = "\(folder)/film.mkv"
            try run([
                "ffmpeg", "-nostdin", "-v", "error", "-y", "-i", try Self.black(), "-i", "\(folder)/a.srt", "-i",
                "\(folder)/b.srt", "-map", "0", "-map", "1", "-map", "2", "-c:v", "copy", "-c:s", "srt", film,
            ])
            let first = try Self.letters(["src": film, "lyrics": "auto"])
            expect(first.indices.filter { !first[$0].isEmpty }, equals: Array(30..<60))
            let second = try Self.letters(["src": film, "lyrics": ["track": 2]])
            expect(second.indices.filter { !second[$0].isEmpty }, equals: Array(90..<120))
        }

        @Test func wordsThatAreNotThereAreReportedAndTheFilmPlays() throws {
            let layout = try layout(tiles: [["play": ["src": try Self.black(), "lyrics": "none.lrc"]]], [:])
            let result = try Program.run(["snapshot", layout, "--at", "1", "-o", Scratch.path("none.png")])
            expect(result.status, equals: 0)
            expect(result.errors.contains("none.lrc"), "\(result.errors)")
        }
    }
}

extension Range<Int> {
    fileprivate func including(_ value: Int) -> Range<Int> {
        isEmpty ? value..<value + 1 : Swift.min(lowerBound, value)..<Swift.max(upperBound, value + 1)
    }
}
