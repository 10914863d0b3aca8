/// An entry of a sequence. The members of its look are read and set as members of the item.
@dynamicMemberLookup
public struct Item: Sendable, Hashable {
    public var content: Content
    public var look = ItemLook()
    public var rate = Rate.one
    /// Number of rounds in all.
    public var rounds = 1
    /// Duration of a still image; nil means 5 s.
    public var duration: Time?
    public var fetching = FetchSettings()
    /// Transition at the seam before it; nil means the tile's.
    public var transition: Transition?

    /// The folder that the layout names in place of the item; nil if the layout names the item itself.
    public var folder: String?

    public init(_ content: Content) { self.content = content }

    public init(segments: Segments) { self.init(Content(segments)) }

    /// An item that plays a whole source.
    public init(source: String) { self.init(.media(Segment(source: source))) }

    public subscript<Value>(dynamicMember member: WritableKeyPath<ItemLook, Value>) -> Value {
        get { look[keyPath: member] }
        set { look[keyPath: member] = newValue }
    }

    public var turn: Turn { look.decoding.turn }

    /// Segments of its content, in order. Assigning them to a song changes the song's.
    public var segments: Segments {
        get { content.segments }
        set { content.segments = newValue }
    }

    /// The item as it is decoded in a tile with settings for all its items.
    public func inTile(_ tile: DecodeSettings) -> Item {
        var item = self
        item.look = look.inTile(tile)
        return item
    }

    /// A copy without the settings that belong to the tile: crop, sound, key, lyrics, and how it is fetched. Items are
    /// the same in a sequence if these copies are equal.
    public var sequenced: Item {
        var same = self
        same.look = ItemLook()
        same.look.decoding = look.decoding
        same.fetching = FetchSettings()
        same.folder = nil
        return same
    }

    public var playedOnce: Item {
        var once = sequenced
        once.rounds = 1
        return once
    }

    /// Semitones by which its sound can be raised.
    public static let keys = -12...12

    /// Title and artist of the song; nil if the item is not a song.
    public var names: MediaNames? { if case .song(let song) = content { song.names } else { nil } }

    /// File of the song; nil if the item is not a song.
    public var song: String? { if case .song(let song) = content { song.file } else { nil } }
}

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

/// Transition from one item to the next.
public enum Transition: Sendable, Hashable {
    case cut
    /// The later item fades in over the earlier one for this time.
    case fade(Time)

    public static let longest = Time.seconds(2)

    public var length: Time { if case .fade(let length) = self { length } else { .zero } }
}

/// Number of iterations in all.
public enum Loop: Sendable, Hashable { case forever, iterations(Int) }
