/// Stops all threads of a given name in a program, by a preloaded library.
public struct StuckThread: Sendable {
    let preload: Preload

    public init(_ name: String) throws {
        preload = try Preload("stuck-thread", "QUADRILLE_STUCK_THREAD", of: Int64.self, count: 3)
        // The thread's name follows the switch. The kernel keeps 15 bytes of a name.
        for (place, byte) in name.utf8.prefix(15).enumerated() { preload.values(of: UInt8.self)[8 + place] = byte }
    }

    public func set(_ isStuck: Bool) { preload.values(of: Int64.self)[0] = isStuck ? 1 : 0 }
}
