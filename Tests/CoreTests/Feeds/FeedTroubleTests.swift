import Expectations
import Testing

@testable import Base
@testable import Feeds
@testable import Player

@Suite struct FeedTroubleTests {
    private let missing = SourceTrouble(.missing, "no such file")
    private let damaged = SourceTrouble(.damaged, "no frame in it")

    @Test func aTroubleIsReportedOnceUntilItsSourceHasPlayed() {
        var trouble = FeedTrouble()
        expect([trouble.note(missing, of: "a"), trouble.note(missing, of: "a")], equals: [true, false])
        // Trouble of another source, or of another kind, is reported.
        expect([trouble.note(missing, of: "b"), trouble.note(damaged, of: "a")], equals: [true, true])
        expect([trouble.note(damaged, of: "a"), trouble.note(missing, of: "b")], equals: [false, false])
        trouble.noteFrame(of: "a")
        expect(trouble.trouble(of: "a") == nil && trouble.trouble(of: "b") != nil)
        expect([trouble.note(damaged, of: "a"), trouble.note(missing, of: "b")], equals: [true, false])
    }

    @Test func theCardSaysTheLatestTroubleUntilAFrameCame() {
        var trouble = FeedTrouble()
        expect(trouble.latest, equals: nil)
        for (what, source) in [(missing, "a"), (damaged, "b"), (damaged, "b")] {
            _ = trouble.note(what, of: source)
            expect(trouble.latest == what && trouble.source == source)
        }
        trouble.noteFrame(of: "c")
        expect(trouble.latest == nil && trouble.reason(of: "b") == damaged)
    }

    @Test func aHopelessSourceStaysSoUntilThereIsAnotherFile() {
        var trouble = FeedTrouble()
        _ = trouble.note(missing, of: "a")
        for source in ["a", "b"] { trouble.giveUp(source) }
        trouble.noteFrame(of: "a")
        expect(trouble.isHopeless("a") && trouble.isHopeless("b") && !trouble.isHopeless("c"))
        _ = trouble.note(damaged, of: "a")
        trouble.forget("a")
        expect(!trouble.isHopeless("a") && trouble.isHopeless("b"))
        // A replaced file with the trouble reported last is not reported again.
        expect(trouble.note(damaged, of: "a") == false && trouble.note(missing, of: "a") == true)
        expect(trouble.note(damaged, of: "a"), equals: true)
        // A reason is always available.
        expect(trouble.reason(of: "a") == damaged && trouble.reason(of: "b").kind == .unsupported)
    }

    @Test func whatIsWrongWithAFilmThatPlaysIsReportedOnceUntilItIsMended() {
        var trouble = FeedTrouble()
        func reports(_ damage: FilmDamage, _ isThere: Bool, _ source: String = "a") -> Bool {
            trouble.note(damage, isThere: isThere, in: source)
        }
        expect(!reports(.cutOff, false) && !reports(.brokenFrames, false))
        expect(reports(.cutOff, true) && !reports(.cutOff, true))
        trouble.noteFrame(of: "a")
        expect(!reports(.cutOff, true))
        expect(reports(.brokenFrames, true) && reports(.cutOff, true, "b"))
        // The film is repaired, and breaks again.
        expect(!reports(.cutOff, false) && reports(.cutOff, true) && !reports(.brokenFrames, true))
    }

    @Test func barrenIterationsAreWaitedForLongerEachTime() {
        var trouble = FeedTrouble()
        func waits(_ count: Int) -> [Time] {
            (0..<count).map { _ in trouble.noteBarrenIteration(ofServers: false, at: .milliseconds(7)) }
        }
        expect(waits(9), equals: [1, 2, 4, 8, 16, 32, 60, 60, 60].map(Time.seconds))
        expect(waits(100).allSatisfy { $0 == .seconds(60) })
        // Trouble does not shorten the wait; a frame does.
        _ = trouble.note(missing, of: "a")
        expect(waits(1), equals: [.seconds(60)])
        trouble.noteFrame(of: "b")
        expect(waits(2), equals: [.seconds(1), .seconds(2)])
    }

    @Test func aLostConnectionIsWaitedForLongerEachTimeAndNotByAllAtOnce() {
        var trouble = FeedTrouble()
        func wait(_ source: String, at now: Time = .zero) -> Time {
            trouble.noteLoss(of: source, at: now)
        }
        expect([wait("a"), wait("a"), wait("b"), wait("a")], equals: [1, 2, 1, 4].map(Time.seconds))
        trouble.noteFrame(of: "a")
        expect(wait("a") == .seconds(1) && wait("b") == .seconds(2))
        // The same loss a millisecond later has another wait, up to a quarter longer.
        var scattered: Set<Time> = []
        for index in 1...100 {
            trouble.noteFrame(of: "a")
            let wait = wait("a", at: .milliseconds(Int64(index)))
            expect(wait >= .seconds(1) && wait <= .milliseconds(1250), "\(wait)")
            scattered.insert(wait)
        }
        expect(scattered.count, above: 90)
        expect((scattered.max() ?? .zero) - (scattered.min() ?? .zero), above: .milliseconds(200))
    }
}
