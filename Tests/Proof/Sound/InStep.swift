import Foundation
import TestKit

/// Bursts at each thirtieth frame: the delay between each frame and its burst, beside that of ffplay on the same setup.
enum InStep {
    static func measure(minutes: Double) throws {
        let clip = Witness(3).with { ($0.frames, $0.sound, $0.bursts) = (60, .aac, [0, 30]) }
        let file = try clip.file()
        let own = try measure("quadrille", minutes) { display, server in
            let window = ["--size", "640x360", "--position", "0,0", "--borderless"]
            let program = try Program(window + [file], on: display, sound: server)
            return { program.child.end() }
        }
        Proof.expect("  bursts missing", own.missing, atMost: 3)
        Proof.expect("  between sound and frame", abs(own.median), atMost: 20, " ms")
        Proof.expect("  walk", abs(own.walk), atMost: 5, " ms")
        _ = try measure("ffplay", minutes) { display, server in
            var environment = display.environment.merging(server.environment) { $1 }
            environment["SDL_VIDEO_WINDOW_POS"] = "0,0"
            let player = try Child(
                ["ffplay", "-v", "error", "-noborder", "-left", "0", "-top", "0", "-loop", "0", file],
                environment: environment)
            return { player.end() }
        }
    }

    private static func measure(
        _ name: String, _ minutes: Double, play: (Display, SoundServer) throws -> () -> Void
    ) throws -> (median: Double, walk: Double, missing: Double) {
        let server = try SoundServer()
        let nothing = (median: Double.infinity, walk: Double.infinity, missing: Double.infinity)
        let microphone = try Microphone(server)
        let display = try Display(width: 640, height: 360)
        let end = try play(display, server)
        let camera = try Camera(display, [Tile(Area(0, 0, 640, 360))])
        guard camera.waitUntilReadable(atMost: 5) else {
            printLine("in step: \(name): no frame was seen")
            return nothing
        }
        RealTime.pass(minutes * 60)
        let film = camera.stop()
        let heard = microphone.stop()
        end()
        let offsets = film.runs(of: 0).compactMap { run -> Double? in
            guard let mark = run.mark, mark.number % 30 == 0 else { return nil }
            let part = heard.between(run.first - 0.3, run.first + 0.3)
            let burst = part.course(of: Witness.burstTone, window: 0.001).first { $0.amplitude > 0.18 }
            return burst.map { ($0.time - run.first) * 1000 }
        }
        guard offsets.count > 8 else {
            printLine("in step: \(name): only \(offsets.count) bursts")
            return nothing
        }
        let sorted = offsets.sorted()
        let tenth = max(1, offsets.count / 10)
        let walk = offsets.suffix(tenth).sorted()[tenth / 2] - offsets.prefix(tenth).sorted()[tenth / 2]
        printLine(
            String(
                format: "in step: %@: %.1f min, %d bursts, sound after frame %.1f ms (median), "
                    + "p10 %.1f, p90 %.1f, walk %.2f ms",
                name, minutes, offsets.count, sorted[sorted.count / 2], sorted[sorted.count / 10],
                sorted[sorted.count * 9 / 10], walk))
        return (sorted[sorted.count / 2], walk, minutes * 60 - Double(offsets.count))
    }
}
