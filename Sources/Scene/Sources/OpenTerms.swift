import Base

/// Source to open and the terms of its opening. A new term is a field here, set by the player and read in Media.
public struct OpenTerms: Hashable, Sendable {
    public let location: String
    /// Rotation and mirroring of a still image, which is scaled as soon as it is open.
    public let turn: Turn
    public let flip: Flip
    /// Larger frames are not decoded, even if they come later.
    public let limit: FrameLimit
    /// Variant of an adaptive stream; nil to take the demuxer's choice.
    public let variant: VariantChoice?

    public init(
        _ location: String, turn: Turn = .none, flip: Flip = .none, limit: FrameLimit = .usual,
        variant: VariantChoice? = nil
    ) {
        (self.location, self.turn, self.flip, self.limit, self.variant) = (location, turn, flip, limit, variant)
    }
}
