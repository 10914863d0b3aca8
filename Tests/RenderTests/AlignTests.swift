import Expectations
import Foundation
import TestKit
import Testing

extension RenderTests {
    /// `align` on clips cut from the same film or melody, and on unrelated clips.
    @Suite struct Align {
        static func ffmpeg(_ arguments: [String], _ name: String) throws -> String {
            try MadeFile.named(name, arguments)
        }

        /// Twelve seconds of notes of random pitch and loudness, five a second. Another seed gives another melody.
        private static func melody(_ seed: UInt64) throws -> String {
            var numbers = SeededNumbers(seed)
            let note = 9_600
            let samples = (0..<60).flatMap { _ -> [Int16] in
                let tone = 110 * exp2(Double(Int.random(in: 0..<36, using: &numbers)) / 12)
                let loudness = Double.random(in: 1_000...12_000, using: &numbers)
                return (0..<note).map { place in
                    let turns = tone * Double(place) / 48_000
                    let wave = sin(2 * .pi * turns) + 0.4 * sin(4 * .pi * turns)
                    return Int16(loudness * exp(-5 * Double(place) / Double(note)) * wave)
                }
            }
            let raw = Scratch.path("melody.raw")
            try samples.withUnsafeBytes { try Data($0).write(to: URL(fileURLWithPath: raw)) }
            return try ffmpeg(["-f", "s16le", "-ar", "48000", "-ac", "1", "-i", raw], "melody.wav")
        }

        private static let whole = Result { try melody(1) }

        /// A part of `whole`.
        struct Cut: Sendable, CustomTestStringConvertible {
            var start: Double
            var coding: [String]
            var ending: String
            var testDescription: String { "\(start) \(coding) \(ending)" }
        }

        static let cuts = [
            Cut(start: 2.3417, coding: ["-c:a", "pcm_s16le"], ending: "wav"),
            Cut(start: 1.0103, coding: ["-c:a", "libopus", "-b:a", "48k"], ending: "opus"),
            Cut(start: 3.25, coding: ["-c:a", "aac", "-b:a", "64k", "-ar", "44100"], ending: "m4a"),
            Cut(start: 0.017, coding: ["-c:a", "libmp3lame", "-b:a", "64k", "-ar", "22050"], ending: "mp3"),
            Cut(start: 1.5, coding: ["-af", "volume=0.03", "-c:a", "flac"], ending: "flac"),
            Cut(start: 2, coding: ["-ac", "2", "-ar", "8000", "-c:a", "pcm_mulaw"], ending: "wav"),
            Cut(
                start: 1.734,
                coding: [
                    "-f", "lavfi", "-i", "anoisesrc=c=white:r=48000:seed=5:a=0.05", "-filter_complex",
                    "amix=2:normalize=0:duration=first",
                ], ending: "flac"),
        ]

        struct Reported {
            let offset: Double
            let by: String
            let confidence: Double
        }

        /// The result of `align` for the second file.
        static func reported(_ first: String, _ second: String, _ options: [String] = []) throws -> Reported {
            let result = try Program.run(["align", "--json"] + options + [first, second], atMost: 60)
            try #require(result.status == 0, "\(result.errors)")
            let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
            let other = try #require((object?["others"] as? [[String: Any]])?.first)
            return Reported(
                offset: try #require(other["offset"] as? Double), by: other["by"] as? String ?? "",
                confidence: other["confidence"] as? Double ?? 0)
        }

        @Test(arguments: cuts) func soundIsFoundToFiveMilliseconds(_ cut: Cut) throws {
            let whole = try Self.whole.get()
            let part = try Self.ffmpeg(["-ss", "\(cut.start)", "-i", whole] + cut.coding, "part.\(cut.ending)")
            let reported = try Self.reported(whole, part)
            expect(
                abs(reported.offset + cut.start) <= 0.005 && reported.by == "sound",
                "\(reported) instead of \(-cut.start)")
            expect(reported.confidence > 0.3 && reported.confidence <= 1)
        }

        @Test func anOffsetIsPositiveWhenTheFirstClipIsCut() throws {
            let whole = try Self.whole.get()
            let part = try Self.ffmpeg(["-ss", "1.2345", "-i", whole], "part.mka")
            expect(abs(try Self.reported(part, whole).offset - 1.2345), atMost: 0.005)
        }

        /// Without sound: a film of the assets without its first frames, at another size, rate, brightness and quality.
        @Test(
            arguments: [
                (
                    "hills.mp4", 36, 1.2, "eq=brightness=0.15:contrast=0.8,scale=320:180",
                    ["-c:v", "libvpx", "-b:v", "300k"]
                ),
                ("sharp.mp4", 20, 0.8, "scale=300:200,fps=50", ["-t", "6"]),
                ("aurora.webm", 50, 2, "fps=30,noise=alls=10:allf=t", []),
                ("lanterns.mkv", 36, 1.5, "eq=gamma=1.4", ["-crf", "35"]),
            ] as [(String, Int, Double, String, [String])])
        func framesAreFoundToTheFrame(
            _ name: String, _ frames: Int, _ seconds: Double, _ filter: String, _ coding: [String]
        ) throws {
            let film = "\(root)/assets/\(name)"
            let ending = coding.contains("libvpx") ? "webm" : "mp4"
            let part = try Self.ffmpeg(
                ["-i", film, "-an", "-vf", "trim=start_frame=\(frames),setpts=PTS-STARTPTS,\(filter)"] + coding,
                "part.\(ending)")
            let limit = filter.contains("fps=30") ? 1.0 / 25 : 0.000_01
            for (first, second, due) in [(film, part, -seconds), (part, film, seconds)] {
                let reported = try Self.reported(first, second)
                expect(
                    abs(reported.offset - due) <= limit && reported.by == "pictures", "\(reported) instead of \(due)")
            }
        }

        /// Sound and frames lead to the same offset.
        @Test(arguments: [
            ("hills.mp4", 45, 1.5, "mkv"), ("rose.mov", 30, 1.001, "mp4"),
        ])
        func soundAndFramesAgree(_ name: String, _ frames: Int, _ seconds: Double, _ ending: String) throws {
            let film = "\(root)/assets/\(name)"
            let filters = [
                "-vf", "trim=start_frame=\(frames),setpts=PTS-STARTPTS", "-af",
                "atrim=start=\(seconds),asetpts=PTS-STARTPTS",
            ]
            let part = try Self.ffmpeg(["-copyts", "-start_at_zero", "-i", film] + filters, "part.\(ending)")
            let byFrames = try Self.reported(film, part, ["--by", "pictures"])
            expect(abs(byFrames.offset + seconds) < 0.000_01 && byFrames.by == "pictures", "\(byFrames)")
            let bySound = try Self.reported(film, part, ["--by", "sound"])
            expect(abs(bySound.offset + seconds) <= 0.005 && bySound.by == "sound", "\(bySound)")
        }

        /// A clip of the kind that `name` states.
        private static func unrelated(_ name: String) throws -> String {
            func source(_ text: String, _ ending: String = "mp4") throws -> String {
                try ffmpeg(["-f", "lavfi", "-i", text], "\(name.prefix(5)).\(ending)")
            }
            switch name {
            case "melody": return try whole.get()
            case "another melody": return try melody(9)
            case "tone": return try source("sine=440:d=8", "wav")
            case "the same tone": return try source("sine=440:d=9", "opus")
            case "noise": return try source("anoisesrc=d=8:seed=21", "wav")
            case "other noise": return try source("anoisesrc=d=8:seed=22", "flac")
            case "clicks": return try source("sine=500:beep_factor=4:d=9", "wav")
            case "the same clicks": return try ffmpeg(["-ss", "0.4", "-i", try unrelated("clicks")], "clicks.m4a")
            case "silence": return try source("anullsrc=d=8", "wav")
            case "test pattern": return try source("testsrc=d=8:s=320x180:r=25")
            case "another pattern": return try source("testsrc2=d=8:s=320x180:r=25")
            case "black": return try source("color=black:d=8:s=320x180:r=25")
            case "a short one": return try source("testsrc=d=0.4:s=320x180:r=25")
            default: return "\(root)/assets/\(name)"
            }
        }

        @Test(arguments: [
            ("melody", "another melody", "by sound: they have nothing in common"),
            ("tone", "the same tone", "by sound: too even (silence, a tone, black, a still frame)"),
            ("noise", "other noise", "by sound: they have nothing in common"),
            ("clicks", "the same clicks", "by sound: it repeats: offset -0.400 s fits, and so does "),
            ("melody", "silence", "by sound: too even ("),
            ("test pattern", "another pattern", "by pictures: they have nothing in common"),
            ("test pattern", "black", "by pictures: too even ("),
            ("test pattern", "a short one", "by pictures: less than a second"),
            ("melody", "test pattern", "one has only sound, and the other only video"),
            ("hills.mp4", "rose.mov", "; by pictures: they have nothing in common"),
        ])
        func aGuessIsRefused(_ first: String, _ second: String, _ why: String) throws {
            let clips = [try Self.unrelated(first), try Self.unrelated(second)]
            let result = try Program.run(["align"] + clips, atMost: 60)
            expect(result.status == 1 && result.output.isEmpty, "\(result.output)")
            expect(
                result.errors.hasPrefix("quadrille: \(clips[1]): not aligned with \(clips[0]): "), "\(result.errors)")
            expect(result.errors.contains(why), "\(result.errors)")
        }

        // MARK: the layout

        /// A clip with numbered frames and the melody, and the same without its first `cut` frames.
        private static func twins(cut: Int, sound: Bool) throws -> (String, String) {
            let film = try clip(1, 240).file()
            let sounding = try ffmpeg(
                ["-i", film, "-i", try whole.get(), "-map", "0:v", "-map", "1:a", "-c:v", "copy", "-t", "8"]
                    + (sound ? ["-c:a", "flac"] : ["-an"]), "first.mkv")
            let start = Double(cut) / 30
            let part = try ffmpeg(
                [
                    "-i", sounding, "-vf", "trim=start_frame=\(cut),setpts=PTS-STARTPTS", "-crf", "20", "-preset",
                    "veryfast",
                ] + (sound ? ["-af", "atrim=start=\(start),asetpts=PTS-STARTPTS", "-c:a", "libopus"] : ["-an"]),
                "second.mkv")
            return (sounding, part)
        }

        /// By sound and by pictures: with the offset, both clips show the same frame.
        @Test(arguments: [(25, true, 0.0), (25, false, 0), (47, true, 1.5), (31, false, -0.5)])
        func theWrittenLayoutIsInStep(_ cut: Int, _ hasSound: Bool, _ offset: Double) throws {
            let (first, second) = try Self.twins(cut: cut, sound: hasSound)
            let text = """
                { "window": {"size": [640, 180]},  "x-note": "kept",
                  "tiles": [
                    {"id": "a", "play": "\(first)", "offset": \(offset)},\t
                    {"id": "b", "play": "\(second)", "offset": 9, "label": "b" }
                ]}

                """
            let layout = try Scratch.file("align.json", text)
            try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: layout)
            let link = Scratch.path("link.json")
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: layout)
            let result = try Program.run(["align", "--write", link, first, second], atMost: 60)
            try #require(result.status == 0, "\(result.errors)")
            expect(result.output.contains("by \(hasSound ? "sound" : "pictures")"), "\(result.output)")

            let written = try String(contentsOfFile: layout, encoding: .utf8)
            let parts = text.components(separatedBy: "\"offset\": 9,")
            expect(written.hasPrefix(parts[0] + "\"offset\": ") && written.hasSuffix(parts[1]), "\(written)")
            let value = written.dropFirst(parts[0].count + 10).dropLast(parts[1].count + 1)
            expect(Double(value).map { abs($0 - (offset - Double(cut) / 30)) < 1e-6 }, equals: true, "\(value)")
            try expect(FileManager.default.destinationOfSymbolicLink(atPath: link), equals: layout)
            let mode = try FileManager.default.attributesOfItem(atPath: layout)[.posixPermissions] as? Int
            expect(mode, equals: 0o640)

            let frame = Scratch.path("step.mkv")
            try render([layout, "--at", "2", "--for", "2", "--fps", "30", "-o", frame])
            let footage = try Footage(frame, width: 640, height: 180)
            for number in 0..<60 {
                let due = Reading.frame(Mark(clip: 1, number: 60 + number + Int(offset * 30)))
                expect(footage.read(Tile(Area(0, 0, 320, 180)), number), equals: due)
                expect(footage.read(Tile(Area(320, 0, 320, 180)), number), equals: due, "\(cut), \(number)")
            }
        }

        @Test func whereOneIsNotFoundOrNotPlayedNothingIsWritten() throws {
            let (melody, other) = (try Self.whole.get(), try Self.unrelated("noise"))
            let text = #"{"tiles": [{"play": "\#(melody)"}, {"play": "\#(other)"}]}"#
            let layout = try Scratch.file("unrelated.json", text)
            let refused = try Program.run(["align", "--write", layout, melody, other], atMost: 60)
            expect(refused.status == 1 && refused.errors.contains("nothing was written"), "\(refused.errors)")
            let stranger = try Self.unrelated("silence")
            let unplayed = try Program.run(["align", "--write", layout, melody, stranger], atMost: 60)
            expect(unplayed.status == 2 && unplayed.output.isEmpty)
            expect(
                unplayed.errors, equals: "quadrille: --write \(layout): no tile plays \(stranger)\n")
            try expect(String(contentsOfFile: layout, encoding: .utf8), equals: text)
        }

        @Test func aLayoutThatCannotBeWrittenIsStatusFive() throws {
            let whole = try Self.whole.get()
            let part = try Self.ffmpeg(["-ss", "1.5", "-i", whole], "part.wav")
            let note = String(repeating: "long ", count: 1_000)
            let layout = try Scratch.file(
                "full.json", #"{"x-note": "\#(note)", "tiles": [{"play": "\#(whole)"}, {"play": "\#(part)"}]}"#)
            let command = "ulimit -f 4; exec \"$0\" align --write \"$1\" \"$2\" \"$3\""
            let child = try Child(["sh", "-c", command, try #require(Program.path), layout, whole, part])
            expect(child.wait(atMost: 60), equals: 5, "\(child.errors)")
            expect(child.errors.contains("quadrille: --write "), "\(child.errors)")
        }

        // MARK: mistakes

        @Test(arguments: [
            ([], "quadrille: the files to align are missing"), (["a.mp4"], "quadrille: a second file is missing"),
            (["a.mp4", "wall.json"], "quadrille: wall.json: a layout is not aligned"),
            (["a.mp4", "a.mp4"], "quadrille: a.mp4 and a.mp4 are the same file"),
            (["a.mp4", "gopher://h/b"], "quadrille: gopher://h/b: \"gopher://\" is not supported"),
            (["--by", "ear", "a.mp4", "b.mp4"], "quadrille: --by ear: one of sound, pictures"),
            (["--wrte", "a", "a.mp4", "b.mp4"], "quadrille: unknown option --wrte; did you mean --write?"),
            (["--write", "nosuch.json", "a.mp4", "b.mp4"], "quadrille: --write nosuch.json: the layout can't be read"),
        ])
        func mistakesAreStatusTwo(_ arguments: [String], _ reported: String) throws {
            let result = try Program.run(["align"] + arguments, folder: try Scratch.newFolder("mistakes"))
            expect(result.status == 2 && result.output.isEmpty)
            expect(result.errors.hasPrefix(reported), "\(result.errors)")
        }

        @Test func whatCannotBeReadIsNamedAndTheOthersAreFound() throws {
            let whole = try Self.whole.get()
            let part = try Self.ffmpeg(["-ss", "1.5", "-i", whole], "part.wav")
            let image = "\(root)/assets/poster.png"
            let result = try Program.run(["align", whole, "nosuch.mp4", part, image], atMost: 60)
            expect(result.status, equals: 1)
            expect(
                result.errors, equals: "quadrille: nosuch.mp4: no such file\nquadrille: \(image): it is a still image\n"
            )
            expect(result.output.hasPrefix("\(part): offset -1.5000 s (behind), by sound, confidence "))
            let none = try Program.run(["align", "nosuch.mp4", part])
            expect(none.status == 1 && none.errors == "quadrille: nosuch.mp4: no such file\n", "\(none.errors)")
        }

        @Test func theSameFileByAnotherNameIsAMistake() throws {
            let (whole, link) = (try Self.whole.get(), Scratch.path("link.wav"))
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: whole)
            let result = try Program.run(["align", whole, link])
            expect(result.status == 2 && result.errors.contains("are the same file"), "\(result.errors)")
        }

        @Test(arguments: [SIGINT, SIGTERM]) func aSignalEndsIt(_ signal: Int32) throws {
            let path = Scratch.path("held.wav"), other = try Self.unrelated("noise")
            let held = try HeldFile(copyOf: try Self.whole.get(), at: path)
            defer { withExtendedLifetime(held) {} }
            let program = try Program(["align", path, other])
            expect(program.child.wait(atMost: 0.7), equals: nil)
            let asked = RealTime.now
            program.child.signal(signal)
            expect(program.child.wait(atMost: 5), equals: 128 + signal)
            expect(RealTime.now - asked < 2 && program.child.output.isEmpty)
        }
    }
}
