import Expectations
import Testing

@testable import Speaker

/// Corrections that keep a playback stream's buffer at its level, with measurements 50 ms apart.
@Suite struct PlaybackPaceTests {
    /// Corrections after `count` measurements of `held` milliseconds, where 10 are enough.
    private func steps(_ pace: inout PlaybackPace, _ count: Int, held: (Int) -> Double) -> [PlaybackPace.Step] {
        var steps: [PlaybackPace.Step] = []
        for index in 0..<count {
            if let step = pace.step(held: held(index) / 1000, enough: 0.01) { steps.append(step) }
        }
        return steps
    }

    @Test func whatHoldsIsLeftAlone() {
        var pace = PlaybackPace()
        expect(steps(&pace, 1000) { $0 % 2 == 0 ? 9 : 13 }.isEmpty)
    }

    @Test func whatRunsDryIsPlayedSlowerAndWhatFillsFaster() {
        var pace = PlaybackPace()
        expect(steps(&pace, 20) { _ in 10 }.isEmpty)
        // Two milliseconds in ten seconds.
        expect(steps(&pace, 20) { _ in 8 }, equals: [.play(rate: 47_990)])
        expect(steps(&pace, 20) { _ in 8 }.isEmpty)
        expect(steps(&pace, 20) { _ in 12 }, equals: [.play(rate: 48_010)])
        expect(steps(&pace, 20) { _ in 10 }, equals: [.play(rate: 48_000)])
    }

    @Test func noCorrectionIsHeard() {
        var pace = PlaybackPace()
        _ = steps(&pace, 20) { _ in 100 / 7 }
        expect(steps(&pace, 20) { _ in -10_000 }, equals: [.play(rate: 47_904)])
    }

    @Test func whatComesInOneGoIsLeftOut() {
        var pace = PlaybackPace()
        expect(steps(&pace, 20) { _ in 10 }.isEmpty)
        expect(steps(&pace, 4) { _ in 110 }, equals: [.drop(4800)])
        // From here on, the new level is kept.
        expect(steps(&pace, 40) { _ in 12 }.isEmpty)
    }

    @Test func aBlockOfTheInputIsNoSurplus() {
        var pace = PlaybackPace()
        expect(steps(&pace, 400) { Double($0 % 4) * 20 }.isEmpty)
    }
}
