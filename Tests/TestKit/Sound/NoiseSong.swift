import Foundation

/// A song of noise: its autocorrelation has one peak. The number of each second seeds its samples.
///
/// The noise is low-pass filtered, so that it still correlates when a drifting clock played it slightly faster or
/// slower.
public struct NoiseSong {
    public let path: String
    public let seconds: Int

    public init(seconds: Int) throws {
        (path, self.seconds) = (Scratch.path("song.wav"), seconds)
        let raw = Scratch.path("song.f32")
        _ = FileManager.default.createFile(atPath: raw, contents: nil)
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: raw))
        defer { try? FileManager.default.removeItem(atPath: raw) }
        for second in 0..<seconds { file.write(Self.second(second).withUnsafeBytes { Data($0) }) }
        try file.close()
        try run(
            ["ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "f32le", "-ar", "48000", "-ac", "1", "-i", raw]
                + ["-c:a", "pcm_s16le", path], atMost: 120)
    }

    private static func second(_ number: Int) -> [Float] {
        var numbers = SeededNumbers(UInt64(number + 1) &* 7919)
        var (first, last): (Float, Float) = (0, 0)
        return (0..<48_000).map { _ in
            first = first * 0.85 + Float.random(in: -0.1...0.1, using: &numbers)
            last = last * 0.85 + first * 0.4
            return last
        }
    }

    /// Returns the song's samples; silence outside of the song.
    private func samples(_ range: Range<Int>) -> [Float] {
        let first = Int((Double(range.lowerBound) / 48_000).rounded(.down)), last = (range.upperBound - 1) / 48_000
        let silence = [Float](repeating: 0, count: 48_000)
        let all = (first...last).flatMap { (0..<seconds).contains($0) ? Self.second($0) : silence }
        return Array(all[(range.lowerBound - first * 48_000)..<(range.upperBound - first * 48_000)])
    }

    /// Returns by how many milliseconds `heard` lags the song at `second`, within `limit`, and the share of its energy
    /// that correlates.
    public func lag(
        of heard: ArraySlice<Float>, at second: Double, atMost limit: Double = 40
    ) -> (milliseconds: Double, share: Double) {
        let heard = Array(heard.prefix(12_000)), reach = Int(limit * 48)
        let first = Int((second * 48_000).rounded())
        let song = samples((first - reach)..<(first + heard.count + reach))
        func sum(_ shift: Int) -> Double {
            let from = reach - shift
            return heard.withUnsafeBufferPointer { heard in
                song.withUnsafeBufferPointer { song in
                    var sum: Float = 0
                    for index in heard.indices { sum += heard[index] * song[from + index] }
                    return Double(sum)
                }
            }
        }
        func energy(_ samples: ArraySlice<Float>) -> Double { samples.reduce(0) { $0 + Double($1) * Double($1) } }
        let best = (-reach...reach).map { ($0, sum($0)) }.max { $0.1 < $1.1 }!
        // The maximum between two samples is the vertex of the parabola through the best three.
        let (before, after) = (sum(max(-reach, best.0 - 1)), sum(min(reach, best.0 + 1)))
        let bend = before - 2 * best.1 + after
        let part = bend < 0 ? (before - after) / (2 * bend) : 0
        let top = best.1 - (before - after) * part / 4
        let there = song[(reach - best.0)..<(reach - best.0 + heard.count)]
        return ((Double(best.0) + part) / 48, top / max(1e-9, (energy(heard[...]) * energy(there)).squareRoot()))
    }
}
