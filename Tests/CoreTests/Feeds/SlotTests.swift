import Expectations
import Testing

@testable import Base
@testable import Feeds
@testable import Layout
@testable import Opened
@testable import Player
@testable import SimulatedWall

private func ms(_ count: Int64) -> Time { .milliseconds(count) }

@Suite struct SlotTests {
    private static let timeline: Timeline = {
        var timeline = Timeline(items: [Item(source: "a")], loop: .forever)
        timeline.learn(ms(400), of: RunID(iteration: 0))
        return timeline
    }()

    /// Returns a frame of 40 ms.
    private func frame(_ number: Int) -> Slot.TimedFrame {
        Slot.TimedFrame(
            offset: ms(40) * Int64(number), pts: ms(40) * Int64(number), serial: number,
            frame: FakeFrame(clip: "a", number: number).frame)
    }

    /// Returns a slot from second 10 on, with these frames.
    private func slot(_ frames: Range<Int>, isWhole: Bool = false) -> Slot {
        let slot = Slot(id: 1, RunID(iteration: 0), of: Self.timeline, start: .seconds(10))
        for number in frames {
            let isFirst = slot.append(frame(number), to: ms(40) * Int64(number + 1), at: .seconds(9))
            expect(isFirst, equals: (number == frames.lowerBound))
        }
        if isWhole { slot.end(ms(400)) }
        return slot
    }

    private func numbers(_ slot: Slot?) -> [Int] { slot?.frames.map(\.frame.fake.number) ?? [] }

    @Test func itWalksToTheFrameThatIsDueBothWays() {
        let slot = slot(0..<10)
        // Each case: the time, the due frame, and the frames dropped since.
        for (now, due, dropped) in [(9000, 0, 0), (10_039, 0, 0), (10_040, 1, 0), (10_200, 5, 3), (10_090, 2, 0)]
            as [(Int64, Int, Int)]
        {
            slot.decoded.notePresented(slot.dueIndex)
            expect(slot.advance(to: ms(now), keeping: .max).all, equals: dropped, "\(now)")
            expect(slot.dueIndex == due && slot.framesLeft == 10 - due)
        }
        expect(slot.advance(to: ms(99_000), keeping: .max).all == 6 && slot.dueIndex == 9)
    }

    @Test func onlySoManyFramesStayBehind() {
        let slot = slot(0..<10)
        _ = slot.advance(to: ms(10_200), keeping: 2)
        expect(numbers(slot) == Array(3..<10) && slot.dueIndex == 2)
        _ = slot.advance(to: ms(10_000), keeping: 2)
        expect(numbers(slot) == Array(3..<10) && slot.dueIndex == 0)
        _ = slot.advance(to: ms(10_320), keeping: 0)
        expect(numbers(slot) == [8, 9] && slot.ahead(of: ms(10_320)) == ms(80))
    }

    @Test func replayedItIsNewAndHasItsFrames() {
        let played = slot(0..<10, isWhole: true)
        played.timing.cutTime = ms(10_300)
        played.decoded.notePresented(0)
        _ = played.advance(to: ms(10_200), keeping: .max)
        let again = played.replayed(as: RunID(iteration: 1), id: 2)
        expect(again.id == 2 && again.run.iteration == 1 && again.seamManner == .replayed && again.arrival == .follows)
        expect(
            again.start == nil && again.takesOverFrom == nil && again.end == nil && again.isWhole && again.dueIndex == 0
        )
        again.timing.start = ms(10_400)
        expect(again.end == ms(10_800) && numbers(again) == Array(0..<10))
        // A frame that was shown in the iteration before counts as dropped if it is not shown in this one.
        expect(again.advance(to: ms(10_480), keeping: .max).all, equals: 2)
    }

    /// A break comes during a refill and leaves nothing of the frames behind it.
    @Test func whatIsShortenedWhileItIsRefilledHoldsWhatIsBeforeItsEnd() {
        for (end, left, due) in [(160, [2, 3], 1), (240, [2, 3, 4, 5], 3), (100, [2], 0)] as [(Int64, [Int], Int)] {
            let slot = slot(5..<10)
            slot.beginRefill(id: 2, from: ms(80), to: ms(200))
            slot.shorten(to: ms(end))
            for number in 2..<5 { slot.decoded.appendRefill(frame(number), to: ms(40) * Int64(number + 1), keeping: 9) }
            slot.endRefill()
            expect(numbers(slot) == left && slot.dueIndex == due, "\(end)")
            _ = slot.advance(to: ms(10_090), keeping: .max)
            expect(slot.dueIndex, equals: 0)
        }
    }

    /// A break comes when all frames before it are decoded, and is then cancelled.
    @Test func whatIsShortenedWhileItIsRefilledIsWholeUntilItIsLengthened() {
        for isLengthened in [false, true] {
            let slot = slot(5..<8)
            slot.beginRefill(id: 2, from: ms(160), to: ms(200))
            slot.shorten(to: ms(280))
            if isLengthened { slot.lengthen(to: ms(400), id: 3) }
            slot.decoded.appendRefill(frame(4), to: ms(200), keeping: 9)
            slot.endRefill()
            expect(numbers(slot) == [4, 5, 6] && slot.isWhole == !isLengthened)
        }
    }

    @Test func aWholeRunThatIsLengthenedWhileItIsRefilledGoesOn() {
        let slot = slot(5..<8, isWhole: true)
        slot.shorten(to: ms(320))
        slot.beginRefill(id: 2, from: ms(160), to: ms(200))
        slot.lengthen(to: ms(800), id: 3)
        slot.endRefill()
        expect(!slot.isWhole && slot.length == ms(800))
    }

    /// A camera that lost its connection comes back as an image.
    @Test func anImageTakesThePlaceOfAllFrames() {
        let slot = slot(0..<10)
        _ = slot.advance(to: ms(10_200), keeping: .max)
        slot.reconnect(at: ms(11_000))
        slot.fill(with: frame(0), nil, at: ms(11_000))
        expect(numbers(slot) == [0] && slot.dueIndex == 0 && slot.reconnectsAt == nil && slot.framesLeft == 1)
        expect(slot.advance(to: ms(12_000), keeping: .max).all, equals: 0)
    }

    @Test func itsContentIsKnownOnceItsSourceIs() {
        let film = slot(0..<3), still = slot(0..<0), sound = slot(0..<0)
        still.fill(with: frame(0), nil, at: ms(11_000))
        sound.fill(with: nil, ms(400), at: ms(11_000))
        expect([film, still, sound].map(\.content), equals: [.frames, .still(asked: nil), .sound])
        expect([film, still, sound].map(\.isStill), equals: [false, true, true])
        expect([film, still, sound].map(\.isSound), equals: [false, false, true])
        // A stream that comes back as a sound shows the frames that are decoded.
        film.fill(with: nil, nil, at: ms(11_000))
        expect(film.content == .sound && !film.isSound && film.frames.count == 3)
    }

    @Test func anImageIsRequestedAgainOnceForEachPlan() {
        let plan = StillPlan(size: Size(640, 360), keeping: .none)
        let still = slot(0..<0), film = slot(0..<3)
        still.fill(with: frame(0), nil, at: ms(11_000))
        still.noteAsked(plan)
        film.noteAsked(plan)
        expect(still.askedStill == plan && film.askedStill == nil && film.content == .frames)
        still.fill(with: frame(1), nil, at: ms(12_000))
        expect(still.askedStill, equals: plan)
    }

    @Test func itsTailIsEnteredFromBehind() {
        let whole = slot(0..<10, isWhole: true)
        _ = whole.advance(to: ms(10_360), keeping: 5)
        let tail = whole.tail(of: 3)
        expect(numbers(tail) == [7, 8, 9] && tail?.dueIndex == 0 && tail?.takesOverFrom == ms(10_280))
        expect(tail?.end == ms(10_400) && tail?.isWhole == true && tail?.arrival == .entered)
        expect(whole.tail(of: 0) == nil && slot(0..<0, isWhole: true).tail(of: 3) == nil)
        expect(slot(0..<10).tail(of: 3) == nil, "more may come")
    }

    /// Frames 5 to 7 are decoded. Frames from 2 on are to be put before them.
    @Test(arguments: [true, false]) func aRefillStandsBeforeItsFramesWhenAllOfItIsThere(isAll: Bool) {
        let slot = slot(5..<8)
        slot.beginRefill(id: 2, from: ms(80), to: ms(200))
        expect(slot.id == 2 && !slot.isWhole && numbers(slot) == [5, 6, 7])
        expect(
            [10_079, 10_080, 10_199, 10_200].map { slot.isRefilled(at: ms($0)) }, equals: [false, true, true, false])
        // A refill that restarts begins with its first frame.
        slot.decoded.appendRefill(frame(2), to: ms(120), keeping: 9)
        slot.decoded.restartRefill()
        for number in 2..<(isAll ? 5 : 4) {
            slot.decoded.appendRefill(frame(number), to: ms(40) * Int64(number + 1), keeping: 2)
        }
        expect(numbers(slot), equals: [5, 6, 7])
        slot.endRefill()
        expect(slot.refill == nil && !slot.isWhole && slot.decodedTo == ms(320))
        expect(numbers(slot), equals: (isAll ? [3, 4, 5, 6, 7] : [5, 6, 7]))
        // The same frame is due, and the frames put before it do not count as dropped.
        expect(slot.frames[slot.dueIndex].frame.fake.number, equals: 5)
        expect(slot.advance(to: ms(10_120), keeping: .max).all, equals: 0)
        expect(slot.advance(to: ms(10_200), keeping: .max).all, equals: 0)
    }

    @Test func aWholeRunIsWholeAfterItsRefill() {
        let slot = slot(5..<10, isWhole: true)
        slot.beginRefill(id: 2, from: ms(160), to: ms(200))
        slot.decoded.appendRefill(frame(4), to: ms(200), keeping: 9)
        slot.endRefill()
        expect(slot.isWhole && numbers(slot) == Array(4..<10) && slot.end == ms(10_400))
    }

    @Test func dividedItHoldsTheSameAndOpensTheRestOnceMore() {
        let leased = slot(0..<3)
        leased.take(OpenSourceID(number: 0), at: .zero)
        leased.lease(to: 4, at: .zero, isAnother: false)
        let own = leased.divided(id: 9)
        expect(own.id == 9 && numbers(own) == [0, 1, 2] && own.decodedTo == ms(120))
        expect(own.pipeline == nil && !own.wasOpened && leased.pipeline == 4)
        expect(slot(0..<10, isWhole: true).divided(id: 9).isWhole)
    }
}
