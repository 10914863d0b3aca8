import Expectations
import Foundation
import TestKit
import Testing

extension RenderTests {
    /// The sound of a rendered film.
    @Suite struct FilmSound {
        /// The left channel of a film.
        static func samples(_ file: String) throws -> [Int16] {
            let raw = Scratch.path("sound.raw")
            try run([
                "ffmpeg", "-nostdin", "-v", "error", "-y", "-i", file, "-af", "pan=mono|c0=c0", "-f", "s16le", "-ar",
                "48000", raw,
            ])
            return try Data(contentsOf: URL(fileURLWithPath: raw)).withUnsafeBytes {
                Array($0.bindMemory(to: Int16.self))
            }
        }

        static func sung(_ id: Int, _ frames: Int = 60) -> Witness {
            clip(id, frames) { ($0.sound, $0.container) = (.flac, .mkv) }
        }

        @Test func aLoopKeepsEverySample() throws {
            let witness = Self.sung(1)
            let file = Scratch.path("loop.mkv")
            try render([try witness.file(), "--for", "5", "--size", "320x180", "-o", file])
            let heard = try Self.samples(file)
            expect(heard.count, equals: 240_000)
            expect(Samples.unlike(witness.tone, heard, in: heard.indices, period: 96_000), equals: 0)
        }

        /// The silence before the sound is longer than the decoder reads ahead.
        @Test func aSoundThatComesLaterIsHeardAtItsTime() throws {
            let sung = Self.sung(1)
            let layout = try layout(
                tiles: [["play": ["src": try clip(2, 180).file(), "audio": ["src": try sung.file(), "offset": 3.5]]]])
            let file = Scratch.path("later.mkv")
            try render([layout, "--for", "6", "--size", "320x180", "-o", file])
            let heard = try Self.samples(file)
            expect(heard[..<167_990].allSatisfy { abs($0) < 10 })
            expect(Samples.unlike(sung.tone, heard, in: 168_000..<264_000, start: 168_000), equals: 0)
        }

        @Test(arguments: ["mp4", "webm", "mkv"]) func theWallOfFourIsHeardWithoutAHole(_ ending: String) throws {
            let sliced = try Self.sung(5).file()
            let second = try clip(3, 60) { ($0.codec, $0.container, $0.sound) = (.vp9, .webm, .libopus) }.file()
            let layout = try layout(
                tiles: [
                    ["play": try clip(1, 60) { $0.sound = .aac }.file()], ["play": [try Self.sung(2).file(), second]],
                    ["play": try Self.sung(4, 45).file()],
                    [
                        "play": [
                            "src": sliced,
                            "segments": [
                                ["in": 0, "out": 0.5], ["in": 0.5, "out": 1, "rate": 0.5], ["in": 1, "out": 1.5],
                            ],
                        ]
                    ],
                ], ["window": ["size": [160, 90]], "audio": ["mode": "focus", "focus": "tile2"]])
            let file = Scratch.path("four.\(ending)")
            for focus in 1...4 {
                let text = try String(contentsOfFile: layout, encoding: .utf8)
                    .replacingOccurrences(of: "\"tile2\"", with: "\"tile\(focus)\"")
                let preset = ending == "webm" ? "realtime" : "ultrafast"
                try render([try Scratch.file("focus.json", text), "--for", "6", "--preset", preset, "-o", file])
                let heard = try Self.samples(file)
                try #require(heard.count >= 287_000)
                let quietest = Samples.quietest(heard[4_800..<283_480])
                expect(quietest, above: 2500, "tile \(focus): \(quietest)")
            }
        }

        @Test(
            arguments: [
                (["mode": "focus", "focus": "tile2"], [false, true, false]), (["mode": "mix"], [true, true, false]),
                (["mode": "focus", "focus": "tile3"], [false, false, false]),
                (["mode": "mix", "volume": 0], [false, false, false]),
            ] as [([String: any Sendable], [Bool])])
        func theLayoutSaysWhoIsHeard(_ audio: [String: any Sendable], _ heard: [Bool]) throws {
            let clips = (1...3).map { Self.sung($0) }
            let layout = try layout(
                tiles: try clips.enumerated().map { ["play": try $1.file(), "mute": $0 == 2] },
                ["window": ["size": [320, 180]], "audio": audio])
            let file = Scratch.path("who.mkv")
            try render([layout, "--for", "2", "-o", file])
            let samples = try Self.samples(file)
            for (clip, isHeard) in zip(clips, heard) {
                let level = Samples.level(clip.tone, samples[24_000..<72_000])
                expect(isHeard ? level > 3000 : level < 40, "\(clip.tone) Hz: \(level)")
            }
        }

        @Test func aNegativeDelayHoldsTheFramesAndLosesNothing() throws {
            let witness = Self.sung(1)
            let layout = try layout(
                tiles: [["play": try witness.file(), "loop": false]],
                ["window": ["size": [320, 180]], "audio": ["delay": -500]])
            let file = Scratch.path("held.mkv")
            try render([layout, "-o", file])
            let heard = try Self.samples(file)
            expect(heard.count, equals: 120_000)
            expect(Samples.unlike(witness.tone, heard, in: 0..<96_000), equals: 0)
            let footage = try Footage(file, width: 320, height: 180)
            for number in 0..<75 {
                let due = Mark(clip: 1, number: max(0, number - 15))
                expect(footage.read(Tile(Area(0, 0, 320, 180)), number), equals: .frame(due))
            }
        }

        @Test func delayMovesTheSoundAndNoAudioLeavesItOut() throws {
            let layout = try layout(
                tiles: [["play": try Self.sung(1).file()]],
                ["window": ["size": [320, 180]], "audio": ["delay": 500]])
            let file = Scratch.path("late.mkv")
            try render([layout, "--for", "2", "-o", file])
            let heard = try Self.samples(file)
            expect(heard.count, equals: 96_000)
            expect(heard[..<24_000].allSatisfy { $0 == 0 })
            expect(Samples.level(Self.sung(1).tone, heard[24_000..<72_000]), above: 7000)
            try render([layout, "--for", "1", "--no-audio", "-o", file])
            let streams = try run([
                "ffprobe", "-v", "error", "-show_entries", "stream=codec_type", "-of", "csv=p=0", file,
            ])
            expect(streams.trimmingCharacters(in: .whitespacesAndNewlines), equals: "video")
        }
    }
}
