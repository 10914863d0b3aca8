/// How often a program asked for more than a page of memory itself, counted from outside by a preloaded library.
/// What the libraries that it uses ask for is left out.
public struct LargeAllocations: Sendable {
    let preload: Preload

    public init() throws {
        preload = try Preload("large-allocations", "QUADRILLE_ALLOCATIONS", of: Int64.self, count: 2)
    }

    public var count: Int { Int(preload.values(of: Int64.self)[0]) }
    public var bytes: Int { Int(preload.values(of: Int64.self)[1]) }
}
