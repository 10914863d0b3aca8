import Expectations
import Testing

@testable import Base
@testable import Measurement

@Suite struct CalibrationTests {
    /// Returns noise of amplitude `noise` with a click of amplitude `gain` at `place`.
    private func heard(at place: Int?, gain: Float = 1, noise: Float = 0, seed: UInt64 = 1) -> [Float] {
        var state = seed
        var samples = (0..<30_000).map { _ -> Float in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (Float(state >> 40) / Float(1 << 23) - 1) * noise
        }
        guard let place else { return samples }
        for (index, sample) in Click.samples.enumerated() { samples[place + index] += sample * gain }
        return samples
    }

    @Test(arguments: [(1, 0), (0.01, 0), (-0.5, 0.02), (0.3, 0.05)] as [(Float, Float)])
    func aClickIsFoundToTheSample(gain: Float, noise: Float) throws {
        for place in [0, 4_321, 29_040] {
            let match = try #require(Click.match(in: heard(at: place, gain: gain, noise: noise)))
            expect(match.place == place && match.share > 0.5, "\(match)")
        }
    }

    @Test func theMedianOfTwentyIsBelieved() {
        let matches = (0..<20).map { _ in Click.Match(place: 0, share: 0.9, level: 0.1) }
        var lags: [Int?] = (0..<20).map { 480 + $0 % 3 }
        (lags[3], lags[7]) = (9_000, -4_000)
        expect(
            Click.verdict(matches, lags: lags),
            equals: .measured(SoundGrid.time(of: 481), spread: SoundGrid.time(of: 2), heard: 20))
    }

    @Test func whatIsNotHeardIsRefused() {
        let silent = (0..<20).map { _ in Click.match(in: heard(at: nil)) }
        expect(Click.verdict(silent, lags: silent.map { $0?.place }), equals: .nothingHeard)
        let noisy = (0..<20).map { Click.match(in: heard(at: 1000, gain: 0.02, noise: 0.3, seed: UInt64($0 + 1))) }
        guard case .tooMuchNoise = Click.verdict(noisy, lags: noisy.map { $0?.place }) else {
            Issue.record("\(noisy)")
            return
        }
        let sure = (0..<20).map { _ in Click.Match(place: 0, share: 0.9, level: 0.1) }
        guard case .unsteady = Click.verdict(sure, lags: (0..<20).map { $0 * 500 }) else {
            Issue.record("spread over half a second")
            return
        }
    }

    @Test func whatWasMeasuredIsKeptForEachPair() {
        var kept = Calibration()
        kept.keep(
            Calibration.Lateness(late: .milliseconds(12), spread: .milliseconds(1), date: "2026"),
            for: Calibration.Pair(output: "hdmi", input: "usb \"mic\""))
        kept.keep(
            Calibration.Lateness(late: -.milliseconds(2), spread: .zero, date: "2026"),
            for: Calibration.Pair(output: "hdmi", input: "b"))
        kept.screen = Calibration.Lateness(late: .milliseconds(40), spread: .zero, date: "2026")
        expect(Calibration(json: kept.json), equals: kept)
        expect(kept.lateness(output: "hdmi", input: "b"), equals: -.milliseconds(2))
        expect(kept.lateness(output: "b", input: "hdmi"), equals: nil)
        expect(kept.lateness(output: nil, input: "b"), equals: nil)
        for other in ["", "[]", "{", "7"] { expect(Calibration(json: Array(other.utf8)), equals: nil, "\(other)") }
        for other in ["{}", #"{"takes":[]}"#, #"{"takes":{"a":{"b":{"late":"x"}}},"screen":7}"#] {
            expect(Calibration(json: Array(other.utf8)), equals: Calibration(), "\(other)")
        }
    }
}
