import Base

/// The earliest of several instants; nil until there is one.
struct Earliest {
    private(set) var instant: Time?

    mutating func add(_ other: Time?) {
        guard let other else { return }
        instant = instant.map { min($0, other) } ?? other
    }
}
