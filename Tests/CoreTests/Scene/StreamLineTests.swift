import Expectations
import Testing

@testable import Base
@testable import Heard

@Suite struct StreamLineTests {
    private func line(_ lateness: [Int64]) -> StreamLine {
        var line = StreamLine()
        for (step, late) in lateness.enumerated() {
            let place = Time.milliseconds(Int64(step) * 100)
            line.note(place, heardAt: .seconds(5) + place + .milliseconds(late))
        }
        return line
    }

    @Test func nothingIsKnownBeforeAMeasurement() {
        expect(StreamLine().wallTime(of: .zero), equals: nil)
    }

    @Test func aLateMeasurementMovesNothing() {
        expect(line([3, 0, 12, 7, 30]).wallTime(of: .seconds(1)), equals: .seconds(6))
    }

    @Test func aStreamThatFellBackIsBelievedWhenTheWindowHasPassed() {
        let before = line([0] + Array(repeating: 4, count: StreamLine.window - 1))
        let after = line([0] + Array(repeating: 4, count: StreamLine.window))
        expect(before.wallTime(of: .zero), equals: .seconds(5))
        expect(after.wallTime(of: .zero), equals: .seconds(5) + .milliseconds(4))
    }

    @Test func whatWasMeasuredBeforeAStandstillCountsNoMore() {
        var line = line([0, 0])
        line.reset()
        expect(line.wallTime(of: .zero) == nil && !line.isSettled)
        line.note(.zero, heardAt: .seconds(9))
        expect(line.wallTime(of: .zero), equals: .seconds(9))
    }
}
