import Foundation
import TestKit
import Testing

extension WallTests {
    @Suite(.serialized) struct Sound {
        private func singer(_ id: Int) throws -> String { try clip(id, pictures: 60) { $0.sound = .aac }.file() }

        /// How much louder the tone of `clip` is than those of all others, in dB.
        private func lead(of clip: Int, among clips: [Int], in heard: Recording) -> Double {
            let own = heard.amplitude(of: Witness.tone(of: clip))
            let others = clips.filter { $0 != clip }.map { heard.amplitude(of: Witness.tone(of: $0)) }.max() ?? 0
            return 20 * log10(own / max(others, 1e-9))
        }

        @Test func onlyTheFocusIsHeardAndKeysMoveIt() throws {
            let server = try SoundServer()
            let microphone = try Microphone(server)
            let stage = try Stage(640, 360)
            let clips = [2, 5, 8, 11]
            let program = try stage.play(try clips.map(singer) + ["--for", "14"], sound: server)
            let camera = try stage.camera(stage.quadrants[0])
            #expect(camera.waitUntilReadable(atMost: 4))
            let keys = Keys(stage.display)
            try keys.focus(try #require(try keys.windows().last))
            var asked: [(key: String, at: Double)] = [("start", Clock.now)]
            for key in ["2", "m", "m", "3"] {
                Clock.pass(2)
                asked.append((key, Clock.now))
                try keys.press(key)
            }
            Clock.pass(2)
            #expect(program.child.end() == 0)
            camera.stop()
            let heard = microphone.stop()
            for (step, clip) in zip(asked.indices, [2, 5, nil, 5, 8] as [Int?]) {
                let part = heard.between(asked[step].at + 0.5, asked[step].at + 1.9)
                guard let clip else {
                    #expect(clips.allSatisfy { part.amplitude(of: Witness.tone(of: $0)) < 0.001 })
                    continue
                }
                #expect(lead(of: clip, among: clips, in: part) > 34, "after \(asked[step].key)")
                #expect(part.longestSilence() < 0.002)
            }
            let focused = program.trace.events("focus").map { program.child.began + $0.time }
            for (key, clip, event) in [(1, 5, 0), (4, 8, 1)] {
                let part = heard.between(asked[key].at - 0.1, asked[key].at + 1)
                let course = part.course(of: Witness.tone(of: clip), window: 0.005)
                let tone = try #require(course.first { $0.amplitude > 0.12 }).time + 0.0025
                print("key \(asked[key].key): tone after", tone - asked[key].at, "s; after the program had it", tone - focused[event])
                #expect(tone - focused[event] < 0.1)
            }
        }

        @Test func aMixIsHeardWhole() throws {
            let server = try SoundServer()
            let microphone = try Microphone(server)
            let stage = try Stage(640, 180)
            let program = try stage.play(
                tiles: [["play": try singer(1)], ["play": try singer(6)], ["play": try singer(11), "mute": true]],
                ["audio": ["mode": "mix"], "grid": ["columns": 3, "rows": 1]], options: ["--for", "6"], sound: server)
            let camera = try stage.camera(Tile(Area(0, 30, 213, 120)))
            #expect(camera.waitUntilReadable(atMost: 4))
            let began = Clock.now
            #expect(program.child.wait(atMost: 12) == 0)
            camera.stop()
            let heard = microphone.stop().between(began + 1, began + 4.5)
            #expect(heard.clips(among: Array(0..<16)) == [1, 6])
            #expect(heard.longestSilence() < 0.15)
        }

        @Test(arguments: [
            (Witness.Codec.h264, Witness.Container.mp4, Witness.SoundCodec.aac), (.vp9, .webm, .libopus),
            (.h264, .mp4, .libmp3lame), (.h264, .mkv, .flac), (.mpeg4, .avi, .pcm),
        ])
        func aLoopedToneKeepsItsPhase(
            codec: Witness.Codec, container: Witness.Container, sound: Witness.SoundCodec
        ) throws {
            let server = try SoundServer()
            let microphone = try Microphone(server)
            let stage = try Stage(320, 180)
            let looped = clip(4) { ($0.codec, $0.container, $0.sound) = (codec, container, sound) }
            let program = try stage.play([try looped.file(), "--for", "11.5"], sound: server)
            let camera = try stage.camera(Tile(stage.whole))
            #expect(camera.waitUntilReadable(atMost: 4))
            let began = Clock.now + 0.6
            #expect(program.child.wait(atMost: 16) == 0)
            camera.stop()
            let heard = microphone.stop().between(began, began + 9)
            let slip = heard.slip(of: looped.tone)
            print("\(sound) in \(container): hole", heard.longestSilence() * 1000, "ms, slip", slip * 1000, "ms")
            #expect(heard.longestSilence() < 0.002)
            #expect(slip < 0.001)
        }
    }
}

extension Recording {
    /// The largest departure in seconds of a tone from where its own first second says that it should be.
    func slip(of frequency: Double) -> Double {
        let size = Microphone.rate / 20
        var last: Double?
        var turns = 0.0
        var phases: [Double] = []
        for from in stride(from: 0, to: samples.count - size, by: size) {
            var (a, b) = (0.0, 0.0)
            for index in from..<from + size {
                let angle = 2 * Double.pi * frequency * Double(index) / Double(Microphone.rate)
                a += Double(samples[index]) * cos(angle)
                b += Double(samples[index]) * sin(angle)
            }
            let phase = atan2(b, a) / (2 * Double.pi)
            if let last { turns += (phase - last) - (phase - last).rounded() }
            last = phase
            phases.append(turns)
        }
        return (phases.map { abs($0 - phases[0]) }.max() ?? 0) / frequency
    }
}
