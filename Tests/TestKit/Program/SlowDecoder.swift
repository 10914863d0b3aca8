/// Makes a program's video decoders slow, as long as it is wanted, by a preloaded library.
public struct SlowDecoder: Sendable {
    let preload: Preload

    public init() throws { preload = try Preload("slow-decoder", "QUADRILLE_SLOWNESS", of: Int32.self, count: 1) }

    /// How much longer each frame takes, in seconds.
    public var slowness: Double {
        get { Double(preload.values(of: Int32.self)[0]) / 1e6 }
        nonmutating set { preload.values(of: Int32.self)[0] = Int32(newValue * 1e6) }
    }
}
