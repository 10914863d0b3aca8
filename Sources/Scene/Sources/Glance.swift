/// A coarse view of a frame: its brightness in a small grid.
public struct Glance: Hashable, Sendable {
    /// 0 is black, 255 white.
    public let brightness: [UInt8]

    public init(brightness: [UInt8]) { self.brightness = brightness }

    /// True if nothing can be seen on the frame.
    public var isBlack: Bool { brightness.allSatisfy { $0 < 20 } }

    /// Returns the mean difference, in steps of brightness.
    public func distance(to other: Glance) -> Double {
        let sum = zip(brightness, other.brightness).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        return Double(sum) / Double(max(1, min(brightness.count, other.brightness.count)))
    }
}

/// Result of comparing a frame with the ones before it.
public enum Stillness: Sendable {
    case unknown, same, moved
}
