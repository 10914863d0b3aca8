/// Speed of time; 1 is real time. Stored in units of 1e-12, so that products stay exact integers. A rate that is
/// written with ten decimals stays in step for days.
public struct Rate: Hashable, Comparable, Sendable {
    /// The rate in units of 1e-12.
    public var trillionths: Int64

    public static let unit: Int64 = 1_000_000_000_000
    public static let one = Rate(trillionths: unit)
    public static let slowest = Rate(millionths: 250_000)
    public static let fastest = Rate(millionths: 4_000_000)

    public init(trillionths: Int64) { self.trillionths = trillionths }
    public init(millionths: Int64) { trillionths = scaled(millionths, by: 1_000_000, over: 1) }

    /// Rounds to the nearest unit and limits the rate to a million.
    public init(_ value: Double) {
        let exact = (value * Double(Rate.unit)).rounded(), limit = 1_000_000 * Rate.unit
        trillionths = exact.magnitude < Double(limit) ? Int64(exact) : exact > 0 ? limit : -limit
    }

    public var value: Double { Double(trillionths) / Double(Rate.unit) }
    /// Rounded to the nearest millionth.
    public var millionths: Int64 { scaled(trillionths, by: 1, over: 1_000_000) }

    /// The rate raised by a tenth, but no further than the next of 0.5, 1 and 2.
    public var faster: Rate {
        let next = (self * Rate(1.1)).inMillionths
        return Rate.stops.first { $0 > self && $0 < next } ?? next
    }
    public var slower: Rate {
        let next = Rate(value / 1.1).inMillionths
        return Rate.stops.last { $0 < self && $0 > next } ?? next
    }
    private var inMillionths: Rate { Rate(millionths: millionths) }
    private static let stops = [Rate(0.5), .one, Rate(2)]

    public static func < (a: Rate, b: Rate) -> Bool { a.trillionths < b.trillionths }
    public static func * (a: Rate, b: Rate) -> Rate {
        Rate(trillionths: scaled(a.trillionths, by: b.trillionths, over: unit))
    }
    public static func / (a: Rate, b: Rate) -> Rate {
        Rate(trillionths: scaled(a.trillionths, by: unit, over: b.trillionths))
    }
}

extension Time {
    /// Time that passes at `rate` in this much time: media time in group time, or group time in wall time.
    public func played(at rate: Rate) -> Time {
        rate == .one ? self : Time(ticks: scaled(ticks, by: rate.trillionths, over: Rate.unit))
    }

    /// Time that this much time takes at `rate`: the inverse of `played`.
    public func lasting(at rate: Rate) -> Time {
        rate == .one ? self : Time(ticks: scaled(ticks, by: Rate.unit, over: rate.trillionths))
    }
}
