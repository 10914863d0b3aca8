import Base
import Expectations
import Testing

@testable import Media

@Suite struct LimiterTests {
    @Test func aLimitedMixStaysBelowFullScaleAndComesBack() {
        let peaks: [Float] = [0.5, 0.9, 2, 4, 0.5, 1.2] + Array(repeating: 0.5, count: 2000)
        var limiter = Limiter()
        _ = limiter.gains(nextPeak: peaks[0])
        var last: Float = 1
        for index in 0..<peaks.count - 1 {
            let (first, end) = limiter.gains(nextPeak: peaks[index + 1])
            expect(first, equals: last)
            expect(max(first, end) * peaks[index], atMost: 0.9801)
            last = end
        }
        expect(last, above: 0.99)
    }
}

@Suite struct PaceTests {
    private func error(after seconds: Int, drift: Double, offset: Double) -> (
        last: Double, jumps: Int, steepest: Double
    ) {
        var pace = Pace()
        var (position, jumps, steepest) = (Time.zero, 0, 0.0)
        var noise: UInt32 = 1
        for step in 0..<seconds * 100 {
            noise = noise &* 1_664_525 &+ 1_013_904_223
            let shake = (Double(noise >> 8) / Double(1 << 24) - 0.5) * 0.003
            let late = step > 100 ? offset : 0
            let heard = Time(seconds: Double(step) / 100 * (1 + drift) + late + shake)
            if let jump = pace.measure(position: position, heard: heard) {
                position = jump
                jumps += 1
            }
            steepest = max(steepest, abs(pace.correction))
            position += Time(seconds: 0.01 * (1 + pace.correction))
        }
        return (Double(seconds) * (1 + drift) + offset - position.seconds, jumps, steepest)
    }

    @Test(
        arguments: [
            (0, 0, 1), (1e-4, 0, 1), (-3e-4, 0, 1), (0, 0.03, 1), (0, -0.03, 1), (0, 0.2, 2), (1e-3, 0.05, 1),
        ] as [(Double, Double, Int)])
    func theStreamIsHeldToTheClock(drift: Double, offset: Double, jumps: Int) {
        let (last, jumped, steepest) = error(after: 60, drift: drift, offset: offset)
        expect(abs(last), below: 0.006)
        // One jump for the first measurement, one more for the first median.
        expect(jumped - 1, equals: jumps)
        expect(steepest, below: 0.002)
    }

    @Test func withoutDriftNothingIsCorrected() {
        expect(error(after: 60, drift: 0, offset: 0).steepest, equals: 0)
    }

    /// Drift of the crystals of sound cards. A correction this small is inaudible.
    @Test(arguments: [(8e-5, 1.8e-4), (-8e-5, 1.8e-4), (1.5e-4, 6e-4)])
    func aClockThatRunsAwayIsFollowedSmoothly(drift: Double, most: Double) {
        let (last, jumped, steepest) = error(after: 1800, drift: drift, offset: 0)
        expect(abs(last) < 0.0005 && jumped == 2)
        expect(steepest, below: most)
    }

    /// A busy machine delays measurements for a while. Then the samples are unchanged again.
    @Test func whatPassesLeavesNothingBehind() {
        var pace = Pace(), position = Time.zero
        for step in 0..<120_000 {
            let late = (10_000..<16_000).contains(step) ? 0.0025 : 0
            let heard = Time(seconds: Double(step) / 100 + late)
            if let jump = pace.measure(position: position, heard: heard) { position = jump }
            expect(abs(pace.correction), below: 2e-4)
            position += Time(seconds: 0.01 * (1 + pace.correction))
        }
        expect(pace.correction == 0 && pace.error.magnitude < .milliseconds(1))
    }
}
