/// Bytes of a program's heap that are in use, libraries included, counted from outside by a preloaded library.
///
/// Resident memory also counts the holes between allocations. They vary by more than a leak adds in an hour.
public struct HeapInUse: Sendable {
    let preload: Preload

    public init() throws {
        preload = try Preload("heap-in-use", "QUADRILLE_HEAP", of: Int64.self, count: 1)
    }

    public var bytes: Int { Int(preload.values(of: Int64.self)[0]) }
}
