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
            for (key, clip) in [(1, 5), (4, 8)] {
                let part = heard.between(asked[key].at - 0.1, asked[key].at + 1)
                let course = part.course(of: Witness.tone(of: clip), window: 0.005)
                let tone = try #require(course.first { $0.amplitude > 0.12 }).time + 0.0025
                print(
                    "key \(asked[key].key): its tone after \((tone - asked[key].at) * 1000) ms, the key's own way included"
                )
                #expect(tone - asked[key].at < 0.08)
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
            #expect(heard.longestSilence() < 0.002)
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

        @Test func soundIsInStepWithThePicture() throws {
            let seconds = ProcessInfo.processInfo.environment["QUADRILLE_STEP_SECONDS"].flatMap(Double.init) ?? 12
            let server = try SoundServer()
            let microphone = try Microphone(server)
            let stage = try Stage(320, 180)
            let bursting = clip(3) { ($0.sound, $0.bursts) = (.aac, [0, 30]) }
            let program = try stage.play([try bursting.file(), "--for", "\(seconds)"], sound: server)
            let camera = try stage.camera(Tile(stage.whole))
            #expect(camera.waitUntilReadable(atMost: 4))
            #expect(program.child.wait(atMost: seconds + 5) == 0)
            camera.stop()
            let heard = microphone.stop()
            var offsets: [Double] = []
            for run in camera.film.runs(of: 0) {
                guard let mark = run.mark, mark.number % 30 == 0 else { continue }
                let part = heard.between(run.first - 0.2, run.first + 0.25)
                let onset = part.course(of: Witness.burstTone, window: 0.001).first { $0.amplitude > 0.18 }
                if let onset { offsets.append((onset.time - run.first) * 1000) }
            }
            let sorted = offsets.sorted()
            try #require(sorted.count >= Int(seconds) - 3)
            let (median, low, high) = (
                sorted[sorted.count / 2], sorted[sorted.count / 10], sorted[sorted.count * 9 / 10]
            )
            let third = offsets.count / 3
            let walk = offsets.suffix(third).sorted()[third / 2] - offsets.prefix(third).sorted()[third / 2]
            print(
                "sound after picture: median \(median) ms, \(low) to \(high) ms, walk \(walk) ms, \(sorted.count) bursts"
            )
            #expect(abs(median) < 20)
            #expect(high - low < 15)
            #expect(abs(walk) < 10)
        }

        @Test func aServerThatIsKilledCostsTheSoundAndNoPicture() throws {
            var server = try SoundServer()
            let home = server.home
            let stage = try Stage(320, 180)
            let tone = clip(4) { $0.sound = .aac }
            let program = try stage.play([try tone.file(), "--for", "16"], sound: server)
            let camera = try stage.camera(Tile(stage.whole))
            #expect(camera.waitUntilReadable(atMost: 4))
            for round in 1...2 {
                Clock.pass(1)
                server.end()
                Clock.pass(1)
                server = try SoundServer(in: home)
                let back = Clock.now
                let microphone = try Microphone(server)
                Clock.pass(4)
                let heard = microphone.stop().between(back - 1, back + 4)
                let first = heard.course(of: tone.tone).first { $0.amplitude > 0.1 }?.time
                print("round \(round): sound is back after \((first ?? .infinity) - back) s")
                #expect((first ?? .infinity) - back < 3)
            }
            #expect(program.child.wait(atMost: 20) == 0)
            camera.stop()
            let seen = Succession(camera.film.show.runs(of: 0), looping: 4, 60, blink: blink)
            #expect(seen.missing.isEmpty, "\(seen.missing)")
            #expect(program.child.errors.split(separator: "\n").count(where: { $0.contains("no sound") }) == 2)
        }
    }
}
