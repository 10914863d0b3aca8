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
