/// An entry of a sequence. The members of its settings are read and set as members of the item.
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

    @inlinable public subscript<Value>(dynamicMember member: WritableKeyPath<ItemLook, Value>) -> Value {
        get { look[keyPath: member] }
        set { look[keyPath: member] = newValue }
    }

    @inlinable public subscript<Value>(dynamicMember member: WritableKeyPath<DecodeSettings, Value>) -> Value {
        get { look.decoding[keyPath: member] }
        set { look.decoding[keyPath: member] = newValue }
    }

    @inlinable public subscript<Value>(dynamicMember member: WritableKeyPath<FetchSettings, Value>) -> Value {
        get { fetching[keyPath: member] }
        set { fetching[keyPath: member] = newValue }
    }

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

    /// Semitones by which its sound can be raised.
    public static let keys = -12...12

    /// Title and artist of the song; nil if the item is not a song.
    public var names: MediaNames? { if case .song(let song) = content { song.names } else { nil } }

    /// File of the song; nil if the item is not a song.
    public var song: String? { if case .song(let song) = content { song.file } else { nil } }
}
