import Expectations
import Testing

@testable import Base
@testable import Feeds
@testable import Layout
@testable import Opened
@testable import Player
@testable import SimulatedWall

@Suite struct PoolTests {
    private func lease(_ pipeline: Int, to feed: FeedID) -> Lease {
        Lease(pipeline: pipeline, feed: feed, slot: 1, run: RunID(iteration: 0), location: "a", purpose: .play)
    }

    /// Lends an idle pipeline to a feed, as the wall does. Returns nil if no pipeline is idle.
    @discardableResult
    private func lend(_ feed: FeedID, _ pool: inout Pool) -> Int? {
        guard pool.hasIdle, let pipeline = pool.idle(for: feed) else { return nil }
        pool.give(lease(pipeline, to: feed), OpenSourceID(number: 0))
        pool.note(pipeline, hasDecoder: true)
        return pipeline
    }

    @Test func neverMoreAreLentThanTheLimitWhateverHappens() throws {
        var (random, pool, lent) = (Seeded(state: 1), Pool(count: 4, cores: nil), 0)
        for round in 0..<3000 {
            switch Int.random(in: 0..<8, using: &random) {
            case 0: pool.setLimit(Int.random(in: 1...6, using: &random))
            case 1...4:
                let feed = FeedID(number: Int.random(in: 0..<9, using: &random))
                if let pipeline = lend(feed, &pool) {
                    try #require(pool.leased <= pool.limit && pipeline < pool.limit, "round \(round)")
                    lent += 1
                } else {
                    try #require(pool.leased >= pool.limit && pool.idleCount == 0)
                }
            default: if let one = pool.pipelines.indices.randomElement(using: &random) { pool.takeBack(one) }
            }
            try #require(pool.hasIdle == (pool.idleCount > 0) && pool.idleCount >= 0)
        }
        expect(lent, above: 300)
    }

    @Test func aLimitThatShrinksMakesPipelinesYieldAndThenCloseTheirDecoders() {
        var pool = Pool(count: 4, cores: nil)
        for feed in 0..<4 { lend(FeedID(number: feed), &pool) }
        expect(!pool.isYielding && pool.seats == 4)
        pool.setLimit(2)
        expect(pool.pipelines.map(\.mustYield) == [false, false, true, true] && pool.isYielding && pool.seats == 2)
        // A pipeline in use is not closed.
        expect(!pool.mustClose(3))
        pool.takeBack(3)
        expect((0..<4).map(pool.mustClose), equals: [false, false, false, true])
        pool.note(3, hasDecoder: false)
        expect(!pool.mustClose(3))
        // A limit that grows again in time loses no pipeline.
        pool.setLimit(4)
        expect(!pool.isYielding && (0..<4).allSatisfy { !pool.mustClose($0) } && pool.hasIdle)
        expect(pool.mostOpen, equals: 4)
    }

    @Test func aFeedComesBackToItsDecoderElseToNone() {
        var pool = Pool(count: 3, cores: nil)
        for feed in [7, 8] as [FeedID] { lend(feed, &pool) }
        for pipeline in [0, 1] { pool.takeBack(pipeline) }
        for (feed, pipeline) in [(7, 0), (8, 1), (9, 2)] as [(FeedID, Int)] {
            expect(pool.idle(for: feed), equals: pipeline)
        }
        lend(9, &pool)
        expect(pool.idle(for: 9) == 0 && pool.works(for: 9) && !pool.works(for: 7))
    }

    @Test func aLeaseIsBegunOnceAndAskedBackUntilItEnds() {
        var pool = Pool(count: 1, cores: nil)
        expect(pool.takeLease(0) == nil)
        lend(7, &pool)
        expect(pool.takeLease(0)?.0 == lease(0, to: 7) && pool.takeLease(0) == nil && pool.lease(of: 0) != nil)
        pool.askBack(0)
        expect(pool.isYielding && pool.pipelines[0].mustYield)
        expect(pool.noteAbandoned(0, at: .seconds(5)), equals: .seconds(5))
        expect(pool.noteAbandoned(0, at: .seconds(6)), equals: .seconds(5))
        pool.takeBack(0)
        lend(8, &pool)
        expect(!pool.isYielding && !pool.pipelines[0].mustYield)
        expect(pool.noteAbandoned(0, at: .seconds(9)), equals: .seconds(9))
    }

    /// The pipeline's thread runs already.
    @Test func aPipelineThatThePoolDoesNotKnowYetHasNothingToDo() {
        var pool = Pool(count: 2, cores: nil)
        let task = pool.takeLease(9)
        expect(task == nil && !pool.mustClose(9))
    }

    /// No pipeline's thread could be started.
    @Test func withoutPipelinesNobodyHasASeatOrATurn() {
        for focus in [nil, 1] as [Int?] {
            let areas = [10, 20, 30]
            expect(
                Seats.holders(
                    sizes: [1, 1, 1], seats: 0, overflow: .rotate(every: .seconds(10)), focus: focus, areas: areas,
                    at: .zero
                )
                .isEmpty)
        }
        expect(Seats.nextTurn(after: .zero, overflow: .rotate(every: .seconds(10)), seats: 0), equals: nil)
    }

    @Test func aClosedPoolStaysClosed() {
        var pool = Pool(count: 2, cores: nil)
        lend(7, &pool)
        expect(!pool.isClosed)
        pool.close()
        // The leased pipeline comes back, and a larger limit opens none.
        pool.takeBack(0)
        pool.setLimit(3)
        expect(pool.isClosed && pool.leased == 0)
    }

    @Test func onePosterComesFirst() {
        var pool = Pool(count: 1, cores: nil)
        for _ in 0..<3 { pool.putPreviewFirst() }
        expect([pool.spendPreviewCredit(), pool.spendPreviewCredit()], equals: [true, false])
    }

    /// Seats decrease at once, and increase only if clearly more are possible.
    @Test func seatsFollowFromTheCoresAndWhatDecodingCosts() {
        let cases: [(cores: Double?, pipelines: Int, costs: [[Double]], seats: [Int])] = [
            (nil, 8, [[4], []], [8, 8]), (4, 8, [[]], [8]), (4, 8, [[1], [2], [1.9], [1]], [4, 2, 2, 4]),
            (4, 8, [[0.5], [0.45]], [8, 8]), (40, 99, [[5], [4], [3]], [8, 8, 13]),
            (2, 8, [[0.5, 1.5]], [2]), (1, 8, [[30]], [1]), (4, 8, [[0]], [8]), (4, 2, [[1]], [2]),
        ]
        for (cores, pipelines, costs, seats) in cases {
            var pool = Pool(count: pipelines, cores: cores)
            let learned = costs.map {
                pool.learn(costs: $0)
                return pool.seats
            }
            expect(learned, equals: seats, "\(costs)")
        }
    }

    @Test func whatNobodyWaitsForIsInterruptedAgainAndAgain() {
        var pool = Pool(count: 1, cores: nil)
        lend(7, &pool)
        var interrupted: [Int] = []
        for tick in 0..<30 {
            let (isDue, next) = pool.scheduleInterrupt(
                of: 0, at: .milliseconds(Int64(tick * 100)), patience: .milliseconds(250))
            expect(next, above: .milliseconds(Int64(tick * 100)))
            if isDue { interrupted.append(tick) }
        }
        expect(interrupted, equals: [3, 6, 9, 12, 15, 18, 21, 24, 27])
        // The next lease starts a new wait.
        pool.takeBack(0)
        lend(7, &pool)
        expect(!pool.scheduleInterrupt(of: 0, at: .seconds(9), patience: .milliseconds(250)).0)
    }
}
