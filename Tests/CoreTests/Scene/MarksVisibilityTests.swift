import Expectations
import Testing

@testable import Base
@testable import Scene

private func ms(_ count: Int64) -> Time { .milliseconds(count) }

@Suite struct MarksPolicyTests {
    private typealias Seen = MarksVisibility.Visibility

    @Test func marksAreSeenForTwoSecondsThenTheBorderFades() {
        var marksVisibility = MarksVisibility()
        expect(marksVisibility.visibility(at: ms(0)).next, equals: nil)
        expect(
            marksVisibility.visibility(at: ms(0)).marks,
            equals: Seen(marks: .off, info: .off, help: .off, focusBorder: 0))
        marksVisibility.commanded(at: ms(1000))
        let cases: [(Int64, MarksVisibility.Switch, Double, Int64?)] = [
            (1000, .on, 1, 3000), (2999, .on, 1, 3000), (3000, .off, 0.875, 3050), (3049, .off, 0.875, 3050),
            (3050, .off, 0.75, 3100), (3349, .off, 0.125, 3350), (3350, .off, 0, nil), (9000, .off, 0, nil),
        ]
        for (now, marks, border, next) in cases {
            let (seen, change) = marksVisibility.visibility(at: ms(now))
            let expected = Seen(marks: marks, info: .off, help: .off, focusBorder: border, stirred: marks)
            expect(seen, equals: expected, "\(now)")
            expect(change, equals: next.map(ms), "\(now)")
        }
    }

    @Test func aCommandMakesThemStayLonger() {
        var marksVisibility = MarksVisibility()
        marksVisibility.commanded(at: ms(0))
        marksVisibility.commanded(at: ms(1500))
        expect(marksVisibility.visibility(at: ms(2500)).next, equals: ms(3500))
        // The report of an earlier touch arrives late.
        marksVisibility.commanded(at: ms(1200))
        expect(marksVisibility.visibility(at: ms(2500)).next, equals: ms(3500))
    }

    @Test func infoKeepsThemAndHelpIsApart() {
        var marksVisibility = MarksVisibility()
        marksVisibility.toggleInfo()
        expect(
            marksVisibility.visibility(at: ms(99_000)).marks,
            equals: Seen(marks: .on, info: .on, help: .off, focusBorder: 1))
        expect(marksVisibility.visibility(at: ms(99_000)).next, equals: nil)
        marksVisibility.toggleInfo()
        marksVisibility.toggleHelp()
        expect(
            marksVisibility.visibility(at: ms(99_000)).marks,
            equals: Seen(marks: .off, info: .off, help: .on, focusBorder: 0))
        let closed = [marksVisibility.closeHelp(), marksVisibility.closeHelp()]
        expect(closed, equals: [true, false])
        expect(marksVisibility.visibility(at: ms(99_000)).marks.help, equals: .off)
    }

    @Test func aSpinnerComesAfterThreeTenthsAndTurns() {
        let cases: [(Int64, Int?, Int64)] = [
            (1000, nil, 1300), (1299, nil, 1300), (1300, 0, 1340), (1339, 0, 1340), (1340, 1, 1380), (2259, 23, 2260),
            (2260, 0, 2300),
        ]
        for (now, step, next) in cases {
            let (spinner, change) = Marks.Spinner.due(waitingSince: ms(1000), at: ms(now))
            expect(spinner?.step, equals: step, "\(now)")
            expect(change, equals: ms(next), "\(now)")
        }
    }
}
