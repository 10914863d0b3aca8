/// Converts volumes to gains, which are factors for samples.
public enum Loudness {
    /// Converts a volume from 0 to 100. The scale sounds even: half the volume is 18 dB less.
    public static func gain(ofVolume volume: Int) -> Float {
        let share = Float(min(100, max(0, volume))) / 100
        return share * share * share
    }
}

/// A gain that moves to another one. The power follows a smooth curve, so a fade-in and a fade-out that begin together
/// keep their common power. Neither has an audible corner.
public struct Ramp: Sendable, Equatable {
    /// Samples in 20 ms.
    public static let usualLength = 960

    private var from: Float
    public private(set) var target: Float
    private var done: Int
    private let length: Int

    /// Starts at `gain`, without moving.
    public init(at gain: Float, length: Int = usualLength) {
        (from, target, done, self.length) = (gain, gain, length, length)
    }

    public var isMoving: Bool { done < length }
    /// True if the gain is zero and stays so until `turn`.
    public var isSilent: Bool { !isMoving && target == 0 }

    /// Moves to `gain` from the present value.
    public mutating func turn(to gain: Float) {
        guard gain != target else { return }
        (from, target, done) = (value, gain, 0)
    }

    /// Gain of the next sample.
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

/// Gain of each side of a stereo sound.
public struct StereoGain: Sendable, Equatable, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
    public var left: Float
    public var right: Float

    /// The same gain for both sides.
    public init(_ gain: Float) { (left, right) = (gain, gain) }
    public init(floatLiteral gain: Float) { self.init(gain) }
    public init(integerLiteral gain: Int) { self.init(Float(gain)) }

    /// `balance`: -1 for the left side alone, 1 for the right side alone. The other side gets quieter in proportion;
    /// the nearer side keeps its gain.
    public init(_ gain: Float, balance: Double) {
        let share = Float(min(1, max(-1, balance)))
        (left, right) = (gain * min(1, 1 - share), gain * min(1, 1 + share))
    }

    /// Gain of the louder side.
    public var largest: Float { max(left, right) }

    public var isSilent: Bool { largest == 0 }

    /// Each side as loud as in the louder of both.
    public func joined(_ other: StereoGain) -> StereoGain {
        var joined = self
        (joined.left, joined.right) = (max(left, other.left), max(right, other.right))
        return joined
    }
}
