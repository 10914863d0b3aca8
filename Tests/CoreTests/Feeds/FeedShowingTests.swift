import Expectations
import Testing

@testable import Base
@testable import Feeds
@testable import Layout
@testable import Player
@testable import SimulatedWall

@Suite struct FeedShowingTests {
    private static let timeline = Timeline(
        items: ["a", "b", "c"].map { Item(source: $0) }, loop: .forever)

    private func slot(_ item: Int, iteration: Int = 0, isEntered: Bool = false) -> Slot {
        let slot = Slot(id: item, RunID(iteration: iteration, item: item), of: Self.timeline, start: .zero)
        if isEntered { slot.enter() }
        return slot
    }

    private func frame(_ serial: Int) -> Slot.TimedFrame {
        Slot.TimedFrame(offset: .zero, pts: .zero, serial: serial, frame: FakeFrame(clip: "a", number: serial).frame)
    }

    /// Writes changes as text: `+a` for an item that began, `-a 3/1 eof` for one that ended after 3 frames, 1 of them
    /// dropped.
    private func words(_ changes: [ShownItems.Change]) -> [String] {
        changes.map {
            switch $0 {
            case .began(_, let source): "+\(source)"
            case .ended(let item, let end): "-\(item.source) \(item.presented)/\(item.dropped) \(end)"
            case .left(let item): "/\(item.source)"
            case .stands(let item): "=\(item.source)"
            }
        }
    }

    /// Presents `count` frames of a slot.
    private func present(_ count: Int, of slot: Slot, on screen: inout FeedShowing) -> (words: [String], seams: Int) {
        var (changes, seams) = ([String](), 0)
        for _ in 0..<count {
            let serial = screen.health.presented + 1
            screen.show(frame(serial), of: slot.run)
            let presentation = screen.notePresented(frame(serial), of: slot, isLate: false, at: .zero)
            changes += words(presentation.changes)
            if presentation.isSeam { seams += 1 }
        }
        return (changes, seams)
    }

    @Test func itemsBeginAndEndWithWhatWasShownOfThem() {
        var screen = FeedShowing()
        expect(present(3, of: slot(0), on: &screen).words, equals: ["+a"])
        screen.drop(MissedFrames(Missed(decoded: 2), of: slot(0).run))
        expect(present(2, of: slot(1), on: &screen).words, equals: ["-a 3/2 eof", "+b"])
        expect(present(1, of: slot(2), on: &screen).words, equals: ["-b 2/0 eof", "+c"])
        expect(present(1, of: slot(2, iteration: 1), on: &screen).words, equals: ["-c 1/0 eof", "+c"])
        expect(
            present(4, of: slot(0, iteration: 9, isEntered: true), on: &screen).words, equals: ["-c 1/0 skipped", "+a"])
    }

    @Test(arguments: [Event.ItemEnd.eof, .error, .stop, .skipped])
    func theLastItemEndsWithAllOfItsFrames(_ end: Event.ItemEnd) {
        var screen = FeedShowing()
        _ = present(3, of: slot(0), on: &screen)
        expect(words(screen.items.end(end)), equals: ["-a 3/0 \(end)"])
        expect(screen.items.current == nil && screen.items.end(end).isEmpty)
    }

    @Test func aSoundAmongFramesHasNone() {
        var screen = FeedShowing()
        _ = present(3, of: slot(0), on: &screen)
        expect(
            words(screen.items.begin(slot(1), at: .zero)) == ["-a 3/0 eof", "+b"]
                && screen.items.begin(slot(1), at: .zero).isEmpty)
        expect(present(2, of: slot(2), on: &screen).words, equals: ["-b 0/0 eof", "+c"])
        expect(words(screen.items.end(.eof)), equals: ["-c 2/0 eof"])
    }

    @Test func aSeamIsWhereARunFollowsAnother() {
        var screen = FeedShowing()
        for (slot, seams) in [
            (slot(0), 0), (slot(1), 1), (slot(0, iteration: 1), 1), (slot(2, isEntered: true), 0),
            (slot(2, iteration: 1), 1),
        ] { expect(present(3, of: slot, on: &screen).seams, equals: seams, "\(slot.run)") }
        // Renumbering iterations is no seam.
        screen.becomeIteration(0)
        expect(present(1, of: slot(2), on: &screen).seams, equals: 0)
    }

    @Test func aFrameOfNoItemStays() {
        var screen = FeedShowing()
        _ = present(1, of: slot(1), on: &screen)
        expect(screen.last?.item, equals: ItemPlace(1))
        screen.leaveItem()
        expect(screen.last?.item == nil && screen.last?.serial == 1)
    }

    @Test func inAnotherSequenceTheItemStandsElsewhereOrNowhere() {
        for place in [2, nil] as [Int?] {
            var screen = FeedShowing()
            _ = present(1, of: slot(1), on: &screen)
            screen.resequence(showing: nil) { run in
                run.item == 1
                    ? place.map { RunID(iteration: run.iteration, item: $0, round: run.round, segment: run.segment) }
                    : nil
            }
            expect(
                screen.last?.serial == 1 && screen.last?.item == place.map { ItemPlace($0) } && screen.presented == nil)
        }
    }

    /// Each step: the time, whether the due frame is missing, whether the clock runs, and the stalls counted so far.
    @Test func aLackThatIsReportedIsOneStall() {
        let cases: [[(now: Int64, lacks: Bool, runs: Bool, stalls: Int)]] = [
            [(0, true, true, 0), (299, true, true, 0), (300, true, true, 1), (900, true, true, 1)],
            [(0, true, true, 0), (299, false, true, 0), (400, true, true, 0), (699, true, true, 0)],
            [
                (0, true, true, 0), (400, true, true, 1), (500, false, true, 1), (600, true, true, 1),
                (900, true, true, 2),
            ],
            [(0, true, false, 0), (900, true, false, 0), (950, true, true, 1)],
        ]
        for looks in cases {
            var screen = FeedShowing()
            screen.noteLack(true, isRunning: true, at: .zero - .seconds(9))
            expect(screen.lack == nil, "before its first frame")
            screen.show(frame(1), of: RunID(iteration: 0))
            for (now, lacks, runs, stalls) in looks {
                screen.noteLack(lacks, isRunning: runs, at: .milliseconds(now))
                expect(screen.health.stalls == stalls && (screen.lack != nil) == lacks, "\(now)")
            }
        }
    }
}
