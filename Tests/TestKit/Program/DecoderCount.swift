/// Number of video decoders that a program has open, counted from outside by a preloaded library.
///
/// Not counted: decoders that FFmpeg opens while probing, and those of still images (PNG, JPEG, BMP, WebP, TIFF; hence
/// Motion JPEG is not counted either).
public struct DecoderCount: Sendable {
    let preload: Preload

    public init() throws { preload = try Preload("decoder-count", "QUADRILLE_DECODERS", of: Int32.self, count: 3) }

    public var now: Int { tally(0) }
    public var most: Int { tally(1) }
    public var opened: Int { tally(2) }

    private func tally(_ index: Int) -> Int { Int(preload.values(of: Int32.self)[index]) }

    /// Environment for the program that is measured.
    public var environment: [String: String?] { get throws { try Preload.environment([preload]) } }
}
