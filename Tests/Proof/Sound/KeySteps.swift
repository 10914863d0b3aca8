import Foundation
import TestKit

/// Keys that move the focus over four tiles of different tones: the delay of the right tone, and how loud the others
/// are.
enum KeySteps {
    private static let clips = [2, 5, 8, 11]

    static func measure(rounds: Int) throws {
        let server = try SoundServer()
        let microphone = try Microphone(server)
        let display = try Display()
        let files = try clips.map { try Formats.clip($0).with { $0.sound = .aac }.file() }
        let program = try Program(["--position", "0,0"] + files, on: display, sound: server)
        RealTime.wait(atMost: 5) { microphone.recording.hasSound(for: 0.5) }
        let keys = Keys(display)
        if let window = try keys.windows().last { try keys.focus(window) }
        var steps: [(tile: Int, at: Double)] = []
        for step in 0..<rounds {
            let tile = (step + 1) % clips.count
            RealTime.pass(1.03)
            steps.append((tile, RealTime.now))
            try keys.press("\(tile + 1)")
        }
        RealTime.pass(1)
        program.child.end()
        let heard = microphone.stop()
        var delays: [Double] = []
        var leads: [Double] = []
        var holes: [Double] = []
        for (tile, at) in steps {
            let tones = clips.map { Witness.tone(of: $0) }
            let course = heard.between(at - 0.1, at + 0.6).course(of: tones[tile], window: 0.005)
            guard let first = course.first(where: { $0.amplitude > 0.12 }) else {
                printLine("key \(tile + 1): its tone was not heard")
                continue
            }
            delays.append((first.time + 0.0025 - at) * 1000)
            let steady = heard.between(at + 0.3, at + 0.95)
            let others = tones.indices.filter { $0 != tile }.map { steady.amplitude(of: tones[$0]) }.max() ?? 0
            leads.append(20 * log10(steady.amplitude(of: tones[tile]) / max(others, 1e-9)))
            holes.append((heard.between(at - 0.05, at + 0.9).silences(longerThan: 0).map(\.length).max() ?? 0) * 1000)
        }
        let sorted = delays.sorted()
        guard let last = sorted.last else { return }
        printLine(
            String(
                format: "keys: %d, tone after the key %.0f ms (median), %.0f to %.0f ms, xdotool's own way included",
                sorted.count, sorted[sorted.count / 2], sorted[0], last))
        printLine(
            String(
                format: "      others at least %.0f dB below, largest hole %.1f ms", leads.min() ?? 0, holes.max() ?? 0)
        )
        Proof.expect("  keys that were not heard", Double(rounds - delays.count), atMost: 0)
        Proof.expect("  tone after the key", last, atMost: 80, " ms")
        Proof.expect("  largest hole", holes.max() ?? .infinity, atMost: 2, " ms")
        Proof.expect("  the others are louder than -34 dB by", max(0, 34 - (leads.min() ?? 0)), atMost: 0, " dB")
    }
}

extension Recording {
    /// True if there was sound more than `seconds` ago.
    func hasSound(for seconds: Double) -> Bool {
        guard let first = left.firstIndex(where: { abs(Int($0)) > 3000 }) else { return false }
        return Double(left.count - first) / Double(Microphone.rate) > seconds
    }
}
