import Expectations
import Testing

@testable import Base
@testable import Feeds
@testable import Layout
@testable import Player

/// Events of clocks follow from what has changed since the last report.
@Suite struct ClockReportsTests {
    private func ms(_ value: Int64) -> Time { .milliseconds(value) }

    /// A group whose clock has run since 0 ms, and reports that know it.
    private func going() -> (Clocks, GroupID, ClockReports) {
        var clocks = Clocks()
        let group = clocks.add(Group(name: "main", .each, .longest))
        clocks[group].wait(at: .zero, until: ms(500), then: .running)
        clocks[group].go(at: .zero, after: .zero)
        var reports = ClockReports()
        _ = reports.update(clocks, at: .zero)
        return (clocks, group, reports)
    }

    @Test func aChangeIsReportedOnce() {
        let changes: [(inout Group) -> Void] = [
            { $0.pause(at: .milliseconds(1000)) },
            { $0.setRate(.to(Rate(2)), at: .milliseconds(1000)) },
            { $0.seek(to: .seconds(9), at: .milliseconds(1000), until: .milliseconds(1250)) },
        ]
        for change in changes {
            var (clocks, group, reports) = going()
            expect(reports.update(clocks, at: ms(1000)), equals: [])
            change(&clocks[group])
            expect(reports.update(clocks, at: ms(1000)), equals: [group])
            expect(reports.update(clocks, at: ms(2000)), equals: [])
        }
    }

    @Test func aClockThatGoesOnIsNotReported() {
        var (clocks, group, reports) = going()
        let marks = ABLoopMarks(a: ms(0)..<ms(0), b: ms(800)..<ms(800))
        clocks[group].mark(marks, shortest: ms(40))
        clocks[group].setBack(abIterations: 1)
        expect(reports.update(clocks, at: ms(1000)), equals: [])
        clocks[group].dueTolerance = ms(5)
        expect(reports.update(clocks, at: ms(1000)), equals: [])
    }

    @Test func theEndOfABreakOfTheWholeGroupIsReported() {
        var (clocks, group, reports) = going()
        clocks[group].heldFrom = ms(1000)
        expect(reports.update(clocks, at: ms(1500)), equals: [])
        let isSetBack = clocks[group].releasePosition(settingBackBy: ms(2000))
        expect(isSetBack)
        expect(reports.update(clocks, at: ms(3000)), equals: [group])
    }

    @Test func aTileThatIsMovedAloneIsReportedAndAGroupOfALayoutIsNot() {
        var (clocks, group, reports) = going()
        clocks.add(Group(name: "other", .each, .longest))
        let alone = clocks.add(alone: "tile1", of: group)
        expect(reports.update(clocks, at: ms(100)), equals: [alone])
        clocks.remove(alone)
        expect(reports.update(clocks, at: ms(100)), equals: [])
    }
}
