import Foundation
import TestKit
import Testing

extension WallTests {
    /// What is sent comes once: its pictures and its sound by one connection.
    @Suite(.serialized) struct LiveSound {
        @Test(arguments: ["udp", "tcp", "srt"])
        func whatIsSentIsHeardInStep(kind: String) throws {
            let film = try clip(3, pictures: 420) {
                ($0.container, $0.sound, $0.gop) = (.ts, .aac, 15)
                $0.bursts = Array(stride(from: 0, to: 420, by: 30))
            }
            let port = kind == "tcp" ? try FreePort.tcp() : try FreePort.udp()
            let (address, listening) = ("\(kind)://127.0.0.1:\(port)", ["tcp": "?listen=1", "srt": "?mode=listener"])
            let server = try SoundServer()
            let microphone = try Microphone(server)
            let sender = try Child(
                ["ffmpeg", "-nostdin", "-v", "error", "-re", "-stream_loop", "-1", "-i", try film.file(), "-c", "copy"]
                    + ["-f", "mpegts", address + (listening[kind] ?? "?pkt_size=1316")])
            defer { sender.end() }
            Clock.pass(0.5)
            let stage = try Stage(320, 180)
            let program = try stage.play([address, "--for", "10"], sound: server)
            let camera = try stage.camera(Tile(stage.whole))
            #expect(camera.waitUntilReadable(atMost: 6))
            let began = Clock.now
            #expect(program.child.wait(atMost: 15) == 0, "\(program.child.errors)")
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
            print("\(kind): sound after picture \(offsets.sorted()) ms, hole \(part.longestSilence() * 1000) ms")
            expectInTime(abs(offsets.sorted()[offsets.count / 2]), atMost: 20, "ms between sound and picture")
            expectInTime(part.longestSilence(), atMost: Limit.loopHole, "a hole of sound")
            #expect(program.trace.events("trouble").isEmpty, "\(program.trace.events("trouble"))")
        }
    }
}
