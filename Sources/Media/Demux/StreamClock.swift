import CFFmpeg
import WallCore

/// Turns a stream's timestamps into time since its first picture, and back.
///
/// Always from the raw timestamp, by rounding. A timestamp within one tick of a multiple of the picture's length
/// is that multiple: containers with coarse ticks round where the film did not.
struct StreamClock {
    /// Seconds a tick, as a fraction.
    let numerator: Int64
    let denominator: Int64
    /// The timestamp of the first picture.
    let origin: Int64
    let rate: PictureRate?

    init(timeBase: AVRational, origin: Int64, rate: PictureRate?) {
        (numerator, denominator) = (Int64(timeBase.num), Int64(timeBase.den))
        (self.origin, self.rate) = (origin, rate)
    }

    var tick: Time { Time(1, ofUnits: numerator, over: denominator) }

    /// One picture at the stream's rate, at least a tick.
    var ticksPerPicture: Int64 {
        guard let rate else { return 1 }
        return max(1, denominator * Int64(rate.denominator) / (numerator * Int64(rate.numerator)))
    }

    func time(of timestamp: Int64) -> Time {
        let exact = Time(timestamp - origin, ofUnits: numerator, over: denominator)
        guard let rate else { return exact }
        let multiple = rate.start(of: rate.nearest(to: exact))
        return abs((multiple - exact).ticks) <= tick.ticks ? multiple : exact
    }

    /// The last timestamp that is not after `time`.
    func timestamp(of time: Time) -> Int64 {
        let ticks = Int128(time.ticks) * Int128(denominator)
        let unit = Int128(Time.ticksPerSecond) * Int128(numerator)
        let (quotient, rest) = ticks.quotientAndRemainder(dividingBy: unit)
        return origin + Int64(rest < 0 ? quotient - 1 : quotient)
    }

    /// The end of a last picture: by its packet's duration, else by the rate, else as long as the one before.
    func end(of timestamp: Int64, duration: Int64, before previous: Time?) -> Time {
        if duration > 0 { return time(of: timestamp + duration) }
        return time(of: timestamp) + (rate?.picture ?? previous ?? .milliseconds(40))
    }
}
