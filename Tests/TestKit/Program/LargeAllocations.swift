/// Counts a program's own allocations of more than a page, from outside by a preloaded library. Allocations of the
/// libraries that it uses do not count.
public struct LargeAllocations: Sendable {
    let preload: Preload

    public init() throws {
        preload = try Preload("large-allocations", "QUADRILLE_ALLOCATIONS", of: Int64.self, count: 2)
    }

    public var count: Int { Int(preload.values(of: Int64.self)[0]) }
    public var bytes: Int { Int(preload.values(of: Int64.self)[1]) }
}
