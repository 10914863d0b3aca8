/// Identifier of one thing for the life of the wall. Identifiers are never reused, and are not array indices.
public protocol Identity: Hashable, Comparable, Sendable {
    var number: Int { get }
    init(number: Int)
}

extension Identity {
    public static func < (a: Self, b: Self) -> Bool { a.number < b.number }
}

/// Identifier of a tile, across changes of its layout.
///
/// Outside the player a tile has its name, the layout's `id`.
public struct TileID: Identity {
    public let number: Int
    public init(number: Int) { self.number = number }
}

/// Identifier of a feed: one sequence of frames on one timeline.
public struct FeedID: Identity {
    public let number: Int
    public init(number: Int) { self.number = number }
}

/// Identifier of a group: a clock and the feeds that follow it.
public struct GroupID: Identity {
    public let number: Int
    public init(number: Int) { self.number = number }
}

/// Identifier of a sound that is heard or can be at any time.
///
/// Tiles of one feed that differ in sound track or file share the frames and have a sound each. Each stem of an item
/// has a sound of its own.
public struct SoundID: Identity {
    public let number: Int
    /// Index of the file in a sound made of several stems, from 0.
    public private(set) var stem = 0
    public init(number: Int) { self.number = number }

    public func stem(_ stem: Int) -> SoundID {
        var sound = self
        sound.stem = stem
        return sound
    }

    public static func < (a: SoundID, b: SoundID) -> Bool { (a.number, a.stem) < (b.number, b.stem) }

    /// The sound that plays under everything and belongs to no tile.
    public static let bed = SoundID(number: -1)
}
