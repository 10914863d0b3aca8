import Expectations
import TestKit
import Testing

@Suite struct StallsTests {
    typealias Stall = Stalls.Stall

    static let cases: [([Stall], Stalls.Lateness, Bool)] = [
        ([], .seconds(0.001), false),
        // A delay of less than 10 ms is no stall.
        ([Stall(began: 1, seconds: 0.009)], .seconds(0.001), false),
        // A thread that is late misses the next refresh, too.
        ([Stall(began: 1, seconds: 0.02)], .seconds(0.036), true),
        ([Stall(began: 1, seconds: 0.02)], .seconds(0.037), false),
        // Several stalls add up only for what may have had several causes.
        ([Stall(began: 1, seconds: 0.02), Stall(began: 2, seconds: 0.03)], .seconds(0.05), false),
        ([Stall(began: 1, seconds: 0.02), Stall(began: 2, seconds: 0.03)], .secondsInAll(0.083), true),
        ([Stall(began: 1, seconds: 0.02), Stall(began: 2, seconds: 0.03)], .secondsInAll(0.084), false),
        // A frame of 33 ms stands for two refreshes.
        ([Stall(began: 1, seconds: 0.016)], .frames(1, lasting: 1.0 / 30), false),
        ([Stall(began: 1, seconds: 0.017)], .frames(1, lasting: 1.0 / 30), true),
        ([Stall(began: 1, seconds: 0.017)], .frames(2, lasting: 1.0 / 30), false),
        ([Stall(began: 1, seconds: 0.017), Stall(began: 2, seconds: 0.09)], .frames(4, lasting: 1.0 / 30), true),
        ([Stall(began: 1, seconds: 0.017), Stall(began: 2, seconds: 0.09)], .frames(5, lasting: 1.0 / 30), false),
        // Delays of several threads at one time are one stall.
        ([Stall(began: 1, seconds: 0.02), Stall(began: 1.01, seconds: 0.02)], .seconds(0.046), true),
        ([Stall(began: 1, seconds: 0.02), Stall(began: 1.01, seconds: 0.02)], .secondsInAll(0.047), false),
    ]

    @Test(arguments: cases) func aStallExplainsNoMoreThanItsLength(
        delays: [Stall], lateness: Stalls.Lateness, isExplained: Bool
    ) {
        expect(Stalls(delays).explain(lateness), equals: isExplained)
    }
}
