/// The threads of one name of a program, which a test can make stand still.
public struct StuckThread: Sendable {
    let preload: Preload

    public init(_ name: String) throws {
        preload = try Preload("stuck-thread", "QUADRILLE_STUCK_THREAD", of: Int64.self, count: 3)
        // Behind the switch: the name, as the kernel has it.
        for (place, byte) in name.utf8.prefix(15).enumerated() { preload.values(of: UInt8.self)[8 + place] = byte }
    }

    public func set(_ isStuck: Bool) { preload.values(of: Int64.self)[0] = isStuck ? 1 : 0 }
}
