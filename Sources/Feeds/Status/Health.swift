import Base

/// Statistics of a tile's frames, reported when the program ends.
public struct Health: Sendable, Equatable {
    public static func + (a: Health, b: Health) -> Health {
        var sum = a
        sum.presented += b.presented
        sum.undecoded += b.undecoded
        (sum.late, sum.dropped, sum.stalls) = (a.late + b.late, a.dropped + b.dropped, a.stalls + b.stalls)
        return sum
    }

    public var presented = 0
    public var late = 0
    public var dropped = 0
    /// Frames of `dropped` that the decoder skipped.
    public var undecoded = 0
    public var startup: Time?
    public var stalls = 0

    public init() {}
}
