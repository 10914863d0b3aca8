import Expectations
import Foundation
import Testing

import enum TestKit.Samples

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
            result += stretcher.push(Samples.stereo(source[start..<min(start + 1024, source.count)]))
        }
        result += stretcher.finish()
        return Samples.left(of: result)
    }

    /// Errors of noise bursts, one each half second, in milliseconds from their due places.
    private func errors(_ rate: Double, _ key: Int) throws -> [Double] {
        let heard = try stretched(Samples.bursts(count: 168_000), rate, key)
        return stride(from: 0.205, to: 3.5, by: 0.5).compactMap { middle in
            Samples.middleOfEnergy(
                heard, around: Int(middle / rate * 48_000), reach: Int(0.15 / rate * 48_000), least: 0.5)
        }
    }

    /// Distance of a tone from its due pitch, in cents.
    private func cents(_ rate: Double, _ key: Int, _ hertz: Double) throws -> Double {
        let seconds = 1.5 * max(1, rate)
        let tone = Samples.tone(hertz, amplitude: 0.3, count: Int(seconds * 48_000))
        return Samples.cents(
            try stretched(tone, rate, key), from: hertz * pow(2, Double(key) / 12),
            in: 14_400..<Int((seconds - 0.1) / rate * 48_000))
    }

    /// Tones that begin one after the other keep their level, low ones too.
    @Test(
        arguments: [
            (0.7, 2), (1, 2), (1, -5), (0.5, 5), (1.3, -3), (2, 12), (0.25, -12), (0.25, 12), (4, 12), (4, -12),
            (1, 12), (1, -12), (0.85, 1), (1.15, -1),
        ] as [(Double, Int)])
    func everyToneKeepsItsLevel(rate: Double, key: Int) throws {
        let tones = [60, 100, 165, 300, 440, 700, 1000, 2500, 6000].filter { $0 * pow(2, Double(key) / 12) < 16_000 }
        let seconds = 1.2 * max(1, rate), fade = 2_400
        let count = Int(seconds * 48_000)
        let source = tones.flatMap { hertz in
            Samples.tone(hertz, amplitude: 0.3, count: count).enumerated().map { place, sample in
                sample * min(1, Float(min(place, count - 1 - place)) / Float(fade))
            }
        }
        let heard = try stretched(source, rate, key)
        for (place, hertz) in tones.enumerated() {
            let begin = (Double(place) + 0.4) * seconds / rate * 48_000, length = 0.4 * seconds / rate * 48_000
            let part = Array(heard[Int(begin)..<Int(begin + length)])
            let power = part.reduce(0) { $0 + Double($1 * $1) } / Double(part.count)
            let level = 10 * log10(2 * power / 0.09)
            expect(abs(level), below: 1, "\(hertz) Hz: \(level) dB")
        }
    }

    private static let songs = [0.7, 0.85, 1, 1.15, 1.3].flatMap { (rate: Double) -> [(Double, Int)] in
        [-6, -4, -2, -1, 1, 2, 4, 6].map { key in (rate, key) }
    }

    @Test(arguments: songs) func aSongInAnotherKeyIsInStepAndInTune(rate: Double, key: Int) throws {
        let errors = try errors(rate, key)
        let mean = errors.reduce(0, +) / Double(errors.count)
        let tones = try [220, 440, 700].map { try cents(rate, key, $0) }
        print("rate \(rate), key \(key): \(mean) ms, \(tones) cents")
        expect(errors.count >= 6 && abs(mean) <= 3 && errors.allSatisfy { abs($0) <= 6 }, "\(errors)")
        expect(tones.allSatisfy { abs($0) <= 2 })
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
        if (0.5...2).contains(rate) { expect(abs(mean), atMost: 10) }
        expect(abs(tone), atMost: 2)
    }

    @Test(arguments: [0, 1, 12, -1, -12]) func semitonesMakeAnOctave(count: Int) {
        expect(abs(semitone(count) - pow(2, Double(count) / 12)), below: 1e-12)
    }
}
