/// A length or an instant of media or group time, in 1/705,600,000 s.
///
/// The unit divides exactly by 24, 25, 30, 50, 60, 100 and 120 frames a second, by their 1000/1001 forms, by 90 kHz and
/// by the common sample rates. Frames of unlike rates are therefore compared without rounding.
///
/// Sums and products saturate at 64 bits (four hundred years) and never trap, since a file may contain any number.
public struct Time: Hashable, Comparable, Sendable {
    public var ticks: Int64

    public static let ticksPerSecond: Int64 = 705_600_000
    public static let zero = Time(ticks: 0)
    /// Later than anything that is ever due.
    public static let distantFuture = Time(ticks: .max / 4)

    public init(ticks: Int64) { self.ticks = ticks }

    /// This time multiplied by `share`, to the nearest tick.
    public func part(_ share: Double) -> Time {
        let ticks = (Double(self.ticks) * share).rounded()
        return Time(
            ticks: ticks.magnitude < 9e18
                ? Int64(ticks) : ticks < 0 ? -Time.distantFuture.ticks : Time.distantFuture.ticks)
    }

    public static func seconds(_ count: Int64) -> Time { Time(ticks: count * ticksPerSecond) }
    public static func milliseconds(_ count: Int64) -> Time { Time(ticks: count * (ticksPerSecond / 1000)) }

    /// For numbers from JSON or the command line only: internal times are exact.
    public init(seconds: Double) {
        let limit = Time.distantFuture, exact = (seconds * Double(Time.ticksPerSecond)).rounded()
        if exact.magnitude < Double(limit.ticks) {
            ticks = Int64(exact)
        } else {
            ticks = exact.isNaN ? 0 : exact < 0 ? -limit.ticks : limit.ticks
        }
    }

    /// For messages and the trace only.
    public var seconds: Double { Double(ticks) / Double(Time.ticksPerSecond) }

    /// `count` units of `numerator/denominator` seconds each, rounded to the nearest tick.
    public init(_ count: Int64, ofUnits numerator: Int64, over denominator: Int64) {
        let (unit, overflow) = numerator.multipliedReportingOverflow(by: Time.ticksPerSecond)
        ticks = scaled(count, by: overflow ? .max : unit, over: denominator)
    }

    /// Converts an instant of CLOCK_MONOTONIC.
    public init(nanoseconds: Int64) {
        let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        ticks = whole * Time.ticksPerSecond + rest * 7056 / 10_000
    }

    /// Rounded up: a thread that sleeps until then does not wake too early.
    public var nanoseconds: Int64 {
        let (whole, rest) = min(max(ticks, -Time.distantFuture.ticks), Time.distantFuture.ticks).quotientAndRemainder(
            dividingBy: Time.ticksPerSecond)
        return whole * 1_000_000_000 + (rest * 10_000 + 7055) / 7056
    }

    public static func + (a: Time, b: Time) -> Time { Time(ticks: a.ticks.plus(b.ticks)) }
    public static func - (a: Time, b: Time) -> Time { Time(ticks: a.ticks.minus(b.ticks)) }
    public static func += (a: inout Time, b: Time) { a = a + b }
    public static func -= (a: inout Time, b: Time) { a = a - b }
    public static prefix func - (a: Time) -> Time { .zero - a }
    /// Saturates at the distant future.
    public static func * (a: Time, b: Int64) -> Time {
        let (ticks, overflow) = a.ticks.multipliedReportingOverflow(by: b)
        let limit = distantFuture.ticks
        return overflow
            ? Time(ticks: (a.ticks < 0) == (b < 0) ? limit : -limit) : min(Time(ticks: ticks), distantFuture)
    }
    public static func / (a: Time, b: Int64) -> Time { Time(ticks: a.ticks / b) }
    public static func < (a: Time, b: Time) -> Bool { a.ticks < b.ticks }

    /// Absolute value.
    public var magnitude: Time { self < .zero ? -self : self }

    /// Time before its start at which a frame of this duration is already due: a 128th of the duration, at most a
    /// millisecond.
    ///
    /// Layouts and commands state rates and times in decimals. Rounding puts the start of a frame slightly after the
    /// instant that was meant. Without a tolerance the frame before it would be due. A 128th of a frame is not visible.
    public var dueTolerance: Time { max(.zero, min(self / 128, .milliseconds(1))) }
}

extension Int64 {
    /// Saturating sum, for numbers from outside. The result is never `.min`, which has no negative.
    public func plus(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (self < 0 ? -.max : .max) : Swift.max(sum, -.max)
    }

    public func minus(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (self < 0 ? -.max : .max) : Swift.max(difference, -.max)
    }
}

/// value * factor / divisor without overflow in between, rounded to the nearest (halves away from zero); the largest
/// number where the result is larger.
func scaled(_ value: Int64, by factor: Int64, over divisor: Int64) -> Int64 {
    precondition(divisor > 0 && factor >= 0, "scaling by \(factor)/\(divisor)")
    let product = value.magnitude.multipliedFullWidth(by: factor.magnitude)
    let half = UInt64(divisor) / 2
    let (low, carry) = product.low.addingReportingOverflow(half)
    let high = product.high + (carry ? 1 : 0)
    guard high < UInt64(divisor) else { return value < 0 ? -.max : .max }
    let quotient = Int64(clamping: UInt64(divisor).dividingFullWidth((high, low)).quotient)
    return value < 0 ? -quotient : quotient
}

/// The sample grid of all sound: 48,000 samples per second, which divides the unit of `Time` exactly.
public enum SoundGrid {
    public static let rate = 48_000
    public static let ticksPerSample = Time.ticksPerSecond / Int64(rate)

    /// The sample nearest to `time`.
    public static func sample(at time: Time) -> Int64 {
        let shifted = time.ticks.plus(ticksPerSample / 2)
        return shifted >= 0 ? shifted / ticksPerSample : -((ticksPerSample - 1 - shifted) / ticksPerSample)
    }

    public static func time(of sample: Int64) -> Time { Time(ticks: ticksPerSample) * sample }
}

/// The earliest of several instants; nil until there is one.
public struct Earliest {
    public private(set) var instant: Time?

    public init() {}

    public mutating func add(_ other: Time?) {
        guard let other else { return }
        instant = instant.map { min($0, other) } ?? other
    }
}
