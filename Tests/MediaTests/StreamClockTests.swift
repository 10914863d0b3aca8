import CFFmpeg
import Expectations
import Testing

@testable import Base
@testable import Media

@Suite struct StreamClockTests {
    @Test(arguments: [FrameRate(30000, 1001), FrameRate(24000, 1001), FrameRate(60, 1), FrameRate(25, 1)])
    func milliSecondsBecomeWholeFrames(_ rate: FrameRate) {
        let clock = StreamClock(timeBase: AVRational(num: 1, den: 1000), origin: 21, rate: rate)
        for index in 0..<100_000 as Range<Int64> {
            let stamp = 21 + (index * 1000 * Int64(rate.denominator) * 2 / Int64(rate.numerator) + 1) / 2
            expect(clock.time(of: stamp), equals: rate.start(of: index))
        }
    }

    @Test func aTimeThatIsNoMultipleStaysAsItIs() {
        let clock = StreamClock(timeBase: AVRational(num: 1, den: 1000), origin: 0, rate: FrameRate(25, 1))
        expect(clock.time(of: 51), equals: .milliseconds(51))
        expect(clock.time(of: 39), equals: .milliseconds(40))
    }

    @Test func aTimestampIsTheLastNotAfter() {
        let clock = StreamClock(timeBase: AVRational(num: 1, den: 90000), origin: 1000, rate: nil)
        expect(clock.timestamp(of: .zero), equals: 1000)
        expect(clock.timestamp(of: Time(ticks: 1)), equals: 1000)
        expect(clock.timestamp(of: Time(ticks: -1)), equals: 999)
        expect(clock.timestamp(of: .seconds(1)), equals: 91000)
    }

    @Test func aLastFrameLastsWhatItsPacketSaysElseByRateElseAsTheOneBefore() {
        let rated = StreamClock(timeBase: AVRational(num: 1, den: 1000), origin: 0, rate: FrameRate(25, 1))
        let bare = StreamClock(timeBase: AVRational(num: 1, den: 1000), origin: 0, rate: nil)
        expect(rated.end(of: 80, duration: 100, before: nil), equals: .milliseconds(180))
        expect(rated.end(of: 80, duration: 0, before: .milliseconds(7)), equals: .milliseconds(120))
        expect(bare.end(of: 80, duration: 0, before: .milliseconds(7)), equals: .milliseconds(87))
    }
}
