/// How many bytes of its heap a program has in use, libraries and all, told by a preloaded library.
///
/// What is resident also counts the holes between them, which differ from time to time by more than a leak adds in an
/// hour.
public struct HeapInUse: Sendable {
    let preload: Preload

    public init() throws {
        preload = try Preload("heap-in-use", "QUADRILLE_HEAP", of: Int64.self, count: 3)
    }

    /// nil: the program does not answer within a second.
    public var bytes: Int? {
        let desk = preload.values(of: Int64.self)
        desk[0] += 1
        return Clock.wait(atMost: 1) { desk[1] == desk[0] } ? Int(desk[2]) : nil
    }
}
