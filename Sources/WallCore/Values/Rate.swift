/// How fast time goes: 1 is real time. Kept in millionths, so that products stay exact integers.
public struct Rate: Hashable, Comparable, Sendable {
    public var millionths: Int64

    public static let one = Rate(millionths: 1_000_000)
    public static let slowest = Rate(millionths: 250_000)
    public static let fastest = Rate(millionths: 4_000_000)

    public init(millionths: Int64) { self.millionths = millionths }
    public init(_ value: Double) { millionths = Int64((value * 1e6).rounded()) }
    public var value: Double { Double(millionths) / 1e6 }

    /// A step of a tenth on or back, at most to the next of 0.5, 1 and 2.
    var faster: Rate {
        let next = self * Rate(1.1)
        return Rate.stops.first { $0 > self && $0 < next } ?? next
    }
    var slower: Rate {
        let next = Rate(value / 1.1)
        return Rate.stops.last { $0 < self && $0 > next } ?? next
    }
    private static let stops = [Rate(0.5), .one, Rate(2)]

    public static func < (a: Rate, b: Rate) -> Bool { a.millionths < b.millionths }
    public static func * (a: Rate, b: Rate) -> Rate {
        Rate(millionths: scaled(a.millionths, by: b.millionths, over: 1_000_000))
    }
}

extension Time {
    /// How much media goes by in this much time at `rate`.
    public func played(at rate: Rate) -> Time {
        rate == .one ? self : Time(ticks: scaled(ticks, by: rate.millionths, over: 1_000_000))
    }

    /// How long this much media takes at `rate`.
    public func lasting(at rate: Rate) -> Time {
        rate == .one ? self : Time(ticks: scaled(ticks, by: 1_000_000, over: rate.millionths))
    }
}
