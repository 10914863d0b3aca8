import Base
import CFFmpeg

/// Seconds a tick, as a fraction: converts a container's numbers to time.
///
/// A file may contain any number. Times beyond 31 years are rejected here, so that no later code has to check.
struct TimeBase: Hashable {
    let numerator: Int64
    let denominator: Int64

    static let longest = Time.seconds(1_000_000_000)
    /// Longest plausible duration of one frame or one tick.
    static let longestFrame = Time.seconds(86_400)

    static let microseconds = TimeBase(AVRational(num: 1, den: AV_TIME_BASE))

    /// FFmpeg reduces each stream's base. An invalid one counts as microseconds.
    init(_ base: AVRational) {
        let isOne = base.num > 0 && base.den > 0
        (numerator, denominator) = isOne ? (Int64(base.num), Int64(base.den)) : (1, Int64(AV_TIME_BASE))
    }

    var tick: Time { Time(1, ofUnits: numerator, over: denominator) }

    /// Returns the time from one timestamp to another; nil if either is missing or the time is implausible.
    func time(from origin: Int64, to stamp: Int64) -> Time? {
        guard stamp != qd_NOPTS, origin != qd_NOPTS else { return nil }
        let (count, overflow) = stamp.subtractingReportingOverflow(origin)
        return overflow ? nil : length(count, atLeast: -TimeBase.longest)
    }

    /// Returns the duration of `count` ticks; nil if missing or implausible.
    func length(_ count: Int64) -> Time? {
        count == qd_NOPTS || count <= 0 ? nil : length(count, atLeast: .zero)
    }

    private func length(_ count: Int64, atLeast least: Time) -> Time? {
        let time = Time(count, ofUnits: numerator, over: denominator)
        return time >= least && time <= TimeBase.longest ? time : nil
    }

    /// Returns the time in units of `Time`, which may exceed 64 bits.
    func exact(_ stamp: Int64) -> Int128 {
        quotient(Int128(stamp) * Int128(numerator) * Int128(Time.ticksPerSecond), over: Int128(denominator))
    }

    /// Returns the last timestamp that is not after `ticks` units of `Time`.
    func stamp(ofExact ticks: Int128) -> Int64 {
        let unit = Int128(Time.ticksPerSecond) * Int128(numerator)
        let (quotient, rest) = (ticks * Int128(denominator)).quotientAndRemainder(dividingBy: unit)
        return Int64(clamping: rest < 0 ? quotient - 1 : quotient)
    }
}

/// Returns the nearest quotient, halves away from zero.
func quotient(_ number: Int128, over divisor: Int128) -> Int128 {
    (number + (number < 0 ? -divisor / 2 : divisor / 2)) / divisor
}

extension Time {
    /// Clamps to the range of plausible times.
    init(clamping ticks: Int128) {
        let most = Int128(TimeBase.longest.ticks)
        self.init(ticks: Int64(min(max(ticks, -most), most)))
    }
}
