/// What stands for one thing for as long as the wall lives, and is never used again: not its place in an array.
public protocol Identity: Hashable, Comparable, Sendable {
    var number: Int { get }
    init(number: Int)
}

extension Identity {
    public static func < (a: Self, b: Self) -> Bool { a.number < b.number }
}

/// One tile, whatever its layout becomes.
public struct TileID: Identity {
    public let number: Int
    public init(number: Int) { self.number = number }
}

/// One sequence of frames on one timeline.
public struct FeedID: Identity {
    public let number: Int
    public init(number: Int) { self.number = number }
}

/// One clock, and the feeds that follow it.
public struct GroupID: Identity {
    public let number: Int
    public init(number: Int) { self.number = number }
}

/// One sound that is heard, or may be at any time.
public struct SoundID: Identity {
    public let number: Int
    /// Which file of a sound that is made of several, from 0.
    public private(set) var stem = 0
    public init(number: Int) { self.number = number }

    func stem(_ stem: Int) -> SoundID {
        var sound = self
        sound.stem = stem
        return sound
    }

    public static func < (a: SoundID, b: SoundID) -> Bool { (a.number, a.stem) < (b.number, b.stem) }

    /// What is heard under everything is no tile's.
    public static let bed = SoundID(number: -1)
}
