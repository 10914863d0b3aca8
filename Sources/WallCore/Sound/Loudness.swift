/// How loud something is, as a factor for its samples.
public enum Loudness {
    /// From a volume of 0 to 100 on a scale that sounds even: half of it is 18 dB less.
    public static func gain(ofVolume volume: Int) -> Float {
        let share = Float(min(100, max(0, volume))) / 100
        return share * share * share
    }
}

/// A gain on its way to another one. The power moves along a smooth curve, so two ramps that begin together,
/// one up and one down, keep their common power, and neither has a corner that could be heard.
public struct Ramp: Sendable, Equatable {
    /// 20 ms.
    public static let usualLength = 960

    private var from: Float
    public private(set) var target: Float
    private var done: Int
    private let length: Int

    /// Stands at `gain`.
    public init(at gain: Float, length: Int = usualLength) {
        (from, target, done, self.length) = (gain, gain, length, length)
    }

    public var isMoving: Bool { done < length }
    /// Nothing is heard, now and until it is turned.
    public var isSilent: Bool { !isMoving && target == 0 }

    /// From where it is now.
    public mutating func turn(to gain: Float) {
        guard gain != target else { return }
        (from, target, done) = (value, gain, 0)
    }

    /// At the next sample.
    public var value: Float {
        guard isMoving else { return target }
        let part = Float(done) / Float(length)
        let eased = part * part * (3 - 2 * part)
        return (from * from + (target * target - from * from) * eased).squareRoot()
    }

    public mutating func next() -> Float {
        defer { if isMoving { done += 1 } }
        return value
    }
}
