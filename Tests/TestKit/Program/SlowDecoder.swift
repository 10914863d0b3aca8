/// Slows a program's video decoders by a preloaded library, while `slowness` is above 0.
public struct SlowDecoder: Sendable {
    let preload: Preload

    public init() throws { preload = try Preload("slow-decoder", "QUADRILLE_SLOWNESS", of: Int32.self, count: 1) }

    /// Time added to the decoding of each frame, in seconds.
    public var slowness: Double {
        get { Double(preload.values(of: Int32.self)[0]) / 1e6 }
        nonmutating set { preload.values(of: Int32.self)[0] = Int32(newValue * 1e6) }
    }
}
