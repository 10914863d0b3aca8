import Expectations
import Foundation
import TestKit
import Testing

extension WallTests {
    /// Songs in several files, and in other keys.
    @Suite struct Stems {
        private func tone(_ hertz: Int, seconds: Int = 30) throws -> String {
            try MadeFile.named(
                "tone\(hertz).wav", ["-f", "lavfi", "-i", "aevalsrc=0.3*sin(2*PI*\(hertz)*t):s=48000:d=\(seconds)"])
        }

        private func socketPath() -> String { "/tmp/quadrille-test-\(UUID().uuidString.prefix(8)).sock" }

        /// Returns the largest difference of one sample from the next, where 1 is full scale.
        private func largestStep(_ heard: Recording) -> Double {
            let left = heard.left
            return Double(zip(left, left.dropFirst()).map { abs(Int($0) - Int($1)) }.max() ?? 0) / 32768
        }

        @Test(.tags(.timed)) func aStemIsMutedByItsKeyAndBack() throws {
            let server = try SoundServer()
            let microphone = try Microphone(server)
            let stage = try Stage(320, 180)
            let item: [String: Any] = [
                "src": try clip(4, frames: 900).file(),
                "audio": [
                    "stems": [
                        ["name": "vocals", "src": try tone(400)], ["name": "band", "src": try tone(1000)],
                        ["name": "drums", "src": "/nowhere/drums.wav"],
                    ]
                ],
            ]
            let path = socketPath()
            let program = try stage.play(
                tiles: [["id": "stage", "play": item]], options: ["--for", "10", "--ipc", path], sound: server)
            let camera = try stage.camera(Tile(stage.whole))
            expect(camera.waitUntilReadable(atMost: 6))
            let client = try #require(ControlClient(path))
            expect(client.error("observe_property", 1, "stems"), equals: "success")
            let keys = Keys(stage.display)
            try keys.focus(try #require(try keys.windows().last))
            let began = RealTime.now
            RealTime.pass(1.5)
            let muted = RealTime.now
            try keys.press("l")
            RealTime.pass(1.5)
            expect(client.get("stems/vocals/mute") as? Bool, equals: true)
            expect(client.get("tiles/stage/stems/1/mute") as? Bool, equals: false)
            let back = RealTime.now
            try keys.press("l")
            RealTime.pass(1.5)
            expect(client.error("set_property", "stems/band/volume", 50), equals: "success")
            RealTime.pass(1)
            expect(program.child.wait(atMost: 12), equals: 0)
            camera.stop()
            let heard = microphone.stop()
            func course(_ hertz: Double, _ from: Double, _ to: Double) -> [(time: Double, amplitude: Double)] {
                heard.between(from, to).course(of: hertz, window: 0.01)
            }
            expect(heard.between(began + 0.5, muted).loudness(of: 400, .left), above: 0.25)
            expect(heard.between(muted + 0.2, back).loudness(of: 400, .left), below: 0.001)
            expect(heard.between(muted + 0.2, back).loudness(of: 1000, .left), above: 0.25)
            expect(heard.between(back + 0.2, back + 1.4).loudness(of: 400, .left), above: 0.25)
            let gone = try #require(course(400, muted, back).first { $0.amplitude < 0.01 }).time - muted
            let there = try #require(course(400, back, back + 1).first { $0.amplitude > 0.28 }).time - back
            print(
                "a stem is gone after \(gone * 1000) ms and back after \(there * 1000) ms, the key's own way included")
            expectInTime(gone, atMost: 0.08, "a stem that is muted")
            expectInTime(there, atMost: 0.08, "a stem that comes back")
            // The largest step of both tones together.
            let steepest = 0.3 * 2 * Double.pi * (400 + 1000) / 48_000
            let step = largestStep(heard.between(began + 0.5, back + 1))
            print("largest step \(step), the tones' own \(steepest)")
            expect(step, below: steepest * 1.05)
            expect(program.child.errors.components(separatedBy: "drums.wav").count, equals: 2)
        }

        @Test func aSongIsQueuedOverTheSocket() throws {
            let stage = try Stage(320, 180), folder = try Scratch.newFolder("songs")
            try FileManager.default.copyItem(
                atPath: try clip(5, frames: 60).file(), toPath: "\(folder)/song.mp4")
            try FileManager.default.copyItem(atPath: try tone(500, seconds: 2), toPath: "\(folder)/song.wav")
            let text = "#TITLE:T\n#ARTIST:A\n#MP3:SONG.wav\n#VIDEO:song.mp4\n#COVER:no.jpg\n#BPM:300\n: 0 4 0 La\nE\n"
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/song.txt"))
            let path = socketPath()
            let program = try stage.play(["--idle", "--no-loop", "--no-audio", "--ipc", path])
            let camera = try stage.camera(Tile(stage.whole))
            let client = try #require(ControlClient(path))
            expect(client.error("loadfile", "\(folder)/song.txt", "append-play"), equals: "success")
            // The option is also for the tile that the empty wall gets.
            expect(client.get("loop-playlist") as? Bool, equals: false)
            expect(camera.waitUntilReadable(atMost: 5))
            expect(client.get("path") as? String, equals: "\(folder)/song.txt")
            let playlist = try #require(client.get("playlist") as? [[String: Any]])
            expect(playlist.map { $0["filename"] as? String }, equals: ["\(folder)/song.txt"])
            expect(playlist.map { $0["title"] as? String } == ["T"] && playlist[0]["artist"] as? String == "A")
            expect(client.get("media-title") as? String, equals: "T")
            expect(client.error("loadfile", folder, "append"), equals: "success")
            expect(client.number("playlist-count"), equals: 2)
            client.ask("quit")
            expect(program.child.wait(atMost: 5), equals: 0)
            let lack = "song.txt:5:8: #COVER: \(folder)/no.jpg is not there; a file of the song's folder"
            expect(program.child.errors.contains(lack), "\(program.child.errors)")
            expect(program.trace.events("item-start").allSatisfy { $0.text("source") == "\(folder)/song.txt" })
        }

        @Test func whatASongLacksIsReportedBeforeItPlays() throws {
            let stage = try Stage(320, 180), folder = try Scratch.newFolder("songs")
            try FileManager.default.copyItem(atPath: try clip(5, frames: 60).file(), toPath: "\(folder)/song.mp4")
            let text = "#TITLE:T\n#ARTIST:A\n#MP3:song.mp4\n#BPM:abc\nP1\n: 0 4 0 La\nP2\n: 0 4 0 Li\nE\n"
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/song.txt"))
            let program = try stage.play(
                tiles: [["play": ["src": "\(folder)/song.txt", "voice": 9] as [String: Any]]],
                options: ["--no-audio", "--for", "1"])
            expect(program.child.wait(atMost: 10), equals: 0)
            let reported = program.child.errors
            expect(reported.contains("song.txt:4:6: #BPM: \"abc\" is not a tempo"), "\(reported)")
            expect(reported.contains("the lyrics have no lines for voice 9; 1, 2 would be right"), "\(reported)")
        }

        @Test(.tags(.large)) func anotherKeyIsInTuneAndInStep() throws {
            let server = try SoundServer()
            let microphone = try Microphone(server)
            let stage = try Stage(320, 180)
            // Bursts at each second, under a tone.
            let bursting = clip(3) { ($0.sound, $0.bursts) = (.aac, [0, 30]) }
            let path = socketPath()
            let program = try stage.play(
                [try bursting.file(), "--for", "11", "--ipc", path], sound: server)
            let camera = try stage.camera(Tile(stage.whole))
            expect(camera.waitUntilReadable(atMost: 6))
            let client = try #require(ControlClient(path))
            let keys = Keys(stage.display)
            try keys.focus(try #require(try keys.windows().last))
            RealTime.pass(4)
            let changed = RealTime.now
            try keys.press("shift+Up")
            try keys.press("shift+Up")
            RealTime.pass(1)
            expect(client.number("key"), equals: 2)
            expect(program.child.wait(atMost: 20), equals: 0)
            camera.stop()
            let heard = microphone.stop()
            let factor = pow(2, 2.0 / 12)
            let before = heard.between(changed - 1.5, changed), after = heard.between(changed + 1, changed + 6)
            expect(before.loudness(of: bursting.tone, .left), above: 0.2)
            expect(after.loudness(of: bursting.tone * factor, .left), above: 0.15)
            expect(after.loudness(of: bursting.tone, .left), below: 0.02)
            let holes = heard.between(changed - 0.5, changed + 1).longestSilence()
            expectInTime(holes, atMost: Limit.loopHole, "a hole of sound at another key")
            func offsets(_ tone: Double, from: Double, to: Double) -> [Double] {
                camera.film.runs(of: 0).compactMap { run in
                    guard let mark = run.mark, mark.number % 30 == 0, run.first > from, run.first < to else {
                        return nil
                    }
                    let part = heard.between(run.first - 0.2, run.first + 0.25)
                    let loud = part.course(of: tone, window: 0.005)
                    let sum = loud.reduce(0) { $0 + $1.amplitude * $1.amplitude }
                    let moment = loud.reduce(0) { $0 + $1.amplitude * $1.amplitude * ($1.time - run.first) }
                    return sum > 0 ? moment / sum * 1000 : nil
                }.sorted()
            }
            let own = offsets(Witness.burstTone, from: changed - 4, to: changed - 0.3)
            let higher = offsets(Witness.burstTone * factor, from: changed + 1, to: changed + 6)
            try #require(own.count >= 2 && higher.count >= 4)
            let shift = higher[higher.count / 2] - own[own.count / 2]
            print("bursts in another key come \(shift) ms later: \(own), \(higher)")
            expectInTime(abs(shift), .milliseconds, atMost: 10, "ms between keys")
        }
    }
}
