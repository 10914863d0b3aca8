import Expectations
import Testing

@testable import Base
@testable import Decoded
@testable import Feeds
@testable import Layout
@testable import Player

private func ms(_ count: Int64) -> Time { .milliseconds(count) }

@Suite struct DecodeRecordTests {
    @Test func aSlowWarmUpIsForgottenSlowly() {
        var record = DecodeRecord()
        for (measured, warmUp) in [(80, 80), (800, 800), (80, 700), (900, 900), (0, 787)] as [(Int64, Int64)] {
            record.learn(warmUp: ms(measured))
            expect(abs((record.warmUp - ms(warmUp)).ticks), below: ms(1).ticks, "\(measured)")
        }
        for _ in 0..<100 { record.learn(warmUp: ms(50)) }
        expect(record.warmUp, equals: ms(50))
    }

    /// The cost is a share of the media's playing time. The first measurement counts in full.
    @Test func theCostIsThatOfTheRateAndFollowsWhatIsMeasured() {
        let decodeCost = DecodeCost(media: ms(100), spent: ms(20), worked: ms(40))
        for (rate, cost) in [(Rate.one, 0.2), (Rate(2), 0.4), (Rate(0.5), 0.1)] {
            var record = DecodeRecord()
            expect(record.cost == nil && record.busyShare == nil)
            record.learn(decodeCost, at: rate)
            expect(abs(record.cost! - cost) < 1e-6 && abs(record.busyShare! - 2 * cost) < 1e-6)
            for _ in 0..<50 { record.learn(DecodeCost(media: ms(100), spent: ms(60), worked: ms(90)), at: .one) }
            expect(abs(record.cost! - 0.6) < 1e-3 && abs(record.busyShare! - 0.9) < 1e-3)
            // An outlier moves the cost by at most half of the difference.
            record.learn(DecodeCost(media: ms(100), spent: ms(260), worked: ms(290)), at: .one)
            expect(record.cost! < 1.6 + 1e-3 && record.busyShare! < 1.9 + 1e-3)
        }
    }

    @Test func whatTheDecoderLeavesOutFollowsFromStepAndSize() {
        let (large, half) = (Size(640, 360), Size(320, 180))
        let cases: [(DegradingStep, Size, DecodeSkips)] = [
            (.nothing, large, .none), (.nothing, Size(321, 180), .none),
            (.nothing, half, DecodeSkips(filter: .notBidirectional)),
            (.loopFilter, large, DecodeSkips(filter: .nowhere)), (.loopFilter, half, DecodeSkips(filter: .nowhere)),
            (.unreferencedFrames, large, DecodeSkips(filter: .nowhere, frames: .referenced)),
            (.everySecondFrame, half, DecodeSkips(filter: .nowhere, frames: .referenced)),
        ]
        for (step, size, skips) in cases {
            var record = DecodeRecord()
            let isAnother = record.degrade(to: step)
            expect(isAnother == (step != .nothing) && record.degrade(to: step) == false)
            expect(record.skips(of: large, to: size, .auto), equals: skips, "\(step) \(size)")
            expect(record.skips(of: large, to: size, .exact), equals: .none)
        }
    }

    @Test func onlyTheLastStepLeavesOutEverySecondFrame() {
        for step in DegradingStep.allCases {
            var record = DecodeRecord()
            _ = record.degrade(to: step)
            let left = (0..<100).map { _ in record.leaveOutNext() }
            expect(left.count { $0 }, equals: (step == .everySecondFrame ? 50 : 0))
            expect(!zip(left, left.dropFirst()).contains { $0 && $1 }, "one of two is shown")
        }
    }

    @Test func aLateFeedShowsAFrameNowAndThen() {
        var record = DecodeRecord()
        record.noteScaled(before: .none, at: .seconds(10))
        expect(record.maySkip(at: ms(10_249)) && !record.maySkip(at: ms(10_250)))
        record.noteSkip(at: ms(10_200))
        expect(!record.maySkip(at: ms(10_250)), "a skip is no frame")
        expect(record.hasSkipped(at: ms(11_199)) && !record.hasSkipped(at: ms(11_200)))
        // A new lease has skipped nothing.
        _ = record.begin(on: 0)
        expect(!record.hasSkipped(at: ms(11_100)))
    }

    @Test func anotherPipelineIsReportedFromTheSame() {
        var record = DecodeRecord()
        expect([3, 3, 4, 4, 3].map { record.begin(on: $0) }, equals: [false, false, true, false, true])
    }
}
