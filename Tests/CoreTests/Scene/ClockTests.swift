import Expectations
import Testing

@testable import Base

@Suite struct ClockTests {
    /// At the returned wall time the clock has reached the position. A thread that slept until a tick too early would
    /// wake again and again.
    @Test(arguments: [250_000, 333_333, 909_091, 1_000_000, 1_100_000, 1_210_000, 1_771_561, 4_000_000] as [Int64])
    func atTheWallTimeOfAPositionTheClockHasComeThere(_ millionths: Int64) {
        var clock = Clock(position: Time(ticks: 2_773_932_336), rate: Rate(millionths: millionths))
        clock.run(at: Time(ticks: 78_206_587_213))
        for step in 1...20_000 as ClosedRange<Int64> {
            let position = Time(ticks: 2_773_932_336 + step * 23_520_001)
            let now = clock.wallTime(of: position)!
            expect(clock.position(at: now), atLeast: position)
            expect(clock.position(at: now - Time(ticks: 8)), below: position)
        }
    }
}
