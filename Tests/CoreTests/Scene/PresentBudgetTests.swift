import Expectations
import Testing

@testable import Base
@testable import Scene

@Suite struct PresentBudgetTests {
    /// Returns the number of presents in a second. Each takes `length`, and starts as soon as it may and a frame is
    /// due.
    private func presents(of length: Time, every interval: Time) -> Int {
        var skips = PresentBudget()
        var now = Time.seconds(5), count = 0
        while now < .seconds(6) {
            let ended = now + length
            now = max(skips.rest(after: now, until: ended), ended, now + interval)
            count += 1
        }
        return count
    }

    @Test func aFewInARowAreFree() {
        var skips = PresentBudget()
        var now = Time.seconds(1)
        for _ in 0..<5 {
            let ended = now + .milliseconds(5)
            expect(skips.rest(after: now, until: ended), equals: ended)
            now = ended
        }
    }

    @Test func aWallThatKeepsUpIsNeverHeldUp() {
        expect(presents(of: .milliseconds(5), every: .milliseconds(16)), atLeast: 62)
    }

    @Test func whatIsAlwaysLateTakesAThirdOfTheTime() {
        let count = presents(of: .milliseconds(3), every: .zero)
        expect((100...130).contains(count), "\(count)")
    }
}
