import Foundation
import TestKit

/// The sound server killed and started again, twice in 20 s, with the camera running.
enum ServerGone {
    static func measure() throws {
        let clip = Witness(3).with { ($0.frames, $0.sound, $0.bursts) = (60, .aac, [0, 30]) }
        var server = try SoundServer()
        let home = server.home
        let display = try Display(width: 640, height: 360)
        let program = try Program(
            ["--size", "640x360", "--position", "0,0", "--borderless", try clip.file()], on: display, sound: server)
        let camera = try Camera(display, [Tile(Area(0, 0, 640, 360))])
        _ = camera.waitUntilReadable(atMost: 5)
        for round in 1...2 {
            RealTime.pass(2)
            server.end()
            RealTime.pass(1)
            server = try SoundServer(in: home)
            let back = RealTime.now
            let microphone = try Microphone(server)
            RealTime.pass(7)
            let heard = microphone.stop()
            let first = heard.course(of: clip.tone).first { $0.amplitude > 0.1 }?.time
            let offsets = camera.film.between(back + 3, RealTime.now - 0.5).runs(of: 0).compactMap { run -> Double? in
                guard let mark = run.mark, mark.number % 30 == 0 else { return nil }
                let part = heard.between(run.first - 0.3, run.first + 0.3)
                let burst = part.course(of: Witness.burstTone, window: 0.001).first { $0.amplitude > 0.18 }
                return burst.map { ($0.time - run.first) * 1000 }
            }.sorted()
            let offset = offsets.isEmpty ? Double.nan : offsets[offsets.count / 2]
            printLine(
                String(
                    format: "server killed, round %d: sound back %.2f s after the server, %.1f ms after its frame",
                    round, (first ?? .infinity) - back, offset))
            Proof.expect("  back", (first ?? .infinity) - back, atMost: 3, " s")
            Proof.expect("  beside its frame", abs(offset), atMost: 20, " ms")
        }
        camera.stop()
        program.child.end()
        let seen = Succession(camera.film.show.runs(of: 0), looping: clip.clip, clip.frames, blink: Sight.blink)
        printLine("server killed twice: frames missing \(seen.missing.count) of \(seen.steps)")
        Proof.expect("  missing", Double(seen.missing.count), atMost: 0)
        Proof.expect("  frames short of 400", Double(max(0, 400 - seen.steps)), atMost: 0)
    }
}
