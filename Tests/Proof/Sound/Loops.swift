import Foundation
import TestKit

/// A clip of two seconds whose tone makes whole cycles, looped often: the largest hole, and the total slip.
enum Loops {
    static func measure(count: Int) throws {
        for (name, clip) in Formats.all {
            let server = try SoundServer()
            let microphone = try Microphone(server)
            let display = try Display(width: 640, height: 360)
            let program = try Program(
                ["--size", "640x360", "--position", "0,0", try clip.file()], on: display, sound: server)
            RealTime.wait(atMost: 5) { microphone.recording.hasSound(for: 0.5) }
            let began = RealTime.now
            RealTime.pass(Double(count) * clip.length)
            let heard = microphone.stop().between(began, RealTime.now)
            program.child.end()
            let hole = heard.silences(longerThan: 0).map(\.length).max() ?? 0
            printLine(
                String(
                    format: "loops: %@: %d loops, largest hole %.2f ms, slip %.3f ms", name, count, hole * 1000,
                    heard.slip(of: clip.tone) * 1000))
            Proof.expect("  largest hole", hole * 1000, atMost: 1, " ms")
            Proof.expect("  slip", heard.slip(of: clip.tone) * 1000, atMost: 1, " ms")
            Proof.expect("  not heard", Double(count) * clip.length - heard.seconds, atMost: 0.5, " s")
        }
    }
}
