import Base

/// Source to open and the terms of its opening. A new term is a field here, set by the player and read in Media.
public struct OpenTerms: Hashable, Sendable {
    public let location: String
    /// Settings for a still image, which is scaled as soon as it is open.
    public let decoding: DecodeSettings
    /// Larger frames are not decoded, even if they come later.
    public let limit: FrameLimit
    /// Variant of an adaptive stream; nil to take the demuxer's choice.
    public let variant: VariantChoice?
    /// File of lyrics that may state title and artist of the song; nil for the file beside the source.
    public let lyrics: String?

    public init(
        _ location: String, decoding: DecodeSettings = DecodeSettings(), limit: FrameLimit = .usual,
        variant: VariantChoice? = nil, lyrics: String? = nil
    ) {
        (self.location, self.decoding, self.limit, self.variant) = (location, decoding, limit, variant)
        self.lyrics = lyrics
    }
}

/// Identifier of an open source. The player passes it from an opener to a pipeline and back, until it closes the
/// source. The table of the sources themselves stays with the threads that read them.
public struct OpenSourceID: Identity {
    public let number: Int
    public init(number: Int) { self.number = number }
}

/// Chooses the variant of an adaptive stream that is played.
public struct VariantChoice: Sendable, Hashable {
    /// Size of the largest tile that shows the stream.
    public let tileSize: Size
    public let fetching: FetchSettings

    public struct Variant: Sendable, Hashable {
        public let size: Size
        /// nil if the playlist does not state it.
        public let bitrate: Int?

        public init(size: Size, bitrate: Int?) { (self.size, self.bitrate) = (size, bitrate) }
    }

    public init(tileSize: Size, fetching: FetchSettings) { (self.tileSize, self.fetching) = (tileSize, fetching) }

    /// Returns the smallest variant that fills `tileSize`, or the largest variant if none fills it. Among equal sizes,
    /// the variant of the highest bitrate is chosen. Variants above `max-bitrate` are left out. If all are above, the
    /// variant of the lowest bitrate is chosen.
    public func best(of variants: [Variant]) -> Int? {
        let all = variants.indices
        let affordable = all.filter { variants[$0].bitrate ?? 0 <= fetching.maxBitrate ?? .max }
        guard !affordable.isEmpty else {
            return all.min { variants[$0].bitrate ?? .max < variants[$1].bitrate ?? .max }
        }
        func area(_ index: Int) -> Int { variants[index].size.width * variants[index].size.height }
        func rate(_ index: Int) -> Int { variants[index].bitrate ?? 0 }
        let filling = affordable.filter { fills(variants[$0].size) }
        return filling.min { (area($0), -rate($0)) < (area($1), -rate($1)) }
            ?? affordable.max { (area($0), rate($0)) < (area($1), rate($1)) }
    }

    /// A frame that touches two sides of the tile needs no enlarging.
    private func fills(_ size: Size) -> Bool { size.width >= tileSize.width || size.height >= tileSize.height }
}
