import Expectations
import Testing

@testable import Base
@testable import Measurement
@testable import SimulatedWall

/// Matches of sounds made of random numbers.
@Suite struct SoundMatchTests {
    /// Returns interleaved stereo: noise that changes its loudness some times a second.
    private static func sound(_ seconds: Double, seed: UInt64) -> [Float] {
        var numbers = Seeded(state: seed)
        var loudness: Float = 0
        return (0..<Int(seconds * 48_000)).flatMap { place -> [Float] in
            if place % 5_000 == 0 { loudness = Float.random(in: 0...0.4, using: &numbers) }
            let sample = Float.random(in: -loudness...loudness, using: &numbers)
            return [sample, sample]
        }
    }

    private static func tone(_ seconds: Double, _ hertz: Double, every period: Int = 1, on: Int = 1) -> [Float] {
        (0..<Int(seconds * 48_000)).flatMap { place -> [Float] in
            let isOn = place % period < on
            let sample = isOn ? Float(0.2 * sine(ofTurns: Double(place) * hertz / 48_000)) : 0
            return [sample, sample]
        }
    }

    private static func verdict(
        _ first: [Float], _ second: [Float], firstAt: Int64 = 0, secondAt: Int64 = 0
    ) -> AlignVerdict {
        func bands(_ samples: [Float], _ start: Int64) -> SoundBands {
            var bands = SoundBands()
            for place in stride(from: 0, to: samples.count, by: 4_000) {
                let block = Array(samples[place..<min(place + 4_000, samples.count)])
                bands.append(block, at: start + Int64(place / 2))
            }
            return bands
        }
        func coarse(_ samples: [Float], _ start: Int64) -> CoarseSound {
            var sound = CoarseSound()
            sound.append(samples, at: start)
            return sound
        }
        let (one, other) = (coarse(first, firstAt), coarse(second, secondAt))
        return SoundMatch(bands(first, firstAt), bands(second, secondAt)).verdict { side, start, count in
            (side == .first ? one : other).stretch(from: start, count: count)
        }
    }

    private func expectFound(_ verdict: AlignVerdict, _ offset: Double, within limit: Double = 0.0001) {
        guard case .found(let time, let confidence) = verdict else {
            Issue.record("\(offset): \(verdict)")
            return
        }
        expect(abs(time.seconds - offset), below: limit, "\(offset): \(time.seconds)")
        expect(confidence > 0.5 && confidence <= 1)
    }

    private static let film = sound(9, seed: 1)

    /// A clip that begins later in the same sound is behind: its tile has to show an earlier time of its own.
    @Test func whatWasCutOffAtTheBeginningIsBehindAndTheOtherWayRoundAhead() {
        let later = Array(Self.film[2 * 61_234..<2 * 9 * 48_000])
        expectFound(Self.verdict(Self.film, later), -61_234.0 / 48_000)
        expectFound(Self.verdict(later, Self.film), 61_234.0 / 48_000)
    }

    @Test func loudnessPolarityAndNoiseDoNotMatter() {
        let noise = Self.sound(9, seed: 2)
        let later = zip(Self.film[2 * 30_000..<2 * 9 * 48_000], noise).map { -0.05 * $0 + 0.02 * $1 }
        expectFound(Self.verdict(Self.film, later), -30_000.0 / 48_000)
    }

    @Test func aSoundThatBeginsLateOrBeforeItsFramesKeepsItsPlace() {
        expectFound(Self.verdict(Self.film, Self.film, secondAt: 24_000), 0.5)
        expectFound(Self.verdict(Self.film, Self.film, firstAt: -1_000, secondAt: 1_000), 2_000.0 / 48_000)
    }

    @Test func aHoleInASoundIsSilenceAndMovesNothing() {
        var bands = SoundBands()
        bands.append(Array(Self.film[..<200_000]), at: 0)
        bands.append(Array(Self.film[400_000...]), at: 200_000)
        var whole = SoundBands()
        whole.append(Self.film, at: 0)
        var sound = CoarseSound()
        sound.append(Self.film, at: 0)
        expectFound(SoundMatch(whole, bands).verdict { _, start, count in sound.stretch(from: start, count: count) }, 0)
    }

    private static let refusals: [(String, AlignRefusal, [Float], [Float])] = [
        ("two of noise", .unrelated, film, sound(9, seed: 3)),
        ("two equal tones", .tooEven, tone(6, 440), tone(6, 440)),
        ("silence", .tooEven, film, [Float](repeating: 0, count: 600_000)),
        ("less than a second", .tooShort, film, Array(film[..<80_000])),
    ]

    @Test(arguments: 0..<4) func aGuessIsRefused(_ index: Int) {
        let (name, refusal, first, second) = Self.refusals[index]
        expect(Self.verdict(first, second), equals: .refused(refusal), "\(name)")
    }

    /// Clicks each half second.
    @Test func whatRepeatsIsReportedToFitAtSeveralPlaces() {
        let clicks = Self.tone(9, 1_000, every: 24_000, on: 2_400)
        let verdict = Self.verdict(clicks, Array(clicks[2 * 6_000..<2 * 9 * 48_000]))
        guard case .refused(.repeats(let one, let other)) = verdict else {
            Issue.record("\(verdict)")
            return
        }
        for time in [one, other] {
            let rest = (time.seconds + 0.125) / 0.5
            expect(abs(rest - rest.rounded()), below: 0.02, "\(time.seconds)")
        }
    }

    /// One bang in each, and nothing else.
    @Test func oneEventIsTooLittle() {
        func bang(_ at: Int) -> [Float] {
            var samples = [Float](repeating: 0, count: 2 * 48_000 * 6)
            for place in 0..<4_800 { samples[2 * (at + place)] = Self.film[100_000 + place] }
            return samples
        }
        expect(Self.verdict(bang(100_000), bang(120_000)), equals: .refused(.tooFew))
    }
}
