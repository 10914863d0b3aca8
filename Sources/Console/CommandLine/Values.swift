import Base
import Media

/// Values of options. Each mistake states what would be right.
public enum Values {
    public static func whole(
        _ text: String, _ range: ClosedRange<Int>, _ option: String, or other: String? = nil
    ) throws(UsageMistake) -> Int {
        if let value = Int(text), range.contains(value) { return value }
        let alternative = other.map { ", or \($0)" } ?? ""
        throw UsageMistake(
            "\(option) \(text): a whole number from \(range.lowerBound) to \(range.upperBound)\(alternative)")
    }

    static func size(_ text: String) throws(UsageMistake) -> Size {
        let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        if sides.count == 2, let width = sides[0], let height = sides[1],
            (16...16384).contains(width), (16...16384).contains(height)
        {
            return Size(width, height)
        }
        throw UsageMistake("--size \(text): width x height, each from 16 to 16384, as in 1280x720")
    }

    static func position(_ text: String) throws(UsageMistake) -> Point {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
        if parts.count == 2, let x = parts[0], let y = parts[1], abs(x) <= 65536, abs(y) <= 65536 {
            return Point(x, y)
        }
        throw UsageMistake("--position \(text): two whole numbers, as in 0,0")
    }

    public static func word<Value>(
        _ text: String, _ option: String, _ words: [String], _ make: (String) -> Value?
    ) throws(UsageMistake) -> Value {
        if let value = make(text) { return value }
        throw UsageMistake("\(option) \(text): one of \(words.joined(separator: ", "))")
    }

    public static func time(_ text: String, _ option: String) throws(UsageMistake) -> Time {
        if let time = Time(text: text), time >= .zero { return time }
        throw UsageMistake("\(option) \(text): seconds, or 1:23.5, or 1:02:03")
    }

    /// Returns an offset, below 0 if the film is behind.
    public static func offset(_ text: String) throws(UsageMistake) -> Time {
        if let time = Time(text: text) { return time }
        throw UsageMistake("--offset \(text): seconds, or 1:23.5; with - before it where the film is behind")
    }

    public static func positiveTime(_ text: String, _ option: String) throws(UsageMistake) -> Time {
        let time = try time(text, option)
        if time > .zero { return time }
        throw UsageMistake("\(option) \(text): a time above 0")
    }

    /// Reads a whole number, a fraction, or a decimal number. Decimal rates of television become their fractions.
    public static func frameRate(_ text: String) throws(UsageMistake) -> FrameRate {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        if let first = parts[0], parts.count == 1, (1...1000).contains(first) { return FrameRate(first, 1) }
        if parts.count == 2, let over = parts[0], let under = parts[1], under > 0, over > 0,
            over <= 1_000_000, under <= 1_000_000, over <= under * 1000
        {
            return FrameRate(over, under)
        }
        if parts.count == 1, let value = Double(text), value.isFinite, value > 0, value <= 1000 {
            for whole in [24, 30, 48, 60, 120] where abs(value - Double(whole) / 1.001) < 0.005 {
                return FrameRate(whole * 1000, 1001)
            }
            return FrameRate(max(1, Int((value * 1000).rounded())), 1000)
        }
        throw UsageMistake("--fps \(text): frames a second, as in 30, 23.976 or 30000/1001")
    }

    static func rate(_ text: String) throws(UsageMistake) -> Rate {
        if let value = Double(text), value >= 0.25, value <= 4 { return Rate(value) }
        throw UsageMistake("--rate \(text): a number from 0.25 to 4")
    }
}
