import CFFmpeg
import WallCore

/// Seconds a tick, as a fraction: where a container's numbers become time.
///
/// A file may say anything. What is farther away than is ever played (31 years) is not believed here, and nothing after
/// it has to look again.
struct TimeBase: Hashable {
    let numerator: Int64
    let denominator: Int64

    static let longest = Time.seconds(1_000_000_000)
    /// Of one frame or one tick.
    static let longestFrame = Time.seconds(86_400)

    static let microseconds = TimeBase(AVRational(num: 1, den: AV_TIME_BASE))

    /// FFmpeg reduces each stream's; one that is none counts as microseconds.
    init(_ base: AVRational) {
        let isOne = base.num > 0 && base.den > 0
        (numerator, denominator) = isOne ? (Int64(base.num), Int64(base.den)) : (1, Int64(AV_TIME_BASE))
    }

    var tick: Time { Time(1, ofUnits: numerator, over: denominator) }

    /// From one timestamp to another; nil: either is none, or they are not to be believed.
    func time(from origin: Int64, to stamp: Int64) -> Time? {
        guard stamp != qd_NOPTS, origin != qd_NOPTS else { return nil }
        let (count, overflow) = stamp.subtractingReportingOverflow(origin)
        return overflow ? nil : length(count, atLeast: -.longest)
    }

    /// Of so many ticks; nil: it is not said, or not to be believed.
    func length(_ count: Int64) -> Time? {
        count == qd_NOPTS || count <= 0 ? nil : length(count, atLeast: .zero)
    }

    private func length(_ count: Int64, atLeast least: Time) -> Time? {
        let time = Time(count, ofUnits: numerator, over: denominator)
        return time >= least && time <= .longest ? time : nil
    }

    /// In units of `Time`, which may be more than 64 bits hold.
    func exact(_ stamp: Int64) -> Int128 {
        let product = Int128(stamp) * Int128(numerator) * Int128(Time.ticksPerSecond)
        let half = Int128(denominator) / 2
        return (product + (product < 0 ? -half : half)) / Int128(denominator)
    }

    /// The last timestamp that is not after `ticks` units of `Time`.
    func stamp(ofExact ticks: Int128) -> Int64 {
        let unit = Int128(Time.ticksPerSecond) * Int128(numerator)
        let (quotient, rest) = (ticks * Int128(denominator)).quotientAndRemainder(dividingBy: unit)
        return Int64(clamping: rest < 0 ? quotient - 1 : quotient)
    }
}

extension Time {
    fileprivate static let longest = TimeBase.longest

    /// What lies beyond what is believed stops there.
    init(clamping ticks: Int128) {
        self.init(ticks: Int64(min(max(ticks, -Int128(Time.longest.ticks)), Int128(Time.longest.ticks))))
    }
}
