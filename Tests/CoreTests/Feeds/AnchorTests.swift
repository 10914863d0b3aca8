import Expectations
import Testing

@testable import Base
@testable import Feeds
@testable import Layout
@testable import Player
@testable import SimulatedWall

private func ms(_ count: Int64) -> Time { .milliseconds(count) }

@Suite struct AnchorTests {
    /// Iterations of 7 s, on a clock that jumps back and forth.
    @Test(arguments: [0, 1500, -2500] as [Int64]) func anAnchorStandsAtTheIterationThatPlays(aheadBy offset: Int64)
        throws
    {
        var (anchor, random) = (Anchor(offset: ms(offset)), Seeded(state: 1))
        for _ in 0..<2000 {
            let now = ms(Int64.random(in: -5000..<200_000, using: &random))
            anchor.move(to: now, of: ms(7000), .forever)
            try #require(anchor.origin == ms(7000) * Int64(anchor.iteration) - ms(offset))
            try #require(
                now < anchor.origin + ms(7000) && (now >= anchor.origin || anchor.iteration == 0), "\(now.seconds)")
        }
    }

    /// Each case: `now` of successive moves and the expected iteration. An iteration lasts a second.
    @Test func anAnchorMovesOverAsManyIterationsAsThereAre() {
        let cases: [(Loop, [(now: Int64, iteration: Int)])] = [
            (
                .forever,
                [(0, 0), (999, 0), (1000, 1), (999, 0), (5500, 5), (5000, 5), (4999, 4), (-3000, 0), (2000, 2)]
            ),
            (.iterations(3), [(2999, 2), (3000, 3), (90_000, 3), (2999, 2), (0, 0), (90_000, 3), (90_000, 3)]),
            (.iterations(1), [(0, 0), (1000, 1), (999, 0)]),
        ]
        for (loop, moves) in cases {
            var anchor = Anchor(offset: .zero)
            for (now, iteration) in moves {
                anchor.move(to: ms(now), of: ms(1000), loop)
                expect(anchor.iteration == iteration && anchor.origin == ms(1000) * Int64(iteration), "\(loop) \(now)")
            }
        }
    }

    /// Fades shorten all iterations but the last. After it, the origin is its end, however often the anchor moves.
    @Test func theLastIterationMayBeLonger() {
        var anchor = Anchor(offset: .zero)
        var timeline = Timeline(items: [Item(source: "a")], loop: .iterations(3), transition: .fade(ms(200)))
        timeline.learn(ms(1000), of: RunID(iteration: 0))
        let moves: [(now: Int64, iteration: Int, origin: Int64)] = [
            (2599, 2, 1600), (2600, 3, 2600), (90_000, 3, 2600), (90_000, 3, 2600), (2599, 2, 1600), (90_000, 3, 2600),
            (1599, 1, 800), (0, 0, 0), (2600, 3, 2600), (-100, 0, 0),
        ]
        for (now, iteration, origin) in moves {
            anchor.move(to: ms(now), in: timeline, of: ms(800))
            expect(anchor.iteration == iteration && anchor.origin == ms(origin), "\(now): \(anchor)")
        }
    }

    @Test func billionsOfIterationsAreOneMove() {
        var anchor = Anchor(offset: .zero)
        anchor.move(to: .seconds(100_000_000), of: ms(4), .forever)
        expect(anchor.iteration == 25_000_000_000 && anchor.origin == .seconds(100_000_000))
        anchor.move(to: ms(11), of: ms(4), .forever)
        expect(anchor.iteration == 2 && anchor.origin == ms(8))
    }

    @Test func anIterationThatBeganElsewhereGoesOnFromThere() {
        var anchor = Anchor(offset: .zero)
        anchor.set(5, at: ms(60_300))
        anchor.move(to: ms(63_000), of: ms(1000), .forever)
        expect(anchor.iteration == 7 && anchor.origin == ms(62_300))
        anchor.shift(by: ms(-400))
        anchor.move(to: ms(58_000), of: ms(1000), .forever)
        expect(anchor.iteration == 3 && anchor.origin == ms(57_900))
        // No iteration precedes the first.
        anchor.move(to: ms(1000), of: ms(1000), .forever)
        expect(anchor.iteration == 0 && anchor.origin == ms(54_900))
    }

    @Test func aNudgeAnswersTheDifferenceAndLastsOverReset() {
        var anchor = Anchor(offset: ms(1000))
        expect(anchor.nudge(to: ms(1500)) == ms(500) && anchor.nudge(to: ms(-500)) == ms(-2000))
        anchor.set(4, at: ms(9000))
        anchor.awaitFirstFrame(at: ms(9500))
        expect(anchor.origin == ms(9500) && anchor.awaitsFirstFrame)
        anchor.reset()
        expect(
            anchor.iteration == 0 && anchor.origin == ms(500) && anchor.offset == ms(-500) && !anchor.awaitsFirstFrame)
    }

    @Test func anAnchorFollowsTheIterationOfItsGroup() {
        var iterations = Iterations(.together, .longest)
        iterations.turn(3, of: ms(10_000))
        var anchor = Anchor(offset: ms(2000))
        anchor.follow(iterations)
        expect(anchor.iteration == 3 && anchor.origin == ms(28_000))
    }
}
