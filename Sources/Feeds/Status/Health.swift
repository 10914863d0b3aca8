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

    public internal(set) var presented = 0
    public internal(set) var late = 0
    public internal(set) var dropped = 0
    /// Frames of `dropped` that the decoder skipped.
    public internal(set) var undecoded = 0
    public internal(set) var startup: Time?
    public internal(set) var stalls = 0

    public init() {}
}
