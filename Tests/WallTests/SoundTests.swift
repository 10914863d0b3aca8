import Expectations
import Foundation
import TestKit
import Testing

extension WallTests {
    @Suite(.tags(.timed)) struct Sound {
        private func singer(_ id: Int) throws -> String { try clip(id, frames: 60) { $0.sound = .aac }.file() }

        /// Returns by how much the tone of `clip` is louder than those of all others, in dB.
        private func lead(of clip: Int, among clips: [Int], in heard: Recording) -> Double {
            let own = heard.amplitude(of: Witness.tone(of: clip))
            let others = clips.filter { $0 != clip }.map { heard.amplitude(of: Witness.tone(of: $0)) }.max() ?? 0
            return 20 * log10(own / max(others, 1e-9))
        }

        /// The last samples that are heard come to rest without a step.
        @Test func theEndFadesTheSoundOut() throws {
            let server = try SoundServer()
            let microphone = try Microphone(server)
            let stage = try Stage(320, 180)
            // A seam or a lossy codec would have steps of its own.
            let film = try clip(2, frames: 300) { ($0.sound, $0.container) = (.flac, .mkv) }.file()
            for options in [["--for", "2"], []] {
                let began = RealTime.now
                let program = try stage.play([film] + options, sound: server)
                func heard() -> Recording { microphone.recording.between(began, RealTime.now) }
                if options.isEmpty {
                    expect(RealTime.wait(atMost: 8) { heard().trimmed().seconds > 1 })
                    program.child.signal(SIGTERM)
                }
                expect(program.child.wait(atMost: 10), equals: 0, "\(program.child.errors)")
                RealTime.pass(0.4)
                let sound = heard().trimmed(below: 8).left.map { Float($0) }
                try #require(sound.count > 48_000)
                let usual = Samples.largestStep(sound[(sound.count - 24_000)..<(sound.count - 4_800)])
                let last = abs(sound[sound.count - 1])
                print("the last sample is \(last) of 32767, the tone's largest step \(usual)")
                expect(Samples.largestStep(sound[(sound.count - 4_800)...]), atMost: usual * 1.05)
                expect(last, below: 200)
            }
            _ = microphone.stop()
        }

        @Test func onlyTheFocusIsHeardAndKeysMoveIt() throws {
            let server = try SoundServer()
            let microphone = try Microphone(server)
            let stage = try Stage(640, 360)
            let clips = [2, 5, 8, 11]
            let program = try stage.play(try clips.map(singer) + ["--for", "14"], sound: server)
            let camera = try stage.camera(stage.quadrants[0])
            expect(camera.waitUntilReadable(atMost: 4))
            let keys = Keys(stage.display)
            try keys.focus(try #require(try keys.windows().last))
            var asked: [(key: String, at: Double)] = [("start", RealTime.now)]
            for key in ["2", "m", "m", "3"] {
                RealTime.pass(2)
                asked.append((key, RealTime.now))
                try keys.press(key)
            }
            RealTime.pass(2)
            expect(program.child.end(), equals: 0)
            camera.stop()
            let heard = microphone.stop()
            for (step, clip) in zip(asked.indices, [2, 5, nil, 5, 8] as [Int?]) {
                let part = heard.between(asked[step].at + 0.5, asked[step].at + 1.9)
                guard let clip else {
                    expect(clips.allSatisfy { part.amplitude(of: Witness.tone(of: $0)) < 0.001 })
                    continue
                }
                expect(lead(of: clip, among: clips, in: part), above: 34, "after \(asked[step].key)")
            }
            // The intervals before and after the mute. Each contains a change of focus.
            for (first, last) in [(asked[0].at, asked[2].at), (asked[3].at + 0.4, asked[4].at + 1.9)] {
                expectInTime(
                    heard.between(first, last).trimmed().longestSilence(), atMost: Limit.focusHole, "a hole of sound")
            }
            for (key, clip) in [(1, 5), (4, 8)] {
                let part = heard.between(asked[key].at - 0.1, asked[key].at + 1)
                let course = part.course(of: Witness.tone(of: clip), window: 0.005)
                let tone = try #require(course.first { $0.amplitude > 0.12 }).time + 0.0025
                print(
                    "key \(asked[key].key): its tone after \((tone - asked[key].at) * 1000) ms, the key's own way included"
                )
                expectInTime(tone - asked[key].at, atMost: 0.08, "the tone after its key")
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
            expect(camera.waitUntilReadable(atMost: 4))
            let began = RealTime.now
            expect(program.child.wait(atMost: 12), equals: 0)
            camera.stop()
            let heard = microphone.stop().between(began + 1, began + 4.5)
            expect(heard.clips(among: Array(0..<16)), equals: [1, 6])
            expectInTime(heard.longestSilence(), atMost: Limit.loopHole, "a hole of sound")
        }

        @Test func leftIsLeftAndRightIsRight() throws {
            let server = try SoundServer()
            let microphone = try Microphone(server)
            let stage = try Stage(320, 180)
            let stereo = clip(4) { ($0.sound, $0.sides, $0.container) = (.flac, .apart, .mkv) }
            let program = try stage.play([try stereo.file(), "--for", "4"], sound: server)
            expect(program.child.wait(atMost: 10), equals: 0)
            let heard = microphone.stop().trimmed()
            expect(heard.seconds, above: 3)
            let tones = [stereo.tone, stereo.rightTone]
            expect(tones.map { heard.loudness(of: $0, .left) > 0.2 }, equals: [true, false])
            expect(tones.map { heard.loudness(of: $0, .right) > 0.2 }, equals: [false, true])
            expect(heard.loudness(of: tones[1], .left) < 0.002 && heard.loudness(of: tones[0], .right) < 0.002)
        }

        @Test func aLoopedToneKeepsItsPhase() throws {
            let server = try SoundServer()
            let microphone = try Microphone(server)
            let stage = try Stage(320, 180)
            let looped = clip(4) { $0.sound = .aac }
            let program = try stage.play([try looped.file(), "--for", "9"], sound: server)
            expect(program.child.wait(atMost: 14), equals: 0)
            // All samples but the fade at the end.
            let whole = microphone.stop().trimmed()
            expect(whole.seconds, above: 8)
            let heard = whole.between(whole.began, whole.began + whole.seconds - 0.1)
            let slip = heard.slip(of: looped.tone)
            print("hole", heard.longestSilence() * 1000, "ms, slip", slip * 1000, "ms")
            expectInTime(heard.longestSilence(), atMost: Limit.loopHole, "a hole of sound")
            expectInTime(slip, atMost: 0.001, "the tone slips")
        }

        @Test func soundIsInStepWithTheFrame() throws {
            let seconds = 12.0
            let server = try SoundServer()
            let microphone = try Microphone(server)
            let stage = try Stage(320, 180)
            let bursting = clip(3) { ($0.sound, $0.bursts) = (.aac, [0, 30]) }
            let program = try stage.play([try bursting.file(), "--for", "\(seconds)"], sound: server)
            let camera = try stage.camera(Tile(stage.whole))
            expect(camera.waitUntilReadable(atMost: 4))
            expect(program.child.wait(atMost: seconds + 5), equals: 0)
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
                "sound after frame: median \(median) ms, \(low) to \(high) ms, walk \(walk) ms, \(sorted.count) bursts"
            )
            // The recorder itself adds up to a block of 10 ms.
            expectInTime(abs(median), .milliseconds, atMost: 20, "ms between sound and frame")
            expectInTime(high - low, .milliseconds, atMost: 10, "ms between the most and the least")
            expectInTime(abs(walk), .milliseconds, atMost: 5, "ms that the sound walks off")
        }

        @Test(.tags(.exact)) func aServerThatIsKilledCostsTheSoundAndNoFrame() throws {
            var server = try SoundServer()
            let home = server.home
            let stage = try Stage(320, 180)
            let tone = clip(4) { $0.sound = .aac }
            let program = try stage.play([try tone.file(), "--for", "13"], sound: server)
            let camera = try stage.camera(Tile(stage.whole))
            expect(camera.waitUntilReadable(atMost: 4))
            for round in 1...2 {
                RealTime.pass(1)
                server.end()
                RealTime.pass(1)
                server = try SoundServer(in: home)
                let back = RealTime.now
                let microphone = try Microphone(server)
                RealTime.pass(3.2)
                let heard = microphone.stop().between(back - 1, back + 3.2)
                let first = heard.course(of: tone.tone).first { $0.amplitude > 0.1 }?.time
                print("round \(round): sound is back after \((first ?? .infinity) - back) s")
                expect((first ?? .infinity) - back, below: 3)
            }
            expect(program.child.wait(atMost: 20), equals: 0)
            camera.stop()
            let seen = Succession(camera.film.show.runs(of: 0), looping: 4, 60, blink: blink)
            expectUnbroken(seen, seams: 5)
            expect(program.child.errors.split(separator: "\n").count(where: { $0.contains("no sound") }), equals: 2)
        }
    }
}
