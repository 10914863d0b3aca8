import Expectations
import Foundation
import TestKit
import Testing

extension RenderTests {
    /// Files with one fault each, made by ffmpeg: `check` names the fault, and the command that it prints repairs it.
    @Suite struct Checks {
        private static func ffmpeg(_ arguments: [String], _ name: String) throws -> String {
            try MadeFile.named(name, arguments)
        }

        /// Stripes that move round once in two seconds, and a tone.
        private static func good(_ frames: Int = 60, tone: Double = 2) throws -> [String] {
            let stripes =
                "nullsrc=s=320x180:r=30:d=\(Double(frames) / 30),geq=lum='128+80*sin(2*PI*(X/160+N/60))':cb=128:cr=128"
            return [
                "-f", "lavfi", "-i", stripes, "-f", "lavfi", "-i",
                "sine=frequency=440:sample_rate=48000:duration=\(tone)",
                "-pix_fmt", "yuv420p", "-g", "30",
            ]
        }

        private static func verdict(_ file: String) throws -> (status: Int32?, codes: [String], mend: String?) {
            let result = try Program.run(["check", "--json", file])
            let object = try #require(JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
            let tiles = try #require(object["tiles"] as? [[String: Any]])
            let seams = try #require(tiles[0]["seams"] as? [[String: Any]])
            let reasons = seams.flatMap { $0["reasons"] as? [[String: Any]] ?? [] }
            return (
                result.status, reasons.compactMap { $0["code"] as? String },
                reasons.compactMap { $0["mend"] as? String }.first
            )
        }

        @Test func framesThatAreHoursApartAreReportedApart() throws {
            let file = try Self.ffmpeg(
                ["-f", "lavfi", "-i", "testsrc2=s=160x90:r=1/3600:d=14400", "-c:v", "libx264"], "apart.mp4")
            let found = try Self.verdict(file)
            expect(!found.codes.contains("loop-repeats"))
            expect(found.mend?.contains("end=0") != true)
        }

        static let faults: [(String, String, [String], Int, Double)] = [
            ("sound-shorter", "a.mp4", ["-c:a", "aac"], 60, 1.7), ("sound-longer", "a.mp4", ["-c:a", "aac"], 60, 2.5),
            ("sound-shorter", "a.webm", ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-c:a", "libopus"], 60, 1.5),
            ("black-first", "a.mp4", ["-vf", "drawbox=t=fill:c=black:enable='lt(n,2)'"], 60, 2),
            ("black-last", "a.mp4", ["-vf", "drawbox=t=fill:c=black:enable='gte(n,57)'"], 60, 2),
            ("loop-repeats", "a.mp4", ["-crf", "12"], 61, 2.0333333),
            ("variable-rate", "a.mp4", ["-vf", "select='not(eq(mod(n,7),2))'", "-fps_mode", "vfr"], 60, 2),
        ]

        /// Most loops are cuts: that is reported as information, not as a fault.
        @Test func aLoopThatIsACutIsInformation() throws {
            let fade = ["-vf", "fade=t=out:st=0:d=2.5:c=white", "-c:a", "aac"]
            let file = try Self.ffmpeg(try Self.good() + fade, "apart.mp4")
            let result = try Program.run(["check", file])
            expect(result.status, equals: 0, "\(result.output)")
            let known = result.output.components(separatedBy: "what is to know:").last ?? ""
            expect(
                known.contains("loop at 2.000 s: seamless; the last frame of \(file) does not lead to its first"),
                "\(result.output)")
            expect(!result.output.contains("what is wrong"))
            let once = try Program.run(["check", "--no-loop", file])
            expect(once.status == 0 && !once.output.contains("loop"), "\(once.output)")
        }

        @Test func theSoundOfAMutedTileIsNoFault() throws {
            let file = try Self.ffmpeg(try Self.good(60, tone: 1.5) + ["-c:a", "aac"], "short-sound.mp4")
            let layout = try layout(tiles: [["id": "a", "play": file, "mute": true]])
            try expect(Program.run(["check", file]).status, equals: 3)
            let result = try Program.run(["check", layout])
            expect(result.status == 0 && !result.output.contains("sound "), "\(result.output)")
        }

        @Test func durationOfAFilmIsAMistake() throws {
            let film = try Self.ffmpeg(try Self.good() + ["-an"], "film.mp4")
            let folder = try Scratch.newFolder("mixed")
            try FileManager.default.copyItem(atPath: film, toPath: "\(folder)/film.mp4")
            try FileManager.default.copyItem(atPath: try clip(6, 1).still(0), toPath: "\(folder)/still.png")
            let layout = try layout(
                tiles: [
                    ["id": "a", "play": ["src": film, "in": 0.5, "duration": 1]],
                    ["id": "b", "play": ["src": try clip(6, 1).still(0), "duration": 1]],
                    ["id": "c", "play": ["src": folder, "duration": 1]],
                ])
            let result = try Program.run(["check", layout])
            expect(result.status, equals: 3)
            let line =
                "\(film): \"duration\" has no effect on a film, which is played to its end; \"out\": 1.5 would end it "
                + "after 1 s"
            expect(result.output.contains("\na\n  \(line)\n"), "\(result.output)")
            expect(result.output.components(separatedBy: "\"duration\"").count, equals: 2, "\(result.output)")
        }

        @Test func whatATileComparesHasTheNamesOfItsFiles() throws {
            let (one, two) = (
                try Self.ffmpeg(try Self.good() + ["-an"], "before.mp4"),
                try Self.ffmpeg(try Self.good(90) + ["-an"], "after.mp4")
            )
            let layout = try layout(
                tiles: [["id": "a", "compare": [one, two]]], ["groups": ["main": ["loop": "together"]]])
            let result = try Program.run(["check", layout])
            let names = [one, two].map { URL(fileURLWithPath: $0).lastPathComponent }
            expect(result.output.contains("\na (\(names[0]))\n  loop at 2.000 s: holds"), "\(result.output)")
            expect(result.output.contains("\na (\(names[1]))\n") && !result.output.contains("a/2"))
        }

        /// A wall also waits for the device.
        @Test func aDeviceThatIsMissingIsWaitedFor() throws {
            let result = try Program.run(["check", "v4l2:///dev/video99"])
            expect(result.status, equals: 3)
            expect(result.output.contains("it is waited for"), "\(result.output)")
            let layout = try layout(
                tiles: [["play": try clip(6, 1).still(0)]], ["audio": ["input": "no-such-microphone"]])
            let named = try Program.run(["check", layout])
            expect(named.status == 3 && named.output.contains("the sound input no-such-microphone"), "\(named.output)")
            try expect(Program.run(["check", "/nowhere.mp4"]).status, equals: 1)
        }

        /// `check` reports the limit as `play` does, which refuses to start.
        @Test func anAddressSpaceThatIsTooSmallIsNamed() throws {
            let file = try Self.ffmpeg(try Self.good() + ["-an"], "limited.mp4")
            let child = try Child(
                ["sh", "-c", "ulimit -v 400000; exec \"$@\"", "sh", try #require(Program.path), "check", file])
            expect(child.wait(atMost: 20), equals: 1, "\(child.output)")
            expect(child.errors.contains("ulimit -v"), "\(child.errors)")
        }

        /// A wall plays both parts, across the jump of the timestamps.
        @Test func twoStreamsInOneFileLastAsLongAsTheyPlay() throws {
            let part = try Data(
                contentsOf: URL(fileURLWithPath: try Self.ffmpeg(try Self.good() + ["-an"], "part.ts")))
            let path = Scratch.path("both.ts")
            try (part + part).write(to: URL(fileURLWithPath: path))
            let result = try Program.run(["check", path])
            expect(result.output.contains("loop at 4.0"), "\(result.output)")
        }

        @Test(arguments: faults) func aFaultIsNamedAndMended(
            _ code: String, _ name: String, _ options: [String], _ frames: Int, _ tone: Double
        ) throws {
            let file = try Self.ffmpeg(try Self.good(frames, tone: tone) + options, name)
            let found = try Self.verdict(file)
            expect(found.status, equals: 3)
            expect(found.codes, equals: [code])
            let command = try #require(found.mend)
            try run(["bash", "-c", command.replacingOccurrences(of: "ffmpeg ", with: "ffmpeg -nostdin -v error -y ")])
            let mended = try #require(command.split(separator: " ").last.map(String.init))
            let after = try Self.verdict(mended)
            expect(after.status == 0 && after.codes.isEmpty, "\(command): \(after.codes)")
        }

        @Test func aFileThatBeginsInsideAGroupOfFramesIsNamed() throws {
            let whole = try Self.ffmpeg(try Self.good() + ["-an"], "whole.mp4")
            let file = try Self.ffmpeg(["-i", whole, "-c", "copy", "-bsf:v", "noise=drop='lt(n,5)'"], "cut.mkv")
            try expect(Self.verdict(file).codes.contains("no-key-picture"))
        }

        @Test func aGoodLoopIsSeamless() throws {
            let found = try Self.verdict(try Self.ffmpeg(try Self.good() + ["-c:a", "aac"], "good.mp4"))
            expect(found.status, equals: 0)
            expect(found.codes.isEmpty)
        }

        /// FFmpeg guesses the decoding times of a container that has none.
        @Test(arguments: [
            ["libx265", "-x265-params", "log-level=none:bframes=8:b-adapt=0"],
            ["libx264", "-bf", "8", "-b_strategy", "0"],
            ["libx264", "-bf", "16", "-b_strategy", "0", "-x264-params", "b-pyramid=0"], ["mpeg4", "-bf", "4"],
            ["libvpx-vp9", "-deadline", "realtime"],
        ])
        func framesThatAreReorderedFarAreSound(_ codec: [String]) throws {
            let file = try Self.ffmpeg(try Self.good() + ["-c:v"] + codec + ["-c:a", "aac"], "reordered.mkv")
            let found = try Self.verdict(file)
            expect(found.status == 0 && found.codes.isEmpty, "\(found)")
        }

        @Test(arguments: ["webm", "mp4", "avi"]) func aFilmThatIsCutOffIsNotSeamless(_ ending: String) throws {
            let codec =
                ending == "webm" ? ["-c:v", "libvpx-vp9", "-deadline", "realtime"] : ["-movflags", "+faststart"]
            let whole = try Self.ffmpeg(try Self.good() + ["-an"] + codec, "whole.\(ending)")
            try expect(Self.verdict(whole).codes.contains("damaged"), equals: false)
            let bytes = try Data(contentsOf: URL(fileURLWithPath: whole))
            let cut = Scratch.path("cut.\(ending)")
            try bytes.prefix(bytes.count * 7 / 10).write(to: URL(fileURLWithPath: cut))
            let found = try Self.verdict(cut)
            expect(found.status == 3 && found.codes.contains("damaged"), "\(found)")
        }

        @Test func whatIsWrongComesFirstWithItsCause() throws {
            let good = try Self.ffmpeg(try Self.good() + ["-c:a", "aac"], "good.mp4")
            let whole = try Data(contentsOf: URL(fileURLWithPath: good))
            let (cut, list) = (Scratch.path("recording.mp4"), try Scratch.file("films.m3u", "good.mp4\n"))
            try whole.prefix(whole.count * 7 / 10).write(to: URL(fileURLWithPath: cut))
            let still = try clip(6, 1).still(0)
            let folder = try Scratch.newFolder("empty")
            let result = try Program.run(["check", good, cut, list, folder, still])
            let lines = result.output.split(separator: "\n").map(String.init)
            expect(lines.first, equals: "what is wrong:")
            for line in [
                "  \(cut): can't be played: it is truncated or still being written: its index is missing (damaged)",
                "  \(list): can't be played: it is a playlist; the films in it, named in \"play\", would be right (unsupported)",
                "  \(folder): can't be played: there are no media in this folder (unreadable)",
            ] {
                let place = try #require(lines.firstIndex(of: line), "\(line): \(result.output)")
                expect(place, below: lines.firstIndex(of: "what is to know:") ?? 0)
            }
            let ofStill = try #require(lines.lastIndex(of: "tile5"))
            expect(lines[(ofStill + 1)...].count { $0.hasPrefix("  ") }, equals: 1, "\(result.output)")
            let alone = try Program.run(["check", still])
            expect(alone.status == 0 && !alone.output.contains("loop"), "\(alone.output)")
        }

        @Test func twoStreamsInOneFileAreNamed() throws {
            let part = try Data(
                contentsOf: URL(fileURLWithPath: try Self.ffmpeg(try Self.good() + ["-an"], "part.ts")))
            let path = Scratch.path("two.ts")
            try (part + part).write(to: URL(fileURLWithPath: path))
            let result = try Program.run(["check", path])
            expect(result.status, equals: 3)
            expect(result.output.contains("two.ts: its timestamps jump"), "\(result.output)")
            expect(!result.output.contains("decoded completely"), "\(result.output)")
        }

        @Test func whatLiesBehindTheEndOfItsFilmIsNamed() throws {
            let file = try Self.ffmpeg(try Self.good() + ["-an"], "two-seconds.mp4")
            let layout = try layout(
                tiles: [
                    ["play": ["src": file, "segments": [["out": 1], ["in": 5, "out": 6], ["in": 1, "out": 9]]]],
                    ["play": ["src": file, "in": 7]], ["play": ["src": file, "out": 2]],
                ])
            let result = try Program.run(["check", layout])
            expect(result.status, equals: 3)
            for line in [
                "  segment of item 0 at 1.000 s: \(file) is played from 5 s on, but ends at 2 s (2 times)",
                "  loop at 0.000 s: \(file) is played from 7 s on, but ends at 2 s",
                "    out 9.000 s is past its end: played to 2.000 s", "  loop at 2.000 s: seamless",
            ] {
                expect(result.output.contains(line + "\n"), "\(line): \(result.output)")
            }
            expect(!result.output.contains("out 2.000 s") && !result.output.contains("out 6.000 s"))
        }

        @Test func theLengthOfSegmentsIsReportedAndWhoHasToWait() throws {
            let file = try Self.ffmpeg(try Self.good(), "segments.mp4")
            let other = try Self.ffmpeg(try Self.good(), "other.mp4")
            let layout = try layout(
                tiles: [
                    ["play": ["src": file, "segments": [["out": 0.5, "rate": 0.5], ["in": 1]]]], ["play": other],
                ], ["pipelines": 1])
            let result = try Program.run(["check", layout])
            expect(result.status, equals: 3)
            expect(result.output.contains("2 segments, 2.000 s in all"))
            expect(result.output.contains("waits"))
            try expect(Program.run(["check", "--pipelines", "2", layout]).output.contains("waits"), equals: false)
        }

        @Test func howLongTheShorterOfAGroupThatLoopsTogetherHoldsItsLastFrame() throws {
            let short = try Self.ffmpeg(try Self.good(60) + ["-c:a", "aac"], "short.mp4")
            let long = try Self.ffmpeg(try Self.good(93, tone: 3.1) + ["-c:a", "aac"], "long.mp4")
            let layout = try layout(
                tiles: [["play": short], ["play": long]], ["groups": ["main": ["loop": "together"]]])
            let result = try Program.run(["check", layout])
            expect(result.status, equals: 3)
            expect(result.output.contains("loop at 2.000 s: holds its last frame 1.1 s"), "\(result.output)")
        }

        @Test func whoeverIsNotHeardIsReportedWhy() throws {
            let sung = try Self.ffmpeg(try Self.good() + ["-c:a", "aac"], "sung.mp4")
            let mute = try Self.ffmpeg(try Self.good() + ["-an"], "mute.mp4")
            let layout = try layout(
                tiles: [
                    ["id": "a", "play": ["src": mute, "audio": ["src": sung, "track": 2]]],
                    ["id": "b", "play": [sung, mute], "mute": true],
                ])
            let text = try Program.run(["check", layout])
            expect(text.output.contains("not heard: \(sung) has no sound track 2, but 1 in all"))
            expect(text.status, equals: 3)
            // The sound of a tile that the layout mutes is not reported.
            let muted = text.output.components(separatedBy: "\nb\n").last ?? ""
            expect(muted.contains(sung) && !muted.contains("sound") && !muted.contains("heard"), "\(text.output)")
            let json = try Program.run(["check", "--json", layout])
            let object = try #require(JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
            let tiles = try #require(object["tiles"] as? [[String: Any]])
            let codes = tiles.map { ($0["silences"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String } }
            expect(codes, equals: [["no-track"], ["not-focused", "muted", "soundless"]])
        }

        @Test func measuredSeamsStandBesideThePromised() throws {
            let file = try Self.ffmpeg(try Self.good() + ["-c:a", "aac"], "traced.mp4")
            let layout = try layout(tiles: [["id": "a", "play": file]])
            func line(_ late: Double, _ reason: String) -> String {
                """
                {"t":2.0,"event":"seam","tile":"a","pass":1,"item":0,"round":0,"how":"continued","late-ms":\(late),\
                "reason":\(reason)}

                """
            }
            let kept = try Scratch.file("kept.jsonl", line(1, "null") + line(2.5, "null"))
            let result = try Program.run(["check", "--trace", kept, layout])
            expect(result.status, equals: 0)
            expect(result.output.contains("2 seams, the latest by 2.5 ms"))
            let broken = try Scratch.file("broken.jsonl", line(80, "\"no pipeline was free in time\""))
            let other = try Program.run(["check", "--trace", broken, layout])
            expect(other.status, equals: 3)
            expect(other.output.contains("no pipeline was free"))
            expect(other.output.contains("  hour 1: 1 seam (1 late), 0 troubles\n"))
            expect(other.output.contains("2.0 s so far; how many frames were presented is not known yet"))
            let counts = #"{"t":600,"event":"sums","presented":9,"late":0,"missed":0,"max-open":1,"tiles":{}}"# + "\n"
            let going = try Scratch.file("going.jsonl", counts + line(1, "null"))
            let later = try Program.run(["check", "--trace", going, layout])
            expect(later.output.contains("10 minutes so far; until 10 minutes, 9 frames presented"), "\(later.output)")
            let json = try Program.run(["check", "--json", "--trace", kept, layout])
            expect(json.output.contains(#""ended":false,"counted-to":null,"all":{"presented":null,"#), "\(json.output)")
            try expect(Program.run(["check", "--trace", "/nowhere", layout]).status, equals: 2)
        }

        /// Every seam that is counted is named, also where a source is missing or the tile waits.
        @Test func everySeamThatCanBeSeenIsNamed() throws {
            let good = try Self.ffmpeg(try Self.good() + ["-c:a", "aac"], "good.mp4")
            let layout = try layout(
                tiles: [["id": "a", "play": [good, "/nowhere.mp4", good]], ["id": "b", "play": good, "loop": 1]],
                ["pipelines": 1, "overflow": "first"])
            let result = try Program.run(["check", layout])
            expect(result.status, equals: 3)
            expect(result.output.contains("playable, with 2 of 3 seams that can be seen or heard"), "\(result.output)")
            let wrong = result.output.components(separatedBy: "what is to know:").first ?? ""
            for name in ["to item 1 at 2.000 s", "to item 2 at 2.000 s"] {
                expect(wrong.contains("\n  \(name): a source can't be played\n"), "\(result.output)")
            }
        }

        @Test func whatIsMissingInManyPlacesIsOneLine() throws {
            let good = try Self.ffmpeg(try Self.good() + ["-c:a", "aac"], "good.mp4")
            let layout = try layout(
                tiles: [["play": [good] + Array(repeating: "/nowhere.mp4", count: 20_000)]])
            let began = ContinuousClock.now
            let result = try Program.run(["check", layout])
            expect((ContinuousClock.now - began) / .seconds(1), below: 10)
            let lines = result.output.split(separator: "\n")
            expect(lines.filter { $0.contains("nowhere") }.map { $0.hasSuffix("(20,000 times)") }, equals: [true])
            let seams = lines.filter { $0.contains("a source can't be played") }
            expect(seams.map { $0.contains("to item 3 at 2.000 s, ") && $0.contains(" and 19,9") }, equals: [true])
            expect(lines.count, below: 15, "\(result.output)")
        }

        @Test func theTimeThatDecodingTakesIsMeasured() throws {
            let file = try Self.ffmpeg(try Self.good(300) + ["-c:a", "aac"], "ten-seconds.mp4")
            let layout = try layout(tiles: [["play": file], ["play": file], ["play": try clip(6, 1).still(0)]])
            func timing(_ options: [String]) throws -> (timing: [String: Any]?, cores: [Double?]) {
                let output = try Program.run(["check", "--json"] + options + [layout]).output
                let object = try #require(JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
                let tiles = try #require(object["tiles"] as? [[String: Any]])
                return (object["timing"] as? [String: Any], tiles.map { $0["cores"] as? Double })
            }
            let (measured, cores) = try timing([])
            expect(measured?["measured"] as? Int == 1 && measured?["unmeasured"] as? Int == 0, "\(measured ?? [:])")
            let needed = try #require(measured?["needed"] as? Double)
            expect(needed > 0 && cores == [needed, needed, nil], "\(needed), \(cores)")
            let (left, none) = try timing(["--no-timing"])
            expect(left == nil && none == [nil, nil, nil])
        }
    }
}
