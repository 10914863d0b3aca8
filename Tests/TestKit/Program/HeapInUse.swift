/// How many bytes of the heap a program has in use, libraries and all, counted from outside by a preloaded library.
///
/// What is resident also counts the holes between them, which differ from time to time by more than a leak adds in an
/// hour.
public struct HeapInUse: Sendable {
    let preload: Preload

    public init() throws {
        preload = try Preload("heap-in-use", "QUADRILLE_HEAP", of: Int64.self, count: 1)
    }

    public var bytes: Int { Int(preload.values(of: Int64.self)[0]) }
}
