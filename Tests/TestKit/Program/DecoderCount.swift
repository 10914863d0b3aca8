/// How many video decoders a program has open, counted from outside by a preloaded library.
///
/// Left out: decoders that FFmpeg opens for itself while probing, and those of still images
/// (PNG, JPEG, BMP, WebP, TIFF; so Motion JPEG is not counted either).
public struct DecoderCount: Sendable {
    let preload: Preload

    public init() throws { preload = try Preload("decoder-count", "QUADRILLE_DECODERS", of: Int32.self, count: 3) }

    public var now: Int { tally(0) }
    public var most: Int { tally(1) }
    public var opened: Int { tally(2) }

    private func tally(_ index: Int) -> Int { Int(preload.values(of: Int32.self)[index]) }

    /// For the program that is to be counted.
    public var environment: [String: String?] { get throws { try Preload.environment([preload]) } }
}
