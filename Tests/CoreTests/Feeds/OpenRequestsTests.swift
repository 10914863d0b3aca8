import Expectations
import Testing

@testable import Base
@testable import Feeds
@testable import Layout
@testable import Player

private func ms(_ count: Int64) -> Time { .milliseconds(count) }

@Suite struct OpenRequestsTests {
    private func opening(
        _ location: String, for feed: FeedID = 0, _ purpose: OpenRequest.Purpose = .slot(1), turn: Turn = .none,
        since: Time = .zero
    ) -> OpenRequest {
        var item = Item(source: location)
        item.decoding.turn = turn
        let timeline = Timeline(items: [item], loop: .forever)
        return OpenRequest(of: RunID(iteration: 0), in: timeline, for: feed, purpose, since: since)
    }

    /// Starts a request and returns its ticket; nil if too many are under way.
    private func start(_ opening: OpenRequest, _ openRequests: inout OpenRequests) -> Int? {
        let busyUntil = openRequests.busy(at: opening.since)
        guard let order = openRequests.start(opening, limit: .usual, tileSize: Size(640, 360), at: opening.since) else {
            expect(busyUntil.map { $0 > opening.since && $0 <= opening.since + ms(100) } ?? false)
            return nil
        }
        let terms = order.terms
        expect(terms.location == opening.location && terms.decoding == opening.decoding && terms.limit == .usual)
        expect(busyUntil, equals: nil)
        return order.ticket
    }

    @Test func atMostEightBeginInASecond() {
        var openRequests = OpenRequests()
        let tickets = (0..<8).compactMap { start(opening("\($0)", since: ms(Int64($0))), &openRequests) }
        expect(Set(tickets).count, equals: 8)
        expect(start(opening("x", since: ms(999)), &openRequests), equals: nil)
        expect(start(opening("x", since: ms(1000)), &openRequests) != nil)
        expect(start(opening("y", since: ms(1000)), &openRequests), equals: nil)
        // A request that returned frees its place for another.
        expect(openRequests.end(tickets[7])?.location == "7" && openRequests.end(tickets[7]) == nil)
        expect(start(opening("y", since: ms(1000)), &openRequests) != nil)
    }

    @Test func anOpeningThatHangsHasFailedAndIsNotRepeatedUntilItReturns() {
        var openRequests = OpenRequests()
        let ticket = start(opening("film", .probe), &openRequests)!
        _ = start(opening("later", for: 1, since: ms(4000)), &openRequests)
        expect(openRequests.giveUp(at: ms(9999)).late.isEmpty && openRequests.giveUp(at: ms(9999)).next == ms(10_000))
        expect(openRequests.isAwaited(by: 0) && openRequests.isProbing(0) && openRequests.refusal(of: "film") == nil)
        let (late, next) = openRequests.giveUp(at: ms(10_000))
        expect(late.map(\.location) == ["film"] && next == ms(14_000))
        // No feed waits for the request, though a thread does. The request fails once.
        expect(openRequests.giveUp(at: ms(11_000)).late.isEmpty)
        expect(
            !openRequests.isAwaited(by: 0) && !openRequests.isProbing(0) && openRequests.concern(0)
                && openRequests.isAwaited(by: 1))
        expect(openRequests.refusal(of: "film") == OpenRequests.noAnswer && openRequests.refusal(of: "later") == nil)
        expect(openRequests.end(ticket)?.hangs, equals: true)
        expect(openRequests.refusal(of: "film") == nil && !openRequests.concern(0))
    }

    @Test func whereTwentyFourHangNothingIsOpened() {
        var openRequests = OpenRequests()
        let tickets = (0..<24).compactMap { start(opening("\($0)", since: ms(Int64($0) / 8 * 1000)), &openRequests) }
        expect(tickets.count, equals: 24)
        expect(openRequests.giveUp(at: ms(11_999)).late.count == 16 && openRequests.refusal(of: "x") == nil)
        expect(openRequests.giveUp(at: ms(12_000)).late.count, equals: 8)
        expect(openRequests.refusal(of: "x")?.kind, equals: .timeout)
        _ = openRequests.end(tickets[0])
        expect(openRequests.refusal(of: "x"), equals: nil)
    }

    @Test func thereAreNeverMoreThanThirtyTwoThreads() {
        var openRequests = OpenRequests()
        let tickets = (0..<40).compactMap { start(opening("\($0)", since: ms(Int64($0) / 8 * 1000)), &openRequests) }
        expect(tickets.count, equals: 32)
        expect(start(opening("x", since: ms(60_000)), &openRequests), equals: nil)
        _ = openRequests.end(tickets[3])
        expect(start(opening("x", since: ms(60_000)), &openRequests) != nil)
    }

    @Test func anOpeningThatNoFeedAwaitsIsTakenOver() {
        let cases: [(what: String, wanted: OpenRequest, isAwaited: Bool, at: Int64, isTaken: Bool)] = [
            ("the same", opening("film", .slot(2)), false, 100, true),
            ("for a preview", opening("film", .preview(2)), false, 100, true),
            ("another feed's", opening("film", for: 1, .slot(2)), false, 100, false),
            ("another source", opening("other", .slot(2)), false, 100, false),
            ("turned", opening("film", .slot(2), turn: .quarter), false, 100, false),
            ("awaited", opening("film", .slot(2)), true, 100, false),
            ("hanging", opening("film", .slot(2)), false, 10_000, false),
        ]
        for (what, wanted, isAwaited, at, isTaken) in cases {
            var openRequests = OpenRequests()
            let ticket = start(opening("film", .slot(1)), &openRequests)!
            _ = openRequests.giveUp(at: ms(at))
            let answer = openRequests.takeOver(wanted) { purpose in
                expect(purpose, equals: .slot(1))
                return isAwaited
            }
            expect((answer != nil), equals: isTaken, "\(what)")
            expect(openRequests.end(ticket)?.purpose, equals: (isTaken ? wanted.purpose : .slot(1)), "\(what)")
        }
    }

    @Test func theTimeSinceWhichAFeedWaitsIsKnown() {
        var openRequests = OpenRequests()
        _ = start(opening("film", since: ms(500)), &openRequests)
        expect(openRequests.began(for: 0, after: ms(499)) && !openRequests.began(for: 0, after: ms(500)))
        expect(!openRequests.began(for: 1, after: .zero) && !openRequests.isProbing(0))
    }
}
