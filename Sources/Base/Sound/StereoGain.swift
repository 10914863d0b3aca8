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
