/// Settings with which a tile shows an item and plays its sound, whatever the item's content.
public struct ItemLook: Sendable, Hashable {
    public var crop = Crop.all
    public var decoding = DecodeSettings()
    public var audio = ItemAudio.track(1)
    /// Semitones by which its sound is raised, -12 to 12.
    public var key = 0
    public var lyrics = ItemLyrics.unspecified
    /// Part of a duet that is shown, from 1 to 9; nil means all.
    public var voice: Int?
    /// Text on the tile while it shows the item; nil means the tile's.
    public var label: String?

    public init() {}

    /// The look of an item in a tile with settings for all its items.
    public func inTile(_ tile: DecodeSettings) -> ItemLook {
        var look = self
        look.decoding = decoding.inTile(tile)
        return look
    }
}
