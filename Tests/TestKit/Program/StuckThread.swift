/// The conductor of a program, which a test can make stand still.
public struct StuckThread: Sendable {
    let preload: Preload

    public init() throws { preload = try Preload("stuck-thread", "QUADRILLE_STUCK_THREAD", of: Int64.self, count: 1) }

    public func set(_ isStuck: Bool) { preload.values(of: Int64.self)[0] = isStuck ? 1 : 0 }
}
