import Foundation
import Testing

@testable import Base
@testable import Media

/// Output of the filters for tones and bursts, sample by sample.
@Suite struct StretcherTests {
    /// The left channel, stretched as a voice does: the input begins with `lead` samples of silence.
    private func stretched(_ samples: [Float], _ rate: Double, _ key: Int) throws -> [Float] {
        let made = key == 0 ? Stretcher(rate: Rate(rate)) : Stretcher(rate: Rate(rate), key: key)
        let stretcher = try #require(made)
        let source = [Float](repeating: 0, count: Int(stretcher.lead)) + samples
        var result: [Float] = []
        for start in stride(from: 0, to: source.count, by: 1024) {
            result += stretcher.push(source[start..<min(start + 1024, source.count)].flatMap { [$0, $0] })
        }
        result += stretcher.finish()
        return stride(from: 0, to: result.count, by: 2).map { result[$0] }
    }

    /// Errors of noise bursts, one each half second, in milliseconds from their due places.
    private func errors(_ rate: Double, _ key: Int) throws -> [Double] {
        var random = SystemRandomNumberGenerator()
        let source = (0..<5 * 48_000).map { place -> Float in
            (9_600..<10_080).contains(place % 24_000) ? Float.random(in: -0.8...0.8, using: &random) : 0
        }
        let heard = try stretched(source, rate, key)
        return stride(from: 0.205, to: 4.5, by: 0.5).compactMap { middle in
            let expected = Int(middle / rate * 48_000), reach = Int(0.15 / rate * 48_000)
            guard expected - reach >= 0, expected + reach < heard.count else { return nil }
            var (sum, moment) = (0.0, 0.0)
            for place in expected - reach..<expected + reach {
                let energy = Double(heard[place] * heard[place])
                (sum, moment) = (sum + energy, moment + energy * Double(place - expected))
            }
            return sum > 0.5 ? moment / sum / 48 : .infinity
        }
    }

    /// Distance of a tone from its due pitch, in cents.
    private func cents(_ rate: Double, _ key: Int, _ hertz: Double) throws -> Double {
        let step = 2 * Double.pi * hertz / 48_000
        let source = (0..<4 * 48_000).map { 0.3 * Float(sin(step * Double($0))) }
        let heard = try stretched(source, rate, key)
        let wanted = hertz * pow(2, Double(key) / 12), size = 2_400
        var (turns, last, course) = (0.0, nil as Double?, [Double]())
        for from in stride(from: 24_000, to: Int(3.5 / rate * 48_000) - size, by: size) {
            var (a, b) = (0.0, 0.0)
            for index in from..<from + size {
                let angle = 2 * Double.pi * wanted * Double(index) / 48_000
                (a, b) = (a + Double(heard[index]) * cos(angle), b - Double(heard[index]) * sin(angle))
            }
            let phase = atan2(b, a) / (2 * Double.pi)
            if let last { turns += (phase - last) - (phase - last).rounded() }
            last = phase
            course.append(turns)
        }
        let seconds = Double((course.count - 1) * size) / 48_000
        return 1200 * log2(1 + (course.last ?? 0) / seconds / wanted)
    }

    private static let songs = [0.7, 0.85, 1, 1.15, 1.3].flatMap { (rate: Double) -> [(Double, Int)] in
        [-6, -4, -2, -1, 1, 2, 4, 6].map { key in (rate, key) }
    }

    @Test(arguments: songs) func aSongInAnotherKeyIsInStepAndInTune(rate: Double, key: Int) throws {
        let errors = try errors(rate, key)
        let mean = errors.reduce(0, +) / Double(errors.count)
        let tones = try [220, 440, 700].map { try cents(rate, key, $0) }
        print("rate \(rate), key \(key): \(mean) ms, \(tones) cents")
        #expect(errors.count >= 6 && abs(mean) <= 3 && errors.allSatisfy { abs($0) <= 6 }, "\(errors)")
        #expect(tones.allSatisfy { abs($0) <= 2 })
    }

    @Test(
        arguments: [
            (1, -12), (1, -9), (1, 9), (1, 12), (0.5, -12), (0.5, -6), (0.5, 6), (0.5, 12), (2, -12), (2, -6), (2, 6),
            (2, 12), (0.75, 12), (1.5, -12), (0.25, 3), (4, -3),
        ] as [(Double, Int)])
    func theFarthestKeysAndRatesAreNear(rate: Double, key: Int) throws {
        let errors = try errors(rate, key)
        let mean = errors.reduce(0, +) / Double(errors.count)
        let tone = try cents(rate, key, 440)
        print("rate \(rate), key \(key): \(mean) ms, \(tone) cents")
        if (0.5...2).contains(rate) { #expect(abs(mean) <= 10) }
        #expect(abs(tone) <= 2)
    }

    @Test(arguments: [0, 1, 12, -1, -12]) func semitonesMakeAnOctave(count: Int) {
        #expect(abs(semitone(count) - pow(2, Double(count) / 12)) < 1e-12)
    }
}
