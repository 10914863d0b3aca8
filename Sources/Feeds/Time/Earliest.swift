import Base

/// The earliest of several instants; nil until there is one.
public struct Earliest {
    public private(set) var instant: Time?

    public init() {}

    public mutating func add(_ other: Time?) {
        guard let other else { return }
        instant = instant.map { min($0, other) } ?? other
    }
}
