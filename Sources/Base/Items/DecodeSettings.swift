/// An item's settings for decoding: `Media` reads them. The player passes them on to each job and opening, and compares
/// them as a whole. An item with other settings is another item of a sequence.
public struct DecodeSettings: Sendable, Hashable {
    public var turn = Turn.none
    public var flip = Flip.none
    /// Frames that are deinterlaced; nil if the layout does not state it.
    public var deinterlacing: Deinterlacing?
    /// The way in which HDR and wide gamuts are shown.
    public var toneMapping = StatedToneMapping()

    public init(turn: Turn = .none, flip: Flip = .none) { (self.turn, self.flip) = (turn, flip) }

    /// The settings of an item in a tile with settings for all its items. The tile turns and flips what the item has
    /// turned and flipped. An item's own deinterlacing and tone mapping override the tile's.
    public func inTile(_ tile: DecodeSettings) -> DecodeSettings {
        if tile == DecodeSettings() { return self }
        var both = self
        // A turn after a flip is the opposite turn before it.
        both.turn = turn + (flip == .none ? tile.turn : -tile.turn)
        if flip == .none || tile.flip == .none {
            both.flip = flip == .none ? tile.flip : flip
        } else {
            // Two flips are none, or turn by 180 degrees.
            both.flip = .none
            if flip != tile.flip { both.turn = both.turn + .half }
        }
        both.deinterlacing = deinterlacing ?? tile.deinterlacing
        both.toneMapping = toneMapping.over(tile.toneMapping)
        return both
    }
}

/// An item's settings for fetching its sources. The player passes them on with each opening. A change of them leaves the
/// item the same item of a sequence.
public struct FetchSettings: Sendable, Hashable {
    /// Limit for adaptive streams in bits per second; nil means what fits the tile.
    public var maxBitrate: Int?
    /// Time by which network sources are read ahead.
    public var ahead = Time.seconds(5)

    public init(maxBitrate: Int? = nil) { self.maxBitrate = maxBitrate }
}
