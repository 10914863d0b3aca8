import Base

/// An offset between two films of one rate, in frames.
public struct FrameOffset: Sendable, Equatable {
    /// The nearest whole number of frames.
    public let count: Int64
    /// Duration of `count` frames.
    public let time: Time
    /// True if the offset is that number of frames, up to decimal rounding.
    public let isWhole: Bool

    /// Returns nil if the rates differ, or one is unknown.
    public init?(_ offset: Time, _ one: FrameRate?, _ other: FrameRate?) {
        guard let one, let other, one.isLike(other) else { return nil }
        count = one.nearest(to: offset)
        time = one.start(of: count)
        isWhole = (offset - time).magnitude <= one.frame.dueTolerance
    }

    /// Such as "-34 frames".
    public var words: String { "\(count) \(count.magnitude == 1 ? "frame" : "frames")" }
}

extension FrameRate {
    /// 29.97 and 30000/1001 are alike; 24000/1001 and 24 are not.
    public func isLike(_ other: FrameRate) -> Bool {
        let mine = Double(numerator) * Double(other.denominator), its = Double(other.numerator) * Double(denominator)
        return (mine - its).magnitude < mine * 1e-4
    }
}
