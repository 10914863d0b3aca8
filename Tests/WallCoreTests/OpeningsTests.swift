import Testing

@testable import WallCore

private func ms(_ count: Int64) -> Time { .milliseconds(count) }

@Suite struct OpeningsTests {
    private func opening(
        _ location: String, for feed: FeedID = 0, _ purpose: Opening.Purpose = .slot(1), turn: Turn = .none,
        since: Time = .zero
    ) -> Opening {
        var item = Item(segments: [Item.Segment(source: location)])
        item.turn = turn
        let timeline = Timeline(items: [item], loop: .forever)
        return Opening(of: RunID(iteration: 0), in: timeline, for: feed, purpose, since: since)
    }

    /// Its ticket; nil: too many are under way.
    private func start(_ opening: Opening, _ openings: inout Openings) -> Int? {
        switch openings.start(opening, limit: .usual, room: Size(640, 360), at: opening.since) {
        case .ordered(let order):
            #expect(order.location == opening.location && order.turn == opening.turn && order.limit == .usual)
            return order.ticket
        case .busy(let until):
            #expect(until > opening.since && until <= opening.since + ms(100))
            return nil
        }
    }

    @Test func atMostEightBeginInASecond() {
        var openings = Openings()
        let tickets = (0..<8).compactMap { start(opening("\($0)", since: ms(Int64($0))), &openings) }
        #expect(Set(tickets).count == 8)
        #expect(start(opening("x", since: ms(999)), &openings) == nil)
        #expect(start(opening("x", since: ms(1000)), &openings) != nil)
        #expect(start(opening("y", since: ms(1000)), &openings) == nil)
        // One that is back leaves its place to another.
        #expect(openings.end(tickets[7])?.location == "7" && openings.end(tickets[7]) == nil)
        #expect(start(opening("y", since: ms(1000)), &openings) != nil)
    }

    @Test func oneThatHangsHasFailedAndIsNotTriedUntilItIsBack() {
        var openings = Openings()
        let ticket = start(opening("film", .probe), &openings)!
        _ = start(opening("later", for: 1, since: ms(4000)), &openings)
        #expect(openings.giveUp(at: ms(9999)).late.isEmpty && openings.giveUp(at: ms(9999)).next == ms(10_000))
        #expect(openings.isAwaited(by: 0) && openings.isProbing(0) && openings.refusal(of: "film") == nil)
        let (late, next) = openings.giveUp(at: ms(10_000))
        #expect(late.map(\.location) == ["film"] && next == ms(14_000))
        // Nobody waits for it, though a thread does; it fails once.
        #expect(openings.giveUp(at: ms(11_000)).late.isEmpty)
        #expect(
            !openings.isAwaited(by: 0) && !openings.isProbing(0) && openings.concern(0) && openings.isAwaited(by: 1))
        #expect(openings.refusal(of: "film") == Openings.noAnswer && openings.refusal(of: "later") == nil)
        #expect(openings.end(ticket)?.hangs == true)
        #expect(openings.refusal(of: "film") == nil && !openings.concern(0))
    }

    @Test func whereTwentyFourHangNothingIsOpened() {
        var openings = Openings()
        let tickets = (0..<24).compactMap { start(opening("\($0)", since: ms(Int64($0) / 8 * 1000)), &openings) }
        #expect(tickets.count == 24)
        #expect(openings.giveUp(at: ms(11_999)).late.count == 16 && openings.refusal(of: "x") == nil)
        #expect(openings.giveUp(at: ms(12_000)).late.count == 8)
        #expect(openings.refusal(of: "x")?.kind == .timeout)
        _ = openings.end(tickets[0])
        #expect(openings.refusal(of: "x") == nil)
    }

    @Test func thereAreNeverMoreThanThirtyTwoThreads() {
        var openings = Openings()
        let tickets = (0..<40).compactMap { start(opening("\($0)", since: ms(Int64($0) / 8 * 1000)), &openings) }
        #expect(tickets.count == 32)
        #expect(start(opening("x", since: ms(60_000)), &openings) == nil)
        _ = openings.end(tickets[3])
        #expect(start(opening("x", since: ms(60_000)), &openings) != nil)
    }

    @Test func oneThatNobodyWaitsForIsTakenOver() {
        let cases: [(what: String, wanted: Opening, isAwaited: Bool, at: Int64, isTaken: Bool)] = [
            ("the same", opening("film", .slot(2)), false, 100, true),
            ("for a preview", opening("film", .preview(2)), false, 100, true),
            ("another feed's", opening("film", for: 1, .slot(2)), false, 100, false),
            ("another source", opening("other", .slot(2)), false, 100, false),
            ("turned", opening("film", .slot(2), turn: .quarter), false, 100, false),
            ("awaited", opening("film", .slot(2)), true, 100, false),
            ("hanging", opening("film", .slot(2)), false, 10_000, false),
        ]
        for (what, wanted, isAwaited, at, isTaken) in cases {
            var openings = Openings()
            let ticket = start(opening("film", .slot(1)), &openings)!
            _ = openings.giveUp(at: ms(at))
            let answer = openings.takeOver(wanted) { purpose in
                #expect(purpose == .slot(1))
                return isAwaited
            }
            #expect((answer != nil) == isTaken, "\(what)")
            #expect(openings.end(ticket)?.purpose == (isTaken ? wanted.purpose : .slot(1)), "\(what)")
        }
    }

    @Test func itIsKnownSinceWhenAFeedWaits() {
        var openings = Openings()
        _ = start(opening("film", since: ms(500)), &openings)
        #expect(openings.began(for: 0, after: ms(499)) && !openings.began(for: 0, after: ms(500)))
        #expect(!openings.began(for: 1, after: .zero) && !openings.isProbing(0))
    }
}
