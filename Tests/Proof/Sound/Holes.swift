import Foundation
import TestKit

/// A looped tone of each format while a wall of four decodes.
enum Holes {
    enum Load { case none, busyCore }

    static func measure(seconds: Double, load: Load) throws {
        let others = try [7, 8, 9].map { try Formats.clip($0).file() }
        for (name, clip) in Formats.all {
            let server = try SoundServer()
            let microphone = try Microphone(server)
            let display = try Display()
            let program = try Program(
                ["--position", "0,0", "--for", "\(seconds + 2.5)", try clip.file()] + others, on: display, sound: server
            )
            let busy = load == .busyCore ? try Child(["sh", "-c", "while :; do :; done"]) : nil
            RealTime.wait(atMost: 5) { microphone.recording.hasSound(for: 0.5) }
            let began = RealTime.now
            RealTime.pass(seconds)
            busy?.end()
            let heard = microphone.stop().between(began, began + seconds)
            program.child.end()
            let holes = heard.silences(longerThan: 0.001)
            let list = holes.map { String(format: "%.1f", $0.length * 1000) }.joined(separator: " ")
            let slip = heard.slip(of: clip.tone) * 1000
            let length = heard.seconds
            printLine(
                String(
                    format: "%@: %.1f s, slip %.3f ms, holes (ms): %@", name, length, slip, list.isEmpty ? "none" : list
                ))
            Proof.expect("  holes of more than 1 ms", Double(holes.count), atMost: 0)
            Proof.expect("  slip", slip, atMost: 1, " ms")
            Proof.expect("  not heard", seconds - length, atMost: 0.5, " s")
        }
    }
}
