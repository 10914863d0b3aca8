import Expectations
import Foundation
import TestKit
import Testing

extension WallTests {
    /// A live source that is no list arrives once: frames and sound share one connection.
    @Suite(.tags(.timed)) struct LiveSound {
        @Test(arguments: ["udp", "tcp", "srt", "http"])
        func whatIsSentIsHeardInStep(kind: String) throws {
            let film = clip(3, frames: 420) {
                ($0.container, $0.sound, $0.gop) = (.ts, .aac, 15)
                $0.bursts = Array(stride(from: 0, to: 420, by: 30))
            }
            let port = ["tcp", "http"].contains(kind) ? try FreePort.tcp() : try FreePort.udp()
            let address = "\(kind)://127.0.0.1:\(port)" + (kind == "http" ? "/live.ts" : "")
            let listening = ["tcp": "?listen=1", "srt": "?mode=listener", "http": ""]
            let server = try SoundServer()
            let microphone = try Microphone(server)
            let sender = try Child(
                ["ffmpeg", "-nostdin", "-v", "error", "-re", "-stream_loop", "-1", "-i", try film.file(), "-c", "copy"]
                    + ["-f", "mpegts"] + (kind == "http" ? ["-listen", "1"] : [])
                    + [address + (listening[kind] ?? "?pkt_size=1316")])
            defer { sender.end() }
            switch kind {
            case "tcp", "http": expect(FreePort.waitUntilTaken(tcp: port))
            case "srt": expect(FreePort.waitUntilTaken(udp: port))
            default: break
            }
            let stage = try Stage(320, 180)
            let program = try stage.play([address, "--for", "10"], sound: server)
            let camera = try stage.camera(Tile(stage.whole))
            expect(camera.waitUntilReadable(atMost: 6))
            let began = RealTime.now
            expect(program.child.wait(atMost: 15), equals: 0, "\(program.child.errors)")
            camera.stop()
            let heard = microphone.stop()
            let offsets = camera.film.runs(of: 0).compactMap { run -> Double? in
                guard let mark = run.mark, mark.number % 30 == 0, run.first > began + 2 else { return nil }
                let part = heard.between(run.first - 0.2, run.first + 0.25)
                let onset = part.course(of: Witness.burstTone, window: 0.001).first { $0.amplitude > 0.18 }
                return onset.map { ($0.time - run.first) * 1000 }
            }
            let whole = heard.trimmed()
            let part = whole.between(began + 2, whole.began + whole.seconds - 0.2)
            try #require(offsets.count > 3, "\(offsets) of \(camera.film.runs(of: 0).count)")
            print("\(kind): sound after frame \(offsets.sorted()) ms, hole \(part.longestSilence() * 1000) ms")
            expectInTime(
                abs(offsets.sorted()[offsets.count / 2]), .milliseconds, atMost: 20, "ms between sound and frame")
            expectInTime(part.longestSilence(), atMost: Limit.loopHole, "a hole of sound")
            expect(program.trace.events("trouble").isEmpty, "\(program.trace.events("trouble"))")
        }

        /// Returns a file to be played into a sound input.
        private func bursts() throws -> String {
            let film = clip(3, frames: 900) {
                ($0.sound, $0.container) = (.flac, .mkv)
                $0.bursts = Array(stride(from: 0, to: 900, by: 15))
            }
            let path = Scratch.path("bursts.wav")
            try run(["ffmpeg", "-nostdin", "-v", "error", "-y", "-i", try film.file(), "-vn", path])
            return path
        }

        private func onsets(_ recording: Recording) -> [Double] {
            var onsets: [Double] = []
            for step in recording.course(of: Witness.burstTone, window: 0.001) where step.amplitude > 0.18 {
                if onsets.last.map({ step.time - $0 > 0.2 }) ?? true { onsets.append(step.time) }
            }
            return onsets
        }

        @Test(.tags(.large)) func aSoundInputIsHeardWithinAHundredAndFiftyMilliseconds() throws {
            let server = try SoundServer()
            _ = try server.addOutput("mic")
            let (reported, heard) = (try Microphone(server, output: "mic"), try Microphone(server))
            let stage = try Stage(640, 180)
            let program = try stage.play(
                tiles: [
                    ["id": "input", "play": "pulse://mic.monitor", "rect": [0, 0, 0.5, 1]],
                    ["id": "film", "play": try clip(2).file(), "rect": [0.5, 0, 0.5, 1]],
                ], options: ["--for", "9"], sound: server)
            let player = try Child(["paplay", "--device=mic", try bursts()], environment: server.environment)
            defer { player.end() }
            expect(program.child.wait(atMost: 20), equals: 0)
            let (before, after) = (onsets(reported.stop()), onsets(heard.stop()))
            let delays = after.compactMap { time in before.last { $0 < time }.map { time - $0 } }.dropFirst(4).sorted()
            try #require(delays.count > 8, "\(before), \(after)")
            print("a sound input: \(delays.map { Int($0 * 1000) }) ms behind")
            expectInTime(delays[delays.count / 2], atMost: 0.15, "behind what is said")
            expectInTime(delays[delays.count - 1] - delays[0], atMost: 0.02, "unsteady")
            expect(program.trace.events("trouble").isEmpty, "\(program.trace.events("trouble"))")
            expect(program.trace.events("item-start", tile: "input").count, equals: 1)
        }

        @Test func aSoundInputThatIsUnpluggedCostsNobodyElseAnything() throws {
            let server = try SoundServer()
            let unplug = try server.addOutput("mic")
            let microphone = try Microphone(server)
            let stage = try Stage(640, 180)
            let program = try stage.play(
                tiles: [
                    [
                        "id": "input", "rect": [0, 0, 0.5, 1],
                        "play": ["src": try clip(1).file(), "audio": ["src": "pulse://mic.monitor"]] as [String: Any],
                    ],
                    ["id": "film", "play": try clip(2).file(), "rect": [0.5, 0, 0.5, 1]],
                ], sound: server)
            let camera = try stage.camera(Tile(stage.whole.cell(1, 0, of: 2, by: 1)))
            expect(camera.waitUntilReadable(atMost: 5))
            func isHeard() -> Bool {
                microphone.recording.between(RealTime.now - 1, RealTime.now).loudness(of: Witness.tone(of: 3), .left)
                    > 0.05
            }
            let first = try Child(["paplay", "--device=mic", try bursts()], environment: server.environment)
            expect(RealTime.wait(atMost: 5, until: isHeard))
            try unplug()
            first.end()
            expect(RealTime.wait(atMost: 5) { !isHeard() })
            RealTime.pass(2)
            _ = try server.addOutput("mic")
            let again = try Child(["paplay", "--device=mic", try bursts()], environment: server.environment)
            expect(RealTime.wait(atMost: 12, until: isHeard))
            again.end()
            kill(program.child.pid, SIGTERM)
            expect(program.child.wait(atMost: 5), equals: 0)
            let seen = camera.stop().show.runs(of: 0)
            expectUnbroken(Succession(seen, looping: 2, 60, blink: blink), "film", seams: 3)
            expect(program.trace.events("trouble", tile: "film").isEmpty)
            expect(!program.trace.events("trouble", tile: "input").isEmpty)
        }

        @Test func aSoundInputThatIsNotThereIsIllAndNotPlayed() throws {
            let server = try SoundServer(), stage = try Stage(320, 180)
            let (log, ipc) = (Scratch.path("log"), try Scratch.newFolder("ipc") + "/wall")
            let program = try stage.play(
                tiles: [["id": "input", "play": "pulse://mic.monitor"]], options: ["--log", log, "--ipc", ipc],
                sound: server)
            expect(RealTime.wait(atMost: 5) { FileManager.default.fileExists(atPath: ipc) })
            let client = try #require(ControlClient(ipc))
            func isHealthy() -> Bool? { (client.get("health") as? [String: Any])?["healthy"] as? Bool }
            expect(RealTime.wait(atMost: 10) { isHealthy() == false })
            expect(client.get("tiles/input/trouble") as? String, equals: "there is no such sound input")
            _ = try server.addOutput("mic")
            expect(RealTime.wait(atMost: 12) { isHealthy() == true })
            let heard = RealTime.now
            RealTime.pass(3)
            kill(program.child.pid, SIGTERM)
            expect(program.child.wait(atMost: 5), equals: 0)
            let length = RealTime.now - heard
            let line = try run([try #require(Program.path), "log", "--json", log])
            let rows = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [[String: Any]]
            let row = try #require(rows?.first)
            let seconds = try #require(row["seconds"] as? Double)
            expect(seconds > 2.5 && seconds < length + 1.5, "\(seconds) of \(length)")
            expect(program.trace.events("trouble").count, equals: 1)
        }
    }
}
