import Foundation

/// A witness clip's sound as a WAV file: its tone for its whole length, on two channels if they differ, and bursts.
enum ToneFile {
    static let rate = 48_000

    static func make(_ witness: Witness) throws -> String {
        let count = Int((witness.length * Double(rate)).rounded())
        func tone(_ frequency: Double) -> [Int16] {
            (0..<count).map { Int16(8000 * sin(2 * .pi * frequency * Double($0) / Double(rate))) }
        }
        var sides = [tone(witness.tone)] + (witness.sides == .apart ? [tone(witness.rightTone)] : [])
        for frame in witness.bursts {
            let first = Int((Double(frame) * witness.secondsPerFrame * Double(rate)).rounded())
            for index in first..<min(first + rate / 25, count) {
                let burst = 12_000 * sin(2 * .pi * Witness.burstTone * Double(index - first) / Double(rate))
                for side in sides.indices { sides[side][index] += Int16(burst) }
            }
        }
        let path = Scratch.path("tone.wav")
        var data = Data("RIFF".utf8)
        func append(_ value: Int, bytes: Int) {
            for shift in 0..<bytes { data.append(UInt8(truncatingIfNeeded: value >> (8 * shift))) }
        }
        let frame = sides.count * 2
        append(36 + count * frame, bytes: 4)
        data.append(Data("WAVEfmt ".utf8))
        append(16, bytes: 4)
        append(1, bytes: 2)
        append(sides.count, bytes: 2)
        append(rate, bytes: 4)
        append(rate * frame, bytes: 4)
        append(frame, bytes: 2)
        append(16, bytes: 2)
        data.append(Data("data".utf8))
        append(count * frame, bytes: 4)
        let samples = (0..<count).flatMap { index in sides.map { $0[index] } }
        samples.withUnsafeBytes { data.append(contentsOf: $0) }
        try data.write(to: URL(fileURLWithPath: path))
        return path
    }
}
